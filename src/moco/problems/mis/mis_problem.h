// Maximum independent set.
#pragma once

#include "moco/problem.h"

namespace moco {

const Problem& mis_problem();

}  // namespace moco
