// θ as probabilities, for pictures and callers.
#pragma once

#include <span>

#include "moco/heatmap.h"
#include "moco/problems/decision_graph.h"

namespace moco {

/// Softmax over the edges that leave a node, or over all nodes with the largest scaled to 1.
Heatmap make_heatmap(const DecisionGraph& graph, std::span<const float> theta);

}  // namespace moco
