// Minimum vertex cover.
#pragma once

#include "moco/problem.h"

namespace moco {

const Problem& vertex_cover_problem();

}  // namespace moco
