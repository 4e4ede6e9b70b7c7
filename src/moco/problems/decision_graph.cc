// What all decision graphs share.
#include "moco/problems/decision_graph.h"

#include <algorithm>

#include "moco/problem.h"

namespace moco {

Index edge_between(const DecisionGraph& graph, Index from, Index to) {
  const auto row = static_cast<std::ptrdiff_t>(from) * graph.degree;
  const auto first = graph.targets.begin() + row;
  const auto last = first + graph.degree;
  const auto found = std::find(first, last, to);
  return found == last ? -1 : static_cast<Index>(found - graph.targets.begin());
}

DecisionGraph decision_graph_shape(const InstancePtr& instance, const OptionValues& options) {
  return instance->problem().graph_shape(instance, options);
}

DecisionGraph decision_graph(const InstancePtr& instance, const OptionValues& options, const Executor& executor) {
  return instance->problem().graph(instance, options, executor);
}

}  // namespace moco
