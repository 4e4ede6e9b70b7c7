// Iterated local search on tours.
#pragma once

#include <memory>

#include "moco/policy/kicks.h"
#include "moco/problems/decision_graph.h"

namespace moco {

std::unique_ptr<KickSearch> make_tour_kicks(const DecisionGraph& graph);

}  // namespace moco
