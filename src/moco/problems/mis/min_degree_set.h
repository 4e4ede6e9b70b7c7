// A greedy independent set: the node with the fewest neighbours left enters, again and again.
#pragma once

#include "moco/core/halt.h"
#include "moco/problems/decision_graph.h"

namespace moco {

/// O(n + m). `halt` is looked at now and then; when it is due, the rest enters as it stands.
Solution min_degree_set(const DecisionGraph& graph, const Halt& halt);

}  // namespace moco
