// Iterated local search after Andrade, Resende and Werneck ("Fast local search for the maximum independent set
// problem", J. Heuristics 2012): a kick forces a node into the set, of a few random ones the one that has been outside
// longest (or, our addition, every second time the one that drives out the fewest), now and then several nodes near
// each other; then free nodes enter and (1,2)-swaps are made around the change. A smaller set is gone on with by a
// probability that falls with what it lacks to the set before and to the best one.
//
// The nodes stand in one array, first those in the set, then the free ones (no neighbour in the set), then the others.
// `tightness` counts a node's neighbours in the set, `inside` is the exclusive or of their numbers: the neighbour
// itself where there is one only.
#include "moco/problems/mis/set_kicks.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

namespace moco {

namespace {

constexpr std::int64_t kLookEvery = 64;  // kicks, or nodes at the beginning, between looks at the budget
constexpr int kDrawn = 4;                // nodes of which the one longest outside is forced in
constexpr int kDrawnForTightness = 16;   // nodes of which the one with the fewest neighbours in the set is

std::size_t at(Index index) {
  return static_cast<std::size_t>(index);
}

class SetKicks {
 public:
  SetKicks(const DecisionGraph& graph, const std::vector<Index>& items, StreamKey key)
      : graph_(graph),
        nodes_(at(graph.nodes)),
        place_(at(graph.nodes)),
        tightness_(at(graph.nodes), 0),
        inside_(at(graph.nodes), 0),
        left_at_(at(graph.nodes), 0),
        queued_(at(graph.nodes), 0),
        free_end_(graph.nodes),
        random_(key, Purpose::kick) {
    std::iota(nodes_.begin(), nodes_.end(), Index{0});
    place_ = nodes_;
    for (const Index node : items) {
      insert(node);
    }
  }

  std::int64_t run(const KickBudget& spent) {
    double share = 0.0;
    std::int64_t looks = 0;
    settle([&] {
      share = ++looks % kLookEvery == 0 ? spent({false, 0, -static_cast<double>(set_end_)}) : share;
      return share >= 1.0;
    });
    keep_best();
    std::int64_t kicks = 0;
    const bool possible = set_end_ < graph_.nodes;
    for (share = possible ? spent({true, 0, cost()}) : 1.0; share < 1.0; share = spent({true, kicks, cost()})) {
      for (std::int64_t i = 0; i < kLookEvery; ++i) {
        kick(++kicks);
      }
    }
    return kicks;
  }

  std::vector<Index> best() const { return best_; }

 private:
  double cost() const { return -static_cast<double>(best_.size()); }
  std::span<const Index> neighbours(Index node) const {
    const auto begin = static_cast<std::size_t>(graph_.offsets[at(node)]);
    const auto end = static_cast<std::size_t>(graph_.offsets[at(node) + 1]);
    return graph_.targets.subspan(begin, end - begin);
  }
  bool in_set(Index node) const { return place_[at(node)] < set_end_; }
  bool is_free(Index node) const { return !in_set(node) && place_[at(node)] < free_end_; }

  void move_to(Index node, Index place) {
    const Index other = nodes_[at(place)];
    std::swap(nodes_[at(place)], nodes_[at(place_[at(node)])]);
    std::swap(place_[at(node)], place_[at(other)]);
  }

  /// A free node enters the set.
  void insert(Index node) {
    move_to(node, set_end_++);
    for (const Index other : neighbours(node)) {
      if (tightness_[at(other)]++ == 0) {
        move_to(other, --free_end_);
      }
      inside_[at(other)] ^= node;
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
      if (tightness_[at(other)] == 1) {
        queue(inside_[at(other)]);
      }
    }
    journal_.push_back({node, false});
  }

  void queue(Index node) {
    if (std::exchange(queued_[at(node)], 1) == 0) {
      waiting_.push_back(node);
    }
  }

  /// Lets free nodes in and makes swaps until there are none at the waiting nodes.
  template <typename Stop>
  void settle(const Stop& stop) {
    fill_up();
    while (!waiting_.empty() && !stop()) {
      const Index node = waiting_.back();
      waiting_.pop_back();
      queued_[at(node)] = 0;
      if (in_set(node) && swap(node)) {
        fill_up();
      }
    }
  }

  void fill_up() {
    while (set_end_ < free_end_) {
      const auto count = static_cast<std::uint32_t>(free_end_ - set_end_);
      insert(nodes_[at(set_end_ + static_cast<Index>(random_.next_below(count)))]);
    }
  }

  /// Takes a node out and puts two in, if it has two neighbours of tightness 1 that are not adjacent.
  bool swap(Index node) {
    loose_.clear();
    for (const Index other : neighbours(node)) {
      if (tightness_[at(other)] == 1) {
        loose_.push_back(other);
      }
    }
    for (std::size_t i = 0; i + 1 < loose_.size(); ++i) {
      const Index one = loose_[i];
      const Index two = not_adjacent(one, std::span(loose_).subspan(i + 1));
      if (two >= 0) {
        remove(node);
        insert(one);
        insert(two);
        return true;
      }
    }
    return false;
  }

  /// The first of some nodes, in ascending order, that is no neighbour of another one; −1: none.
  Index not_adjacent(Index node, std::span<const Index> others) const {
    const std::span<const Index> row = neighbours(node);
    auto next = std::lower_bound(row.begin(), row.end(), others.front());
    for (const Index other : others) {
      while (next != row.end() && *next < other) {
        ++next;
      }
      if (next == row.end() || *next != other) {
        return other;
      }
    }
    return -1;
  }

  void force(Index node) {
    for (const Index other : neighbours(node)) {
      if (tightness_[at(node)] == 0) {
        break;
      }
      if (in_set(other)) {
        remove(other);
      }
    }
    insert(node);
  }

  /// Of some random nodes outside the set, the one that left it longest ago; every second time, of more nodes, the one
  /// with the fewest neighbours in the set.
  Index node_outside() {
    const auto count = static_cast<std::uint32_t>(graph_.nodes - set_end_);
    const bool loosest = random_.next_below(2) == 0;
    const auto rank = [&](Index node) { return std::pair(loosest ? tightness_[at(node)] : 0, left_at_[at(node)]); };
    Index chosen = -1;
    for (int i = 0; i < (loosest ? kDrawnForTightness : kDrawn); ++i) {
      const Index node = nodes_[at(set_end_ + static_cast<Index>(random_.next_below(count)))];
      if (chosen < 0 || rank(node) < rank(chosen)) {
        chosen = node;
      }
    }
    return chosen;
  }

  /// A node outside the set two steps away; −1 when the random walk led to none.
  Index node_nearby(Index node) {
    for (int step = 0; step < 2; ++step) {
      const std::span<const Index> row = neighbours(node);
      if (row.empty()) {
        return -1;
      }
      node = row[random_.next_below(static_cast<std::uint32_t>(row.size()))];
    }
    return in_set(node) ? -1 : node;
  }

  void kick(std::int64_t number) {
    journal_.clear();
    const Index before = set_end_;
    Index node = node_outside();
    force(node);
    if (random_.next_below(2 * static_cast<std::uint32_t>(before) + 1) == 0) {  // rarely, a kick of several nodes
      while (node >= 0 && random_.next_below(2) == 0) {
        node = node_nearby(node);
        if (node >= 0) {
          force(node);
        }
      }
    }
    settle([] { return false; });
    const auto best = static_cast<Index>(best_.size());
    if (set_end_ > best) {
      keep_best();
    } else if (set_end_ < before) {
      const double lost = before - set_end_;
      const double behind = best - set_end_;
      if (random_.next_double() * (1.0 + lost * behind) >= 1.0) {
        take_back();
        return;
      }
    }
    for (const auto& [changed, entered] : journal_) {
      if (!entered) {
        left_at_[at(changed)] = number;
      }
    }
  }

  void take_back() {
    std::vector<std::pair<Index, bool>> made;
    made.swap(journal_);
    for (auto change = made.rbegin(); change != made.rend(); ++change) {
      if (change->second) {
        remove(change->first);
      } else {
        insert(change->first);
      }
    }
    for (const Index node : waiting_) {
      queued_[at(node)] = 0;
    }
    waiting_.clear();
    journal_.swap(made);
  }

  void keep_best() { best_.assign(nodes_.begin(), nodes_.begin() + set_end_); }

  const DecisionGraph& graph_;
  std::vector<Index> nodes_;
  std::vector<Index> place_;
  std::vector<Index> tightness_;
  std::vector<Index> inside_;
  std::vector<std::int64_t> left_at_;  ///< kick after which a node left the set
  std::vector<unsigned char> queued_;
  Index set_end_ = 0;
  Index free_end_;
  RandomSequence random_;
  std::vector<std::pair<Index, bool>> journal_;  ///< nodes that entered (true) or left since the kick
  std::vector<Index> waiting_;
  std::vector<Index> loose_;
  std::vector<Index> best_;
};

class SetKickSearch final : public KickSearch {
 public:
  explicit SetKickSearch(const DecisionGraph& graph) : graph_(graph) {}

  std::int64_t run(std::vector<Index>& items, StreamKey key, const KickBudget& spent) const override {
    SetKicks search(graph_, items, key);
    const std::int64_t kicks = search.run(spent);
    items = search.best();
    std::ranges::sort(items);
    return kicks;
  }

 private:
  const DecisionGraph& graph_;
};

}  // namespace

std::unique_ptr<KickSearch> make_set_kicks(const DecisionGraph& graph) {
  return std::make_unique<SetKickSearch>(graph);
}

}  // namespace moco
