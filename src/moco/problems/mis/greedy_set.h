// A greedy independent set: the first node of an order that changes as nodes go, again and again.
#pragma once

#include <algorithm>
#include <utility>

#include "moco/core/halt.h"
#include "moco/problems/decision_graph.h"

namespace moco {

/// `order` gives nodes by pop() until it is empty(); lose(node, neighbour) tells it that a neighbour of a node that is
/// still to come has gone. `halt` is looked at now and then; when it is due, the rest enters in the order as it stands.
template <typename Order>
Solution greedy_set(const DecisionGraph& graph, const Halt& halt, Order& order) {
  constexpr std::size_t kStepsPerLook = 1024;
  std::vector<unsigned char> gone(static_cast<std::size_t>(graph.nodes), 0);  // in the set, or next to it
  const auto goes = [&](Index node) { return std::exchange(gone[static_cast<std::size_t>(node)], 1) == 0; };
  bool in_order = true;
  Solution set;
  while (!order.empty()) {
    const Index node = order.pop();
    if (!goes(node)) {
      continue;
    }
    set.items.push_back(node);
    in_order = in_order && (set.items.size() % kStepsPerLook != 0 || !halt.due());
    for (const Index neighbour : neighbours_of(graph, node)) {
      if (!goes(neighbour) || !in_order) {
        continue;
      }
      for (const Index second : neighbours_of(graph, neighbour)) {
        if (gone[static_cast<std::size_t>(second)] == 0) {
          order.lose(second, neighbour);
        }
      }
    }
  }
  std::ranges::sort(set.items);
  return set;
}

}  // namespace moco
