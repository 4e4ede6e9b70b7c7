// Solutions to begin with or to fall back on, made without a policy.
#pragma once

#include "moco/core/halt.h"
#include "moco/problems/decision_graph.h"

namespace moco {

/// A feasible solution that is there at once, whatever its size.
Solution instant_solution(const Instance& instance);

/// The problem's greedy construction. Throws Halted when it is told to end too early for one.
Solution greedy_solution(const DecisionGraph& graph, const Halt& halt);

}  // namespace moco
