// Tours that are there at once, to begin with or to fall back on.
#pragma once

#include "moco/core/halt.h"
#include "moco/problems/decision_graph.h"

namespace moco {

/// All cities along a closed space-filling curve, O(n); the nearest unvisited city again and again where there are no
/// coordinates, O(n²).
Solution curve_tour(const TspInstance& instance);

/// The shortest candidate edges that fit together; then the nearest ends of the paths that they form, one after the
/// other. `halt` is looked at now and then and may throw.
Solution greedy_tour(const DecisionGraph& graph, const Halt& halt);

}  // namespace moco
