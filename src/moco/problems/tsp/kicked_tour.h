// A tour under kicks. A kick exchanges two short paths that follow each other (a double bridge on neighbouring cities),
// moves mend its surroundings, and all of it is taken back when the tour has become longer by more than a threshold.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "moco/core/random.h"
#include "moco/problems/tsp/fixed_edges.h"
#include "moco/problems/tsp/mended_tour.h"

namespace moco {

/// Moves are judged by lengths in which fixed edges are infinitely short.
template <typename Moves, typename Distance>
class KickedTour : public MendedTour<Moves, Distance> {
  using Mended = MendedTour<Moves, Distance>;

 public:
  template <typename MoveDistance>
  KickedTour(const TourNeighbours& neighbours, double least_gain, const Distance& distance,
             const MoveDistance& move_distance, FixedEdges fixed, std::vector<Index> order, StreamKey key)
      : Mended(neighbours, least_gain, distance, move_distance, std::move(order)),
        fixed_(fixed),
        random_(key, Purpose::kick) {}

  /// Of the edges that are not fixed.
  double mean_edge() const {
    double length = 0.0;
    int edges = 0;
    this->for_edges([&](Index a, Index b) {
      if (!fixed_.has(a, b)) {
        length += this->distance_(a, b);
        ++edges;
      }
    });
    return length / std::max(edges, 1);
  }
  RandomSequence& random() { return random_; }

  /// A kick; says whether the tour is another one now. `before_kick` tells what it was.
  bool kick(double temperature) {
    this->tour_.begin_journal();
    const EdgeExchange bridge = random_double_bridge();
    if (bridge.edges == 0) {
      return false;
    }
    const double before = this->length_;
    this->make(bridge);
    this->settle([] { return false; });
    const double threshold = temperature > 0.0 ? -temperature * std::log(1.0 - random_.next_double()) : 0.0;
    if (this->length_ - before > threshold) {
      this->take_back(before);
      return false;
    }
    return true;
  }
  std::vector<Index> before_kick() const { return this->tour_.before_journal(); }

  /// Many kicks at once, without taking any back, and a local search of their surroundings.
  template <typename Stop>
  void scramble(int kicks, const Stop& stop) {
    for (int i = 0; i < kicks; ++i) {
      this->tour_.begin_journal();
      this->make(random_double_bridge());
    }
    this->tour_.begin_journal();
    this->settle(stop);
  }

 private:
  static constexpr int kLongestPath = 50;  // cities of a path that a kick moves

  /// No edges when one of them is fixed.
  EdgeExchange random_double_bridge() {
    const int n = this->n_;
    const auto& distance = this->distance_;
    const auto longest = static_cast<std::uint32_t>(std::min(kLongestPath, (n - 2) / 3));
    const auto x = static_cast<Index>(random_.next_below(static_cast<std::uint32_t>(n)));
    const int first = 1 + static_cast<int>(random_.next_below(longest));
    const int second = 1 + static_cast<int>(random_.next_below(longest));
    const auto along = [&](int steps) { return this->tour_.along(x, steps, true); };
    const Index y = along(1), a = along(first), b = along(first + 1), u = along(first + second);
    const Index v = along(first + second + 1);
    if (fixed_.has(x, y) || fixed_.has(a, b) || fixed_.has(u, v)) {
      return {};
    }
    const double gain =
        distance(x, y) + distance(a, b) + distance(u, v) - distance(x, b) - distance(u, y) - distance(a, v);
    return {gain, 3, {x, y, u, v, a, b}};
  }

  FixedEdges fixed_;
  RandomSequence random_;
};

}  // namespace moco
