// Maximum clique.
#pragma once

#include "moco/problem.h"

namespace moco {

const Problem& clique_problem();

}  // namespace moco
