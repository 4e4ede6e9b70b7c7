// The local search around what changed in an independent set (set_state.h): free nodes enter, (1,2)-swaps are made, and
// with weights (ω,1)-swaps, until there are none at the nodes that wait.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "moco/problems/mis/set_state.h"

namespace moco {

template <bool Weighted>
class SetMending {
 public:
  explicit SetMending(SetState<Weighted>& state) : state_(state) {}

  /// Lets free nodes in and makes swaps until there are none at the waiting nodes. `pick` says which free node is next;
  /// there is one when it is asked.
  template <typename Stop, typename Pick>
  void settle(const Stop& stop, const Pick& pick) {
    fill_up(pick);
    while (state_.anyone_waits() && !stop()) {
      const Index node = state_.next_waiting();
      if (state_.in_set(node) ? swap(node) : enter(node)) {
        fill_up(pick);
      }
    }
  }

  /// A node enters; its neighbours in the set leave.
  void force(Index node) {
    for (const Index other : state_.neighbours(node)) {
      if (state_.tightness(node) == 0) {
        break;
      }
      if (state_.in_set(other)) {
        state_.remove(other);
      }
    }
    state_.insert(node);
  }

 private:
  template <typename Pick>
  void fill_up(const Pick& pick) {
    while (state_.free_nodes() > 0) {
      state_.insert(pick());
    }
  }

  /// Takes a node out and puts two in, if it has two neighbours of tightness 1 that are not adjacent and, with weights,
  /// weigh more.
  bool swap(Index node) {
    loose_.clear();
    for (const Index other : state_.neighbours(node)) {
      if (state_.tightness(other) == 1) {
        loose_.push_back(other);
      }
    }
    for (std::size_t i = 0; i + 1 < loose_.size(); ++i) {
      const Index one = loose_[i];
      const Index two = partner(one, node, std::span(loose_).subspan(i + 1));
      if (two >= 0) {
        state_.remove(node);
        state_.insert(one);
        state_.insert(two);
        return true;
      }
    }
    return false;
  }

  /// The first of some nodes, in ascending order, that is no neighbour of `one` and takes, together with it, the place
  /// of `node`; −1: none.
  Index partner(Index one, Index node, std::span<const Index> others) const {
    const std::span<const Index> row = state_.neighbours(one);
    auto next = std::lower_bound(row.begin(), row.end(), others.front());
    for (const Index other : others) {
      while (next != row.end() && *next < other) {
        ++next;
      }
      if ((next == row.end() || *next != other) && state_.outweigh(one, other, node)) {
        return other;
      }
    }
    return -1;
  }

  /// A node that weighs more than its neighbours in the set takes their place.
  bool enter(Index node) {
    if (!state_.outweighs(node)) {
      return false;
    }
    force(node);
    return true;
  }

  SetState<Weighted>& state_;
  std::vector<Index> loose_;
};

}  // namespace moco
