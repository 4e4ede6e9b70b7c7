// Shares only grow while neighbours go, so the nodes wait in a heap whose entries only ever rise.
#include "moco/problems/mis/greedy_weight_set.h"

#include <algorithm>

#include "moco/problems/mis/greedy_set.h"

namespace moco {

namespace {

std::size_t at(Index index) {
  return static_cast<std::size_t>(index);
}

/// A binary heap of all nodes by their shares, equal ones by their numbers.
class ByShare {
 public:
  explicit ByShare(const DecisionGraph& graph)
      : weights_(graph.weights), around_(weights_.begin(), weights_.end()), share_(weights_.size()) {
    for (Index node = 0; node < graph.nodes; ++node) {
      for (const Index neighbour : neighbours_of(graph, node)) {
        around_[at(node)] += weights_[at(neighbour)];
      }
      set_share(node);
      heap_.push_back(node);
    }
    std::ranges::sort(heap_, [&](Index a, Index b) { return before(a, b); });  // a sorted list is a heap
    place_.resize(heap_.size());
    for (std::size_t i = 0; i < heap_.size(); ++i) {
      place_[at(heap_[i])] = i;
    }
  }

  bool empty() const { return heap_.empty(); }

  Index pop() {
    const Index top = heap_.front();
    const Index last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) {
      sink(last);
    }
    return top;
  }

  /// A neighbour of a waiting node goes.
  void lose(Index node, Index neighbour) {
    around_[at(node)] -= weights_[at(neighbour)];
    set_share(node);
    rise(node);
  }

 private:
  bool before(Index a, Index b) const {
    return share_[at(a)] > share_[at(b)] || (share_[at(a)] == share_[at(b)] && a < b);
  }
  /// The sum is not exact after subtractions. A node among weights of 0 displaces nothing.
  void set_share(Index node) {
    const double weight = weights_[at(node)];
    const double around = std::max(around_[at(node)], weight);
    const double share = around > 0.0 ? weight / around : 1.0;
    share_[at(node)] = std::max(share_[at(node)], share);
  }
  void put(Index node, std::size_t place) {
    heap_[place] = node;
    place_[at(node)] = place;
  }
  void rise(Index node) {
    std::size_t place = place_[at(node)];
    while (place > 0 && before(node, heap_[(place - 1) / 2])) {
      put(heap_[(place - 1) / 2], place);
      place = (place - 1) / 2;
    }
    put(node, place);
  }
  /// Puts a node in the place of the first one.
  void sink(Index node) {
    std::size_t place = 0;
    for (std::size_t child = 1; child < heap_.size(); child = 2 * place + 1) {
      child += child + 1 < heap_.size() && before(heap_[child + 1], heap_[child]) ? 1 : 0;
      if (!before(heap_[child], node)) {
        break;
      }
      put(heap_[child], place);
      place = child;
    }
    put(node, place);
  }

  std::span<const double> weights_;
  std::vector<double> around_;  ///< weight of a node and its neighbours left
  std::vector<double> share_;
  std::vector<Index> heap_;
  std::vector<std::size_t> place_;
};

}  // namespace

Solution greedy_weight_set(const DecisionGraph& graph, const Halt& halt) {
  ByShare order(graph);
  return greedy_set(graph, halt, order);
}

}  // namespace moco
