// Iterated local search on independent sets.
#pragma once

#include "moco/problems/kicks.h"

namespace moco {

std::unique_ptr<KickSearch> make_set_kicks(const DecisionGraph& graph);

}  // namespace moco
