// Partial construction of tours.
#pragma once

#include <memory>

#include "moco/policy/partial_construction.h"
#include "moco/problems/decision_graph.h"

namespace moco {

/// Samples that choose the way on from `count` cities anew.
std::unique_ptr<PartialConstruction> make_partial_tours(const DecisionGraph& graph, Index count);

}  // namespace moco
