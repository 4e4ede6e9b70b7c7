// Nodes stand in an array sorted by the number of neighbours they have left, with the beginning of each number's range:
// when a neighbour goes, a node changes places with the first of its range.
#include "moco/problems/mis/min_degree_set.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "moco/problems/mis/greedy_set.h"

namespace moco {

namespace {

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

  bool empty() const { return at(done_) == sorted_.size(); }
  Index pop() { return sorted_[at(done_++)]; }

  void lose(Index node, Index) {
    const Index degree = degree_[at(node)]--;
    Index& first = first_[at(degree)];
    first = std::max(first, done_);
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
  Index done_ = 0;            ///< nodes that were given
};

}  // namespace

Solution min_degree_set(const DecisionGraph& graph, const Halt& halt) {
  ByDegree order(graph);
  return greedy_set(graph, halt, order);
}

}  // namespace moco
