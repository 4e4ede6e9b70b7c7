// Iterated local search on independent sets.
#pragma once

#include <memory>

#include "moco/policy/kicks.h"
#include "moco/problems/decision_graph.h"

namespace moco {

std::unique_ptr<KickSearch> make_set_kicks(const DecisionGraph& graph);

}  // namespace moco
