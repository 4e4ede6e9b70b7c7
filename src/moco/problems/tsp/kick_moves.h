// What a kick is mended by: moves at a city, found without making them and made on the tour. Symmetric distances have
// sequential 3-opt moves, asymmetric ones the moves that keep the direction of every path.
#pragma once

#include "moco/problems/tsp/three_opt.h"
#include "moco/problems/tsp/tour_moves.h"

namespace moco {

/// Moves for symmetric distances.
template <typename Distance>
class SymmetricMoves {
 public:
  SymmetricMoves(Tour<SerialTeam>& tour, const Distance& distance, const TourNeighbours& neighbours, double least_gain)
      : tour_(tour), moves_(tour, distance, neighbours, kBreadth, kSecondBreadth, least_gain) {}

  ExchangeMove find(int city) { return moves_.find(city); }
  void make(const ExchangeMove& move) {
    for (const EdgeExchange& step : move.steps()) {
      tour_.exchange(step.x, step.y, step.u, step.v);
    }
  }
  /// Which way the tour is read does not matter.
  void restore_direction(int, int) {}

 private:
  static constexpr int kBreadth = 8;
  static constexpr int kSecondBreadth = 5;

  Tour<SerialTeam>& tour_;
  ThreeOpt<Distance> moves_;
};

/// Moves for asymmetric distances: paths change places, none is reversed.
template <typename Distance>
class DirectedMoves {
 public:
  DirectedMoves(Tour<SerialTeam>& tour, const Distance& distance, const TourNeighbours& neighbours, double)
      : tour_(tour), distance_{distance}, moves_(tour, distance_, neighbours, false, kOrOpt | kOrThreeOpt) {}

  ExchangeMove find(int city) {
    moves_.visit(city);
    const TeamChoice choice =
        choose(SerialTeam(), moves_.count(), true, [&](int number) { return moves_.move(number).gain; });
    if (choice.number < 0) {
      return {};
    }
    const TourMove move = moves_.move(choice.number);
    return {move.gain,
            3,
            exchange_paths(move.p, move.a, move.e, move.q, move.c, move.d),
            6,
            {move.p, move.a, move.c, move.d, move.e, move.q}};
  }
  void make(const ExchangeMove& move) {
    const bool forward = tour_.next(move.cities[0]) == move.cities[1];
    for (const EdgeExchange& step : move.steps()) {
      tour_.exchange(step.x, step.y, step.u, step.v);
    }
    // p is followed by q afterwards, in the direction in which it was followed by a.
    restore_direction(forward ? move.cities[0] : move.cities[5], forward ? move.cities[5] : move.cities[0]);
  }
  void restore_direction(int city, int next) {
    if (tour_.next(city) != next) {
      tour_.flip();
    }
  }

 private:
  struct FloatDistance {
    Distance distance;
    float operator()(Index a, Index b) const { return static_cast<float>(distance(a, b)); }
  };

  Tour<SerialTeam>& tour_;
  FloatDistance distance_;
  TourMoves<SerialTeam, FloatDistance> moves_;
};

}  // namespace moco
