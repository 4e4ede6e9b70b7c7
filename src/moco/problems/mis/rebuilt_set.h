// An independent set of which a neighbourhood is chosen anew under θ.
//
// The neighbourhood is a random node and those nearest to it by edges, so many of them; its members leave the set. Then
// nodes enter as in a whole sample (mis_construction.h), each drawn by softmax(θ) from those that are free by then,
// until the set is maximal again. Which nodes those are, and in what order, depends on the set and the draw alone: the
// order of SetState's array, in which the past shows, decides nothing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "moco/core/numeric.h"
#include "moco/policy/partial_construction.h"
#include "moco/policy/solution_identity.h"
#include "moco/problems/mis/set_mending.h"

namespace moco {

template <bool Weighted>
class RebuiltSet final : public WorkingCopy {
 public:
  /// Neighbourhoods of `most` nodes. Begins with the empty set.
  RebuiltSet(const DecisionGraph& graph, Index most)
      : graph_(graph),
        most_(most),
        state_(graph, {}),
        left_at_(at(graph.nodes), kClosed),
        member_(at(graph.nodes), 0) {}

  void assign(std::span<const Index> items) override {
    for (const Index node : items) {
      member_[at(node)] = 1;
    }
    for (const Index node : std::vector<Index>(state_.set().begin(), state_.set().end())) {
      if (member_[at(node)] == 0) {
        state_.remove(node);
      }
    }
    identity_ = 0;
    for (const Index node : items) {
      member_[at(node)] = 0;
      identity_ += variable_hash(node);
      if (!state_.in_set(node)) {
        state_.insert(node);
      }
    }
    state_.let_nobody_wait();
  }

  void mend(const std::function<bool()>& stop) override {
    state_.clear_journal();
    state_.let_all_wait();
    mending_.settle(stop, [this] { return *std::ranges::min_element(state_.free()); });
    state_.let_nobody_wait();
    follow_journal();
  }

  PartialSample sample(const float* theta, const Draw& draw, ChoiceRecord& choices) override {
    state_.clear_journal();
    choices.clear();
    identity_before_ = identity_;
    free_neighbourhood(draw);
    const auto key = [&](Index node) {
      const auto number = static_cast<std::uint32_t>(node);
      const Philox4 noise = philox(number / 4, static_cast<std::uint32_t>(draw.sample), draw.step,
                                   static_cast<std::uint32_t>(Purpose::rebuild), draw.stream);
      return theta[node] + gumbel(noise.v[number % 4]);
    };
    choose(key, choices);
    const double chosen = cost();
    mending_.settle([] { return false; },
                    [&] {
                      Index best = -1;
                      float best_key = 0.0f;
                      for (const Index node : state_.free()) {
                        const float own = key(node);
                        if (best < 0 || own > best_key || (own == best_key && node < best)) {
                          best = node;
                          best_key = own;
                        }
                      }
                      return best;
                    });
    follow_journal();
    return {chosen, cost(), identity_};
  }

  void take_back() override {
    state_.take_back();
    identity_ = identity_before_;
  }

  double cost() const override { return 0.0 - state_.weight(); }
  std::uint64_t identity() const override { return identity_; }
  std::vector<Index> items() const override {
    std::vector<Index> nodes(state_.set().begin(), state_.set().end());
    std::ranges::sort(nodes);
    return nodes;
  }

 private:
  static constexpr Index kClosed = -2;  // left_at_: no candidate
  static constexpr Index kOpen = -1;    // a candidate so far

  static std::size_t at(Index index) { return static_cast<std::size_t>(index); }

  /// What entered and left is known to the journal.
  void follow_journal() {
    for (const auto& [node, entered] : state_.journal()) {
      identity_ += entered ? variable_hash(node) : 0 - variable_hash(node);
    }
  }

  /// The members of a random neighbourhood leave. Each row is looked through from a random place on, so that no
  /// neighbours are preferred.
  void free_neighbourhood(const Draw& draw) {
    std::uint32_t draws = 0;
    const auto below = [&](std::size_t bound) {
      const Philox4 bits = philox(draws++, static_cast<std::uint32_t>(draw.sample), draw.step,
                                  static_cast<std::uint32_t>(Purpose::place), draw.stream);
      return static_cast<std::size_t>((std::uint64_t{bits.v[0]} * bound) >> 32);
    };
    const auto take = [this](Index node) {
      if (neighbourhood_.size() < at(most_) && member_[at(node)] == 0) {
        member_[at(node)] = 1;
        neighbourhood_.push_back(node);
      }
    };
    neighbourhood_.clear();
    take(static_cast<Index>(below(at(graph_.nodes))));
    for (std::size_t next = 0; next < neighbourhood_.size() && neighbourhood_.size() < at(most_); ++next) {
      const std::span<const Index> row = state_.neighbours(neighbourhood_[next]);
      const std::size_t begin = row.empty() ? 0 : below(row.size());
      for (std::size_t i = 0; i < row.size() && neighbourhood_.size() < at(most_); ++i) {
        take(row[begin + i < row.size() ? begin + i : begin + i - row.size()]);
      }
    }
    for (const Index node : neighbourhood_) {
      member_[at(node)] = 0;
      if (state_.in_set(node)) {
        state_.remove(node);
      }
    }
  }

  /// Free nodes enter in the order of their keys, which is that of step-wise softmax(θ).
  template <typename Key>
  void choose(const Key& key, ChoiceRecord& choices) {
    candidates_.clear();
    for (const Index node : state_.free()) {
      candidates_.push_back({key(node), node});
      left_at_[at(node)] = kOpen;
    }
    std::ranges::sort(candidates_, [](const Candidate& a, const Candidate& b) {
      return a.key > b.key || (a.key == b.key && a.node < b.node);
    });
    for (const auto& [own, node] : candidates_) {
      if (left_at_[at(node)] != kOpen) {
        continue;
      }
      const auto step = static_cast<Index>(choices.made.size());
      const double weight = Weighted ? graph_.weights[at(node)] : 1.0;
      choices.made.push_back({node, 0, candidates_.size(), -weight});
      state_.insert(node);
      left_at_[at(node)] = step;
      for (const Index other : state_.neighbours(node)) {
        if (left_at_[at(other)] == kOpen) {
          left_at_[at(other)] = step;
        }
      }
    }
    // Open to a choice are the nodes that leave at it or later: those who leave first come first.
    std::ranges::stable_sort(candidates_, {}, [this](const Candidate& c) { return left_at_[at(c.node)]; });
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      const Index node = candidates_[i].node;
      if (i == 0 || left_at_[at(candidates_[i - 1].node)] != left_at_[at(node)]) {
        choices.made[at(left_at_[at(node)])].first = i;
      }
      choices.open.push_back(node);
    }
    for (const Candidate& candidate : candidates_) {
      left_at_[at(candidate.node)] = kClosed;
    }
  }

  struct Candidate {
    float key = 0.0f;
    Index node = 0;
  };

  const DecisionGraph& graph_;
  Index most_;
  SetState<Weighted> state_;
  SetMending<Weighted> mending_{state_};
  std::vector<Index> left_at_;         ///< [n] choice at which a candidate leaves
  std::vector<unsigned char> member_;  ///< [n] scratch: part of a list at hand
  std::vector<Index> neighbourhood_;
  std::vector<Candidate> candidates_;
  std::uint64_t identity_ = 0;
  std::uint64_t identity_before_ = 0;
};

}  // namespace moco
