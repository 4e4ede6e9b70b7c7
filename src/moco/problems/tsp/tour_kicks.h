// Iterated local search on tours.
#pragma once

#include "moco/problems/kicks.h"

namespace moco {

std::unique_ptr<KickSearch> make_tour_kicks(const DecisionGraph& graph);

}  // namespace moco
