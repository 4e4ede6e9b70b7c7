// Iterated local search after Andrade, Resende and Werneck ("Fast local search for the maximum independent set
// problem", J. Heuristics 2012): a kick forces a node into the set, of a few random ones the one that has been outside
// longest (or, our addition, every second time the one that costs least), now and then several nodes near each other;
// then free nodes enter and (1,2)-swaps are made around the change. A worse set is gone on with by a probability that
// falls with what it lacks to the set before and to the best one.
//
// Where nodes have weights, the set's weight counts, and a node enters for all its neighbours in the set when it weighs
// more than they do, as in Nogueira, Pinheiro and Subramanian ("A hybrid iterated local search heuristic for the
// maximum weight independent set problem", Optimization Letters 2018). Losses then come in all sizes, and small ones
// everywhere would add up: the probability falls over the budget too.
//
// Without weights, covers (cover_search.h) take over after the first part of the budget where they have the time.
#include "moco/problems/mis/set_kicks.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "moco/problems/mis/best_set.h"
#include "moco/problems/mis/cover_search.h"
#include "moco/problems/mis/set_mending.h"
#include "moco/problems/mis/set_state.h"

namespace moco {

namespace {

constexpr std::int64_t kLookEvery = 64;  // kicks, or nodes at the beginning, between looks at the budget
constexpr int kDrawn = 4;                // nodes of which the one longest outside is forced in
constexpr int kDrawnForLoss = 16;        // nodes of which the one that costs least is
// With weights, how strictly losses are judged at first and at last. Of 0.3 … 1 and 1 … 100 000, these were good on
// dense graphs, which need to wander, and on sparse ones, which need to settle.
constexpr double kFirstStrictness = 0.3;
constexpr double kLastStrictness = 1e4;

template <bool Weighted>
class SetKicks {
 public:
  SetKicks(const DecisionGraph& graph, const std::vector<Index>& items, StreamKey key)
      : state_(graph, items), left_at_(static_cast<std::size_t>(graph.nodes), 0), random_(key, Purpose::kick) {}

  std::int64_t run(const KickBudget& spent) {
    double share = 0.0;
    std::int64_t looks = 0;
    const auto present = [this] { return std::vector<Index>(state_.set().begin(), state_.set().end()); };
    const auto best_nodes = [this] { return best(); };
    settle([&] {
      share = ++looks % kLookEvery == 0 ? spent({false, 0, -state_.weight(), present}) : share;
      return share >= 1.0;
    });
    keep_best();
    std::int64_t kicks = 0;
    const bool possible = state_.size() < state_.graph_nodes();
    for (share = possible ? spent({true, 0, -best_weight_, best_nodes}) : 1.0; share < 1.0;
         share = spent({true, kicks, -best_weight_, best_nodes})) {
      if constexpr (Weighted) {
        strictness_ = kFirstStrictness * std::pow(kLastStrictness / kFirstStrictness, share);
      }
      for (std::int64_t i = 0; i < kLookEvery; ++i) {
        kick(++kicks);
      }
    }
    return kicks;
  }

  std::vector<Index> best() { return best_.nodes(state_.set()); }

 private:
  /// Lets free nodes in, whichever, and makes swaps until there are none at the waiting nodes.
  template <typename Stop>
  void settle(const Stop& stop) {
    mending_.settle(
        stop, [this] { return state_.outside(random_.next_below(static_cast<std::uint32_t>(state_.free_nodes()))); });
  }

  /// Of some random nodes outside the set, the one that left it longest ago; every second time, of more nodes, the one
  /// that costs least.
  Index node_outside() {
    const auto count = static_cast<std::uint32_t>(state_.graph_nodes() - state_.size());
    const bool cheapest = random_.next_below(2) == 0;
    using Loss = decltype(state_.loss(0));
    const auto rank = [&](Index node) {
      return std::pair(cheapest ? state_.loss(node) : Loss{0}, left_at_[static_cast<std::size_t>(node)]);
    };
    Index chosen = -1;
    for (int i = 0; i < (cheapest ? kDrawnForLoss : kDrawn); ++i) {
      const Index node = state_.outside(random_.next_below(count));
      if (chosen < 0 || rank(node) < rank(chosen)) {
        chosen = node;
      }
    }
    return chosen;
  }

  /// A node outside the set two steps away; −1 when the random walk led to none.
  Index node_nearby(Index node) {
    for (int step = 0; step < 2; ++step) {
      const std::span<const Index> row = state_.neighbours(node);
      if (row.empty()) {
        return -1;
      }
      node = row[random_.next_below(static_cast<std::uint32_t>(row.size()))];
    }
    return state_.in_set(node) ? -1 : node;
  }

  void kick(std::int64_t number) {
    state_.clear_journal();
    const double before = state_.weight();
    const auto size = static_cast<std::uint32_t>(state_.size());
    Index node = node_outside();
    mending_.force(node);
    if (random_.next_below(2 * size + 1) == 0) {  // rarely, a kick of several nodes
      while (node >= 0 && random_.next_below(2) == 0) {
        node = node_nearby(node);
        if (node >= 0) {
          mending_.force(node);
        }
      }
    }
    settle([] { return false; });
    if (state_.weight() > best_weight_) {
      keep_best();
    } else {
      if (state_.weight() < before && !goes_on_with(before)) {
        state_.take_back();
        return;
      }
      best_.changed(state_.journal(), state_.set());
    }
    for (const auto& [changed, entered] : state_.journal()) {
      if (!entered) {
        left_at_[static_cast<std::size_t>(changed)] = number;
      }
    }
  }

  /// Whether a set that weighs less than the one before is gone on with. What it lacks counts in nodes of the best set.
  bool goes_on_with(double before) {
    const double lost = (before - state_.weight()) / unit_;
    const double behind = (best_weight_ - state_.weight()) / unit_;
    return random_.next_double() * (1.0 + strictness_ * lost * behind) < 1.0;
  }

  void keep_best() {
    best_.is_now();
    best_weight_ = state_.weight();
    unit_ = Weighted && best_weight_ > 0.0 ? best_weight_ / state_.size() : 1.0;
  }

  SetState<Weighted> state_;
  SetMending<Weighted> mending_{state_};
  std::vector<std::int64_t> left_at_;  ///< kick after which a node left the set
  RandomSequence random_;
  BestSet best_;
  double best_weight_ = 0.0;
  double unit_ = 1.0;
  double strictness_ = 1.0;
};

/// A budget of which kicks take all, or a part where what follows is worth more than the rest of them.
class FirstPart {
 public:
  FirstPart(const DecisionGraph& graph, const KickBudget& spent) : graph_(graph), spent_(spent) {}

  double operator()(const KickMoment& moment) {
    const double share = spent_(moment);
    if (!decided_ && share >= kDecided && moment.kicks > 0) {
      const double kicks = static_cast<double>(moment.kicks) / share;
      const double steps = (1.0 - kFirstPart) * kicks / CoverSearch::step_in_kicks(graph_);
      part_ = CoverSearch::suits(graph_, steps) ? kFirstPart : 1.0;
      decided_ = true;
    }
    return share >= part_ ? 1.0 : share;
  }
  bool more() const { return part_ < 1.0; }

 private:
  static constexpr double kDecided = 0.02;
  static constexpr double kFirstPart = 0.15;

  const DecisionGraph& graph_;
  const KickBudget& spent_;
  bool decided_ = false;
  double part_ = 1.0;
};

template <bool Weighted>
std::int64_t run_kicks(const DecisionGraph& graph, std::vector<Index>& items, StreamKey key, const KickBudget& spent) {
  SetKicks<Weighted> search(graph, items, key);
  const std::int64_t kicks = search.run(spent);
  items = search.best();
  return kicks;
}

/// Goes on after so many kicks; a step counts as what it takes.
std::int64_t search_covers(const DecisionGraph& graph, std::vector<Index>& items, StreamKey key, std::int64_t kicks,
                           const KickBudget& spent) {
  CoverSearch search(graph, items, key);
  const double each = CoverSearch::step_in_kicks(graph);
  const auto best = [&] { return search.best(); };
  std::int64_t done = kicks;
  bool goes_on = true;
  for (std::int64_t steps = 0;
       goes_on && spent({true, done, -static_cast<double>(search.best().size()), best}) < 1.0;) {
    for (std::int64_t i = 0; goes_on && i < kLookEvery; ++i, ++steps) {
      goes_on = search.step();
    }
    done = kicks + static_cast<std::int64_t>(each * static_cast<double>(steps));
  }
  items = search.best();
  return done;
}

std::int64_t run_unweighted(const DecisionGraph& graph, std::vector<Index>& items, StreamKey key,
                            const KickBudget& spent) {
  FirstPart first(graph, spent);
  const std::int64_t kicks = run_kicks<false>(graph, items, key, std::ref(first));
  return first.more() ? search_covers(graph, items, key, kicks, spent) : kicks;
}

class SetKickSearch final : public KickSearch {
 public:
  explicit SetKickSearch(const DecisionGraph& graph) : graph_(graph) {}

  std::int64_t run(std::vector<Index>& items, StreamKey key, const KickBudget& spent) const override {
    return graph_.weights.empty() ? run_unweighted(graph_, items, key, spent)
                                  : run_kicks<true>(graph_, items, key, spent);
  }

 private:
  const DecisionGraph& graph_;
};

}  // namespace

std::unique_ptr<KickSearch> make_set_kicks(const DecisionGraph& graph) {
  return std::make_unique<SetKickSearch>(graph);
}

}  // namespace moco
