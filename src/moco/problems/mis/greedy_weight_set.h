// A greedy independent set of a graph with weights: the node with the largest share in the weight of itself and its
// neighbours left enters, again and again (Sakai, Togasaki, Yamazaki: "A note on greedy algorithms for the maximum
// weighted independent set problem", Discrete Applied Mathematics 2003).
#pragma once

#include "moco/core/halt.h"
#include "moco/problems/decision_graph.h"

namespace moco {

/// O((n + m)·log n). `halt` is looked at now and then; when it is due, the rest enters by the shares as they stand.
Solution greedy_weight_set(const DecisionGraph& graph, const Halt& halt);

}  // namespace moco
