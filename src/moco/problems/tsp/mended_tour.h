// A tour under changes that a local search mends: exchanges are made on it, the ends of their edges wait in a queue,
// and moves are made at the waiting cities until none is left. Everything since the journal began can be taken back.
#pragma once

#include <algorithm>
#include <vector>

#include "moco/core/work_queue.h"
#include "moco/problems/tsp/array_tour.h"
#include "moco/problems/tsp/tour_moves.h"
#include "moco/problems/tsp/tour_walk.h"

namespace moco {

/// `Moves` finds exchanges at a city (three_opt.h, directed_moves.h).
template <typename Moves, typename Distance>
class MendedTour {
 public:
  template <typename MoveDistance>
  MendedTour(const TourNeighbours& neighbours, double least_gain, const Distance& distance,
             const MoveDistance& move_distance, std::vector<Index> order)
      : n_(static_cast<int>(order.size())),
        distance_(distance),
        order_(std::move(order)),
        ring_(order_.size()),
        queued_(order_.size()),
        tour_(order_),
        moves_(tour_, move_distance, neighbours, least_gain),
        queue_(SerialTeam(), n_, ring_.data(), queued_.data()) {
    measure();
  }
  MendedTour(const MendedTour&) = delete;
  MendedTour& operator=(const MendedTour&) = delete;

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

  /// Local search at all cities.
  template <typename Stop>
  void settle_everywhere(const Stop& stop) {
    const std::vector<int> all(order_);
    queue_.fill(all.data(), n_);
    settle(stop);
  }

 protected:
  template <typename Body>
  void for_edges(const Body& body) const {
    for (std::size_t i = 0; order_.size() > 1 && i < order_.size(); ++i) {
      body(order_[i], order_[i + 1 == order_.size() ? 0 : i + 1]);
    }
  }

  /// Makes moves at the waiting cities until none is left.
  template <typename Stop>
  void settle(const Stop& stop) {
    settle(stop, [this](const EdgeExchange& move) { make(move); });
  }
  /// The same, where `make_move` makes them.
  template <typename Stop, typename MakeMove>
  void settle(const Stop& stop, const MakeMove& make_move) {
    settle_tour(queue_, moves_, stop, make_move);
  }

  void make(const EdgeExchange& exchange) {
    tour_.make(exchange);
    length_ -= exchange.gain;
    for (const Index city : exchange.touched()) {
      queue_.push(city);
    }
  }

  /// Undoes what was made since the journal began, when the tour had this length.
  void take_back(double length) {
    tour_.take_back();
    length_ = length;
  }

  int n_;
  const Distance& distance_;
  std::vector<Index> order_;
  std::vector<int> ring_;
  std::vector<unsigned char> queued_;
  ArrayTour tour_;
  Moves moves_;
  WorkQueue<SerialTeam> queue_;
  double length_ = 0.0;
};

}  // namespace moco
