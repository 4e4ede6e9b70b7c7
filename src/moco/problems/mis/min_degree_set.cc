// Nodes stand in an array sorted by the number of neighbours they have left, with the beginning of each number's range:
// when a neighbour goes, a node changes places with the first of its range.
#include "moco/problems/mis/min_degree_set.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace moco {

namespace {

constexpr Index kStepsPerLook = 1024;

std::size_t at(Index index) {
  return static_cast<std::size_t>(index);
}

class ByDegree {
 public:
  explicit ByDegree(const DecisionGraph& graph)
      : degree_(at(graph.nodes)), sorted_(at(graph.nodes)), place_(at(graph.nodes)) {
    Index largest = 0;
    for (Index node = 0; node < graph.nodes; ++node) {
      degree_[at(node)] = static_cast<Index>(neighbours_of(graph, node).size());
      largest = std::max(largest, degree_[at(node)]);
    }
    first_.assign(at(largest) + 2, 0);
    for (const Index degree : degree_) {
      ++first_[at(degree) + 1];
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    std::vector<Index> next(first_);
    for (Index node = 0; node < graph.nodes; ++node) {
      place_[at(node)] = next[at(degree_[at(node)])]++;
      sorted_[at(place_[at(node)])] = node;
    }
  }

  Index operator[](Index place) const { return sorted_[at(place)]; }
  Index place(Index node) const { return place_[at(node)]; }

  /// A node behind `done` loses a neighbour.
  void lower(Index node, Index done) {
    const Index degree = degree_[at(node)]--;
    Index& first = first_[at(degree)];
    first = std::max(first, done);
    const Index other = sorted_[at(first)];
    std::swap(sorted_[at(first)], sorted_[at(place_[at(node)])]);
    std::swap(place_[at(node)], place_[at(other)]);
    ++first;
  }

 private:
  std::vector<Index> degree_;
  std::vector<Index> sorted_;
  std::vector<Index> place_;
  std::vector<Index> first_;  ///< [degree] first place of that degree among those not done
};

}  // namespace

Solution min_degree_set(const DecisionGraph& graph, const Halt& halt) {
  ByDegree order(graph);
  std::vector<unsigned char> gone(at(graph.nodes), 0);  // in the set, or next to it
  bool in_order = true;
  Solution set;
  for (Index done = 0; done < graph.nodes; ++done) {
    const Index node = order[done];
    if (std::exchange(gone[at(node)], 1) != 0) {
      continue;
    }
    set.items.push_back(node);
    in_order = in_order && (set.items.size() % kStepsPerLook != 0 || !halt.due());
    for (const Index neighbour : neighbours_of(graph, node)) {
      if (std::exchange(gone[at(neighbour)], 1) != 0 || !in_order) {
        continue;
      }
      for (const Index second : neighbours_of(graph, neighbour)) {
        if (gone[at(second)] == 0) {
          order.lower(second, done + 1);
        }
      }
    }
  }
  std::ranges::sort(set.items);
  return set;
}

}  // namespace moco
