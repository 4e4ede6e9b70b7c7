// A tour under kicks. A kick exchanges two short paths that follow each other (a double bridge on neighbouring cities),
// moves mend its surroundings, and all of it is taken back when the tour has become longer by more than a threshold.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "moco/core/random.h"
#include "moco/core/work_queue.h"
#include "moco/problems/tsp/array_tour.h"
#include "moco/problems/tsp/fixed_edges.h"

namespace moco {

/// `Moves` finds exchanges at a city (three_opt.h, directed_moves.h), judged by lengths in which fixed edges are
/// infinitely short.
template <typename Moves, typename Distance>
class KickedTour {
 public:
  template <typename MoveDistance>
  KickedTour(const TourNeighbours& neighbours, double least_gain, const Distance& distance,
             const MoveDistance& move_distance, FixedEdges fixed, std::vector<Index> order, StreamKey key)
      : n_(static_cast<int>(order.size())),
        distance_(distance),
        fixed_(fixed),
        order_(std::move(order)),
        ring_(order_.size()),
        queued_(order_.size()),
        tour_(order_),
        moves_(tour_, move_distance, neighbours, least_gain),
        queue_(SerialTeam(), n_, ring_.data(), queued_.data()),
        random_(key, Purpose::kick) {
    measure();
  }
  KickedTour(const KickedTour&) = delete;
  KickedTour& operator=(const KickedTour&) = delete;

  const std::vector<Index>& order() const { return order_; }
  double length() const { return length_; }
  void assign(std::vector<Index> order) {
    order_ = std::move(order);
    tour_ = ArrayTour(order_);
    measure();
  }
  /// Adds the length up anew, without the rounding of what changed it.
  void measure() {
    length_ = 0.0;
    for_edges([&](Index a, Index b) { length_ += distance_(a, b); });
  }
  /// Of the edges that are not fixed.
  double mean_edge() const {
    double length = 0.0;
    int edges = 0;
    for_edges([&](Index a, Index b) {
      if (!fixed_.has(a, b)) {
        length += distance_(a, b);
        ++edges;
      }
    });
    return length / std::max(edges, 1);
  }
  RandomSequence& random() { return random_; }

  /// Local search at all cities.
  template <typename Stop>
  void settle_everywhere(const Stop& stop) {
    const std::vector<int> all(order_);
    queue_.fill(all.data(), n_);
    settle(stop);
  }

  /// A kick; says whether the tour is another one now. `before_kick` tells what it was.
  bool kick(double temperature) {
    tour_.begin_journal();
    const EdgeExchange bridge = random_double_bridge();
    if (bridge.edges == 0) {
      return false;
    }
    const double before = length_;
    make(bridge);
    settle([] { return false; });
    const double threshold = temperature > 0.0 ? -temperature * std::log(1.0 - random_.next_double()) : 0.0;
    if (length_ - before > threshold) {
      tour_.take_back();
      length_ = before;
      return false;
    }
    return true;
  }
  std::vector<Index> before_kick() const { return tour_.before_journal(); }

  /// Many kicks at once, without taking any back, and a local search of their surroundings.
  template <typename Stop>
  void scramble(int kicks, const Stop& stop) {
    for (int i = 0; i < kicks; ++i) {
      tour_.begin_journal();
      make(random_double_bridge());
    }
    tour_.begin_journal();
    settle(stop);
  }

 private:
  static constexpr int kLongestPath = 50;  // cities of a path that a kick moves

  template <typename Body>
  void for_edges(const Body& body) const {
    for (std::size_t i = 0; i < order_.size(); ++i) {
      body(order_[i], order_[i + 1 == order_.size() ? 0 : i + 1]);
    }
  }

  /// Makes moves at the waiting cities until none is left.
  template <typename Stop>
  void settle(const Stop& stop) {
    while (!queue_.empty() && !stop()) {
      const Index city = queue_.pop();
      for (EdgeExchange move = moves_.find(city); move.edges > 0 && !stop(); move = moves_.find(city)) {
        make(move);
      }
    }
  }

  void make(const EdgeExchange& exchange) {
    tour_.make(exchange);
    length_ -= exchange.gain;
    for (const Index city : exchange.touched()) {
      queue_.push(city);
    }
  }

  /// No edges when one of them is fixed.
  EdgeExchange random_double_bridge() {
    const auto longest = static_cast<std::uint32_t>(std::min(kLongestPath, (n_ - 2) / 3));
    const auto x = static_cast<Index>(random_.next_below(static_cast<std::uint32_t>(n_)));
    const int first = 1 + static_cast<int>(random_.next_below(longest));
    const int second = 1 + static_cast<int>(random_.next_below(longest));
    const auto along = [&](int steps) { return tour_.along(x, steps, true); };
    const Index y = along(1), a = along(first), b = along(first + 1), u = along(first + second);
    const Index v = along(first + second + 1);
    if (fixed_.has(x, y) || fixed_.has(a, b) || fixed_.has(u, v)) {
      return {};
    }
    const double gain =
        distance_(x, y) + distance_(a, b) + distance_(u, v) - distance_(x, b) - distance_(u, y) - distance_(a, v);
    return {gain, 3, {x, y, u, v, a, b}};
  }

  int n_;
  const Distance& distance_;
  FixedEdges fixed_;
  std::vector<Index> order_;
  std::vector<int> ring_;
  std::vector<unsigned char> queued_;
  ArrayTour tour_;
  Moves moves_;
  WorkQueue<SerialTeam> queue_;
  RandomSequence random_;
  double length_ = 0.0;
};

}  // namespace moco
