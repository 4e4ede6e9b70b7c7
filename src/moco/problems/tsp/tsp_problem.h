// The travelling salesman problem.
#pragma once

#include "moco/problem.h"

namespace moco {

const Problem& tsp_problem();

}  // namespace moco
