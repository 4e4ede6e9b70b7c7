// Partial construction of independent sets.
#pragma once

#include <memory>

#include "moco/policy/partial_construction.h"
#include "moco/problems/decision_graph.h"

namespace moco {

/// Samples that choose anew which of `count` nodes near each other are in the set.
std::unique_ptr<PartialConstruction> make_partial_sets(const DecisionGraph& graph, Index count);

}  // namespace moco
