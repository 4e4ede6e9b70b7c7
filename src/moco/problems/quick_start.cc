// The constructions of each problem.
#include "moco/problems/quick_start.h"

#include "moco/problems/mis/min_degree_set.h"
#include "moco/problems/tsp/quick_tours.h"

namespace moco {

Solution instant_solution(const Instance& instance) {
  if (const auto* tsp = dynamic_cast<const TspInstance*>(&instance)) {
    return curve_tour(*tsp);
  }
  const Halt at_once(Halt::Clock::now(), 0.0);
  return min_degree_set(dynamic_cast<const GraphInstance&>(instance), at_once);
}

Solution greedy_solution(const DecisionGraph& graph, const Halt& halt) {
  if (graph.kind == VariableKind::edge) {
    return greedy_tour(graph, halt);
  }
  return min_degree_set(dynamic_cast<const GraphInstance&>(*graph.instance), halt);
}

}  // namespace moco
