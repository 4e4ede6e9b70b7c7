// A tour of which a walk of a few cities is chosen anew under θ, as in focused ant colonies (Skinderowicz 2022).
//
// The walk begins at a random city. From the city at hand it goes to one of its candidate neighbours that it has not
// been to yet, chosen by softmax(θ) over these. If that is where the tour goes, nothing changes; otherwise the tour is
// made to go there at once, so that it always is one: the city is moved there, or the path up to it reversed, whichever
// leaves the shorter tour. Where the first step follows the tour backwards, so does the rest of the walk. The walk so
// far is a path of the tour whose far end is the city at hand, so every candidate left can be brought there.
// Asymmetric distances keep every path's direction: cities are moved only.
//
// Fixed edges are followed as soon as the walk comes to one, and a city between two of them is never gone to otherwise;
// what begins a path of them is moved together with the path. The walk begins at the beginning of such a path, so that
// none leads back to it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "moco/policy/gumbel.h"
#include "moco/policy/partial_construction.h"
#include "moco/policy/solution_identity.h"
#include "moco/problems/decision_graph.h"
#include "moco/problems/tsp/fixed_edges.h"
#include "moco/problems/tsp/mended_tour.h"

namespace moco {

template <typename Moves, typename Distance>
class RebuiltTour : public WorkingCopy, private MendedTour<Moves, Distance> {
  using Mended = MendedTour<Moves, Distance>;

 public:
  /// Walks of `most` choices. Moves are judged by lengths in which fixed edges are infinitely short. Begins with the
  /// cities in the order of their numbers.
  template <typename MoveDistance>
  RebuiltTour(const DecisionGraph& graph, const Distance& distance, const MoveDistance& move_distance, FixedEdges fixed,
              double least_gain, Index most)
      : Mended({graph.targets.data(), graph.length.data(), graph.degree}, least_gain, distance, move_distance,
               numbers(graph.nodes)),
        graph_(graph),
        fixed_(fixed),
        most_(most),
        seen_(static_cast<std::size_t>(graph.nodes), 0),
        identity_(whole_identity()) {}

  void assign(std::span<const Index> items) override {
    Mended::assign({items.begin(), items.end()});
    identity_ = whole_identity();
  }

  void mend(const std::function<bool()>& stop) override {
    if (this->n_ >= kFewestCities) {
      for (double before = INFINITY; this->length_ < before && !stop();) {  // until a round over all cities finds none
        before = this->length_;
        this->settle_everywhere(stop);
      }
      drain();
    }
    assign(std::vector<Index>(this->order()));
  }

  PartialSample sample(const float* theta, const Draw& draw, ChoiceRecord& choices) override {
    this->tour_.begin_journal();
    length_before_ = this->length_;
    identity_before_ = identity_;
    choices.clear();
    if (this->n_ >= kFewestCities) {
      walk(theta, draw, choices);
    }
    const double chosen = this->length_;
    this->settle([] { return false; }, [this](const EdgeExchange& move) { change(move); });
    return {chosen, this->length_, identity_};
  }

  void take_back() override {
    Mended::take_back(length_before_);
    identity_ = identity_before_;
  }

  double cost() const override { return this->length_; }
  std::uint64_t identity() const override { return identity_; }
  std::vector<Index> items() const override { return this->order(); }

  static constexpr int kFewestCities = 5;  ///< of a tour that samples change

 private:
  static std::size_t at(Index index) { return static_cast<std::size_t>(index); }
  static std::vector<Index> numbers(Index n) {
    std::vector<Index> all(at(n));
    std::iota(all.begin(), all.end(), Index{0});
    return all;
  }

  void walk(const float* theta, const Draw& draw, ChoiceRecord& choices) {
    const std::size_t k = at(graph_.degree);
    const std::size_t blocks = (k + 3) / 4;  // of a step
    const auto sample = static_cast<std::uint32_t>(draw.sample);
    const std::size_t steps = at(std::min(most_, this->n_ - 1));
    noise_.resize(steps * blocks * 4);
    fill_gumbel(draw.stream, draw.step, sample, steps * blocks, noise_.data(), Purpose::rebuild);
    const Philox4 place = philox(0, sample, draw.step, static_cast<std::uint32_t>(Purpose::place), draw.stream);
    const auto drawn = static_cast<Index>((std::uint64_t{place.v[0]} * static_cast<std::uint64_t>(this->n_)) >> 32);
    Index here = drawn;
    while (fixed_.has(this->tour_.previous(here), here)) {
      here = this->tour_.previous(here);
      if (here == drawn) {
        return;  // all edges are fixed
      }
    }
    if (++walks_ == 0) {  // the counter came round
      std::ranges::fill(seen_, 0u);
      walks_ = 1;
    }
    seen_[at(here)] = walks_;
    bool forward = true;
    const Index start = here;
    for (std::size_t t = 0; t < steps; ++t) {
      while (fixed_.has(here, ahead(here, forward)) && !has_seen(ahead(here, forward))) {
        here = ahead(here, forward);
        seen_[at(here)] = walks_;
      }
      const std::size_t row = at(here) * k;
      const float* noise = noise_.data() + t * blocks * 4;
      const std::size_t first = choices.open.size();
      Index chosen = -1;
      float best = 0.0f;
      for (std::size_t r = 0; r < k; ++r) {
        const Index target = graph_.targets[row + r];
        if (has_seen(target) || !is_within_reach(target, here, forward)) {
          continue;
        }
        choices.open.push_back(static_cast<Index>(row + r));
        const float key = theta[row + r] + noise[r];
        if (chosen < 0 || key > best) {
          best = key;
          chosen = static_cast<Index>(row + r);
        }
      }
      if (chosen < 0) {
        return;  // the walk has been to all neighbours
      }
      const Index next = graph_.targets[at(chosen)];
      if (here == start && graph_.symmetric && next == this->tour_.previous(here)) {
        forward = false;
      }
      double cost = 0.0;
      if (next != ahead(here, forward)) {
        const EdgeExchange exchange = going_to(here, next, forward);
        change(exchange);
        forward = this->tour_.next(here) == next;  // the path that is shorter was reversed, this one or the others
        cost = -exchange.gain;
      }
      choices.made.push_back({chosen, first, choices.open.size(), cost});
      seen_[at(next)] = walks_;
      here = next;
    }
  }

  Index ahead(Index city, bool forward) const { return forward ? this->tour_.next(city) : this->tour_.previous(city); }

  bool has_seen(Index city) const { return seen_[at(city)] == walks_; }

  /// Whether the tour can be made to go to a city that the walk has not been to without removing a fixed edge.
  bool is_within_reach(Index city, Index here, bool forward) const {
    if (fixed_.none() || city == ahead(here, forward)) {
      return true;
    }
    const bool follows = fixed_.has(ahead(city, !forward), city);
    return !follows || (graph_.symmetric && !fixed_.has(city, ahead(city, forward)));
  }

  /// The exchange after which the tour goes from `here` to `next`, which lies ahead of it: the cheaper one of two.
  EdgeExchange going_to(Index here, Index next, bool forward) const {
    const auto& distance = this->distance_;
    const Index left = ahead(here, forward);
    const Index before = ahead(next, !forward);
    Index last = next;  // of the path that is moved
    while (fixed_.has(last, ahead(last, forward))) {
      last = ahead(last, forward);
    }
    const Index behind = ahead(last, forward);
    const double common = distance(here, left) + distance(last, behind) - distance(here, next);
    const double moved = common + distance(before, next) - distance(last, left) - distance(before, behind);
    if (graph_.symmetric && last == next) {
      const double reversed = common - distance(left, behind);
      if (reversed >= moved || fixed_.has(before, next)) {
        return {reversed, 2, {left, here, next, behind}};
      }
    }
    return {moved, 3, {here, left, last, behind, before, next}};
  }

  void change(const EdgeExchange& exchange) {
    const double length = this->length_;
    const Sum removed = sum_over(exchange, 0);
    this->make(exchange);
    const Sum added = sum_over(exchange, 1);
    identity_ += added.identity - removed.identity;
    if (!graph_.symmetric) {  // whose moves know their gains as floats
      this->length_ = length + added.length - removed.length;
    }
  }

  /// Of some edges of the tour.
  struct Sum {
    std::uint64_t identity = 0;
    double length = 0.0;  ///< of arcs; not where both directions are equally long
  };

  /// Over every second edge between the ends of an exchange: the removed ones begin at end 0, the added ones at 1.
  Sum sum_over(const EdgeExchange& exchange, std::size_t first) const {
    Sum sum;
    const std::size_t ends = exchange.touched().size();
    for (std::size_t i = first; i < ends; i += 2) {
      Index from = exchange.ends[i];
      Index to = exchange.ends[i + 1 == ends ? 0 : i + 1];
      if (!graph_.symmetric) {
        if (this->tour_.next(from) != to) {
          std::swap(from, to);
        }
        sum.length += this->distance_(from, to);
      }
      sum.identity += edge_identity(from, to);
    }
    return sum;
  }

  /// What an edge of the tour adds to its hash.
  std::uint64_t edge_identity(Index from, Index to) const {
    return graph_.reversible ? undirected_edge_hash(from, to) : variable_hash(edge_between(graph_, from, to));
  }
  std::uint64_t whole_identity() const {
    std::uint64_t sum = 0;
    const std::vector<Index>& order = this->order();
    for (std::size_t i = 0; i < order.size(); ++i) {
      sum += edge_identity(order[i], order[i + 1 == order.size() ? 0 : i + 1]);
    }
    return sum;
  }

  /// Nobody waits any more, also where the local search was told to end.
  void drain() {
    while (!this->queue_.empty()) {
      this->queue_.pop();
    }
  }

  const DecisionGraph& graph_;
  FixedEdges fixed_;
  Index most_;
  std::vector<std::uint32_t> seen_;  ///< [n] the last walk that came by
  std::uint32_t walks_ = 0;
  std::vector<float> noise_;
  std::uint64_t identity_;
  std::uint64_t identity_before_ = 0;
  double length_before_ = 0.0;
};

}  // namespace moco
