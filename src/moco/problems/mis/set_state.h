// An independent set that an iterated search changes node by node (set_kicks.cc), with what it needs to know around it.
//
// The nodes stand in one array, first those in the set, then the free ones (no neighbour in the set), then the others.
// `tightness` counts a node's neighbours in the set, `inside` is the exclusive or of their numbers: the neighbour
// itself where there is one only. Where nodes have weights, the neighbours' weight is carried along too; sums of
// weights are exact (DecisionGraph::weights), so that it stays so.
#pragma once

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "moco/problems/decision_graph.h"

namespace moco {

/// Nodes that entered a set (true) or left it, in order.
using SetJournal = std::vector<std::pair<Index, bool>>;

template <bool Weighted>
class SetState {
 public:
  SetState(const DecisionGraph& graph, const std::vector<Index>& items)
      : graph_(graph),
        nodes_(at(graph.nodes)),
        place_(at(graph.nodes)),
        tightness_(at(graph.nodes), 0),
        inside_(at(graph.nodes), 0),
        inside_weight_(Weighted ? at(graph.nodes) : 0, 0.0),
        queued_(at(graph.nodes), 0),
        free_end_(graph.nodes) {
    std::iota(nodes_.begin(), nodes_.end(), Index{0});
    place_ = nodes_;
    for (const Index node : items) {
      insert(node);
    }
    for (Index node = 0; Weighted && node < graph.nodes; ++node) {
      if (outweighs(node)) {
        queue(node);
      }
    }
  }

  Index graph_nodes() const { return graph_.nodes; }
  Index size() const { return set_end_; }
  /// Weight of the set; its size where all nodes weigh 1.
  double weight() const {
    if constexpr (Weighted) {
      return weight_;
    } else {
      return set_end_;
    }
  }
  std::span<const Index> set() const { return std::span(nodes_).first(at(set_end_)); }
  std::span<const Index> free() const { return std::span(nodes_).subspan(at(set_end_), at(free_nodes())); }
  Index outside(std::uint32_t number) const { return nodes_[at(set_end_) + number]; }
  /// The free nodes are the first of those outside.
  Index free_nodes() const { return free_end_ - set_end_; }
  bool in_set(Index node) const { return place_[at(node)] < set_end_; }
  std::span<const Index> neighbours(Index node) const {
    const auto begin = static_cast<std::size_t>(graph_.offsets[at(node)]);
    const auto end = static_cast<std::size_t>(graph_.offsets[at(node) + 1]);
    return graph_.targets.subspan(begin, end - begin);
  }
  Index tightness(Index node) const { return tightness_[at(node)]; }
  /// What a set loses by a node that is forced in; where all weigh 1, up to a constant.
  auto loss(Index node) const {
    if constexpr (Weighted) {
      return inside_weight_[at(node)] - graph_.weights[at(node)];
    } else {
      return tightness_[at(node)];
    }
  }
  /// Whether a node outside weighs more than its neighbours in the set.
  bool outweighs(Index node) const { return Weighted && !in_set(node) && loss(node) < 0; }
  /// Whether the set grows when two nodes take the place of a third.
  bool outweigh(Index one, Index two, Index third) const {
    return !Weighted || graph_.weights[at(one)] + graph_.weights[at(two)] > graph_.weights[at(third)];
  }

  /// A free node enters the set.
  void insert(Index node) {
    move_to(node, set_end_++);
    for (const Index other : neighbours(node)) {
      if (tightness_[at(other)]++ == 0) {
        move_to(other, --free_end_);
      }
      inside_[at(other)] ^= node;
      if constexpr (Weighted) {
        inside_weight_[at(other)] += graph_.weights[at(node)];
      }
    }
    if constexpr (Weighted) {
      weight_ += graph_.weights[at(node)];
    }
    journal_.push_back({node, true});
    queue(node);
  }

  /// A node leaves the set and is free until a neighbour enters.
  void remove(Index node) {
    move_to(node, --set_end_);
    for (const Index other : neighbours(node)) {
      if (--tightness_[at(other)] == 0) {
        move_to(other, free_end_++);
      }
      inside_[at(other)] ^= node;
      if constexpr (Weighted) {
        inside_weight_[at(other)] -= graph_.weights[at(node)];
        if (outweighs(other)) {
          queue(other);
        }
      }
      if (tightness_[at(other)] == 1) {
        queue(inside_[at(other)]);
      }
    }
    if constexpr (Weighted) {
      weight_ -= graph_.weights[at(node)];
      queue(node);  // it may outweigh what takes its place
    }
    journal_.push_back({node, false});
  }

  const SetJournal& journal() const { return journal_; }
  void clear_journal() { journal_.clear(); }
  /// Undoes what the journal holds; nobody waits any more.
  void take_back() {
    SetJournal made;
    made.swap(journal_);
    for (auto change = made.rbegin(); change != made.rend(); ++change) {
      if (change->second) {
        remove(change->first);
      } else {
        insert(change->first);
      }
    }
    let_nobody_wait();
    journal_.swap(made);
  }

  /// All nodes wait that a local search everywhere begins with.
  void let_all_wait() {
    for (Index node = 0; node < graph_.nodes; ++node) {
      if (in_set(node) || outweighs(node)) {
        queue(node);
      }
    }
  }
  void let_nobody_wait() {
    for (const Index node : waiting_) {
      queued_[at(node)] = 0;
    }
    waiting_.clear();
  }

  /// Nodes around which the set changed: those in it may give way, those outside may weigh more than what is in it.
  bool anyone_waits() const { return !waiting_.empty(); }
  Index next_waiting() {
    const Index node = waiting_.back();
    waiting_.pop_back();
    queued_[at(node)] = 0;
    return node;
  }

 private:
  static std::size_t at(Index index) { return static_cast<std::size_t>(index); }

  void move_to(Index node, Index place) {
    const Index other = nodes_[at(place)];
    std::swap(nodes_[at(place)], nodes_[at(place_[at(node)])]);
    std::swap(place_[at(node)], place_[at(other)]);
  }
  void queue(Index node) {
    if (std::exchange(queued_[at(node)], 1) == 0) {
      waiting_.push_back(node);
    }
  }

  const DecisionGraph& graph_;
  std::vector<Index> nodes_;
  std::vector<Index> place_;
  std::vector<Index> tightness_;
  std::vector<Index> inside_;
  std::vector<double> inside_weight_;
  std::vector<unsigned char> queued_;
  Index set_end_ = 0;
  Index free_end_;
  double weight_ = 0.0;
  SetJournal journal_;
  std::vector<Index> waiting_;
};

}  // namespace moco
