// The constructions of each problem.
#include "moco/problems/quick_start.h"

#include "moco/problems/mis/greedy_weight_set.h"
#include "moco/problems/mis/min_degree_set.h"
#include "moco/problems/tsp/quick_tours.h"

namespace moco {

namespace {

Solution greedy_set(const Instance& instance, const Halt& halt) {
  const auto& graph = dynamic_cast<const GraphInstance&>(instance);
  return graph.weights().empty() ? min_degree_set(graph, halt) : greedy_weight_set(graph, halt);
}

}  // namespace

Solution instant_solution(const Instance& instance) {
  if (const auto* tsp = dynamic_cast<const TspInstance*>(&instance)) {
    return curve_tour(*tsp);
  }
  const Halt at_once(Halt::Clock::now(), 0.0);
  return greedy_set(instance, at_once);
}

Solution greedy_solution(const DecisionGraph& graph, const Halt& halt) {
  if (graph.kind == VariableKind::edge) {
    return greedy_tour(graph, halt);
  }
  return greedy_set(*graph.instance, halt);
}

}  // namespace moco
