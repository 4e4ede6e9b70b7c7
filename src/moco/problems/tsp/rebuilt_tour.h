// Partial samples of tours on the CPU: a tour of which a walk of a few cities is chosen anew under θ (tour_walk.h),
// which moves mend, and which can be taken back.
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
#include "moco/problems/tsp/tour_walk.h"

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
    if (this->n_ >= kFewestCitiesToChange) {
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
    if (this->n_ >= kFewestCitiesToChange) {
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

 private:
  static std::size_t at(Index index) { return static_cast<std::size_t>(index); }
  static std::vector<Index> numbers(Index n) {
    std::vector<Index> all(at(n));
    std::iota(all.begin(), all.end(), Index{0});
    return all;
  }

  /// What walk_anew() asks of a tour.
  struct Walk {
    using Exchange = EdgeExchange;

    RebuiltTour& tour;
    const float* theta;
    ChoiceRecord& choices;
    std::size_t first = 0;  ///< of what was open to the choice at hand

    Index next(Index city) const { return tour.tour_.next(city); }
    Index previous(Index city) const { return tour.tour_.previous(city); }
    double distance(Index a, Index b) const { return tour.distance_(a, b); }
    bool symmetric() const { return tour.graph_.symmetric; }
    bool is_fixed(Index a, Index b) const { return tour.fixed_.has(a, b); }
    bool has_seen(Index city) const { return tour.seen_[at(city)] == tour.walks_; }
    void mark(Index city) const { tour.seen_[at(city)] = tour.walks_; }
    void begin_walk() const {
      if (++tour.walks_ == 0) {  // the counter came round
        std::ranges::fill(tour.seen_, 0u);
        tour.walks_ = 1;
      }
    }
    Index choose(int step, Index here, bool forward) {
      const std::size_t k = at(tour.graph_.degree);
      const std::size_t row = at(here) * k;
      const float* noise = tour.noise_.data() + at(step) * noise_per_step(k);
      first = choices.open.size();
      Index chosen = -1;
      float best = 0.0f;
      for (std::size_t r = 0; r < k; ++r) {
        const Index city = tour.graph_.targets[row + r];
        if (has_seen(city) || !tour.is_within_reach(city, here, forward)) {
          continue;
        }
        choices.open.push_back(static_cast<Index>(row + r));
        const float key = theta[row + r] + noise[r];
        if (chosen < 0 || key > best) {
          best = key;
          chosen = static_cast<Index>(row + r);
        }
      }
      return chosen;
    }
    Index target(Index variable) const { return tour.graph_.targets[at(variable)]; }
    void change(const EdgeExchange& exchange) const { tour.change(exchange); }
    void chosen(int, Index, Index variable, double cost) const {
      choices.made.push_back({variable, first, choices.open.size(), cost});
    }
  };

  /// Random numbers come in blocks of four.
  static std::size_t noise_per_step(std::size_t degree) { return (degree + 3) / 4 * 4; }

  void walk(const float* theta, const Draw& draw, ChoiceRecord& choices) {
    const auto sample = static_cast<std::uint32_t>(draw.sample);
    const int steps = std::min(most_, this->n_ - 1);
    noise_.resize(at(steps) * noise_per_step(at(graph_.degree)));
    fill_gumbel(draw.stream, draw.step, sample, noise_.size() / 4, noise_.data(), Purpose::rebuild);
    Walk walk{*this, theta, choices};
    walk_anew(walk, place_of_walk(draw.stream, draw.step, sample, this->n_), steps);
  }

  Index ahead(Index city, bool forward) const { return forward ? this->tour_.next(city) : this->tour_.previous(city); }

  /// Whether the tour can be made to go to a city that the walk has not been to without removing a fixed edge.
  bool is_within_reach(Index city, Index here, bool forward) const {
    if (fixed_.none() || city == ahead(here, forward)) {
      return true;
    }
    const bool follows = fixed_.has(ahead(city, !forward), city);
    return !follows || (graph_.symmetric && !fixed_.has(city, ahead(city, forward)));
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
