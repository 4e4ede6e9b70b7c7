// What mends a kick where distances are asymmetric: exchanges at a city that reverse no path, found without making
// them. Symmetric distances have three_opt.h.
#pragma once

#include "moco/problems/tsp/array_tour.h"
#include "moco/problems/tsp/tour_moves.h"

namespace moco {

/// Paths change places.
template <typename Distance>
class DirectedMoves {
 public:
  DirectedMoves(ArrayTour& tour, const Distance& distance, const TourNeighbours& neighbours, double)
      : distance_{distance}, moves_(tour, distance_, neighbours, false, kOrOpt | kOrThreeOpt) {}

  EdgeExchange find(Index city) {
    moves_.visit(city);
    const TeamChoice choice =
        choose(SerialTeam(), moves_.count(), true, [&](int number) { return moves_.move(number).gain; });
    if (choice.number < 0) {
      return {};
    }
    const TourMove move = moves_.move(choice.number);
    return {move.gain, 3, {move.p, move.a, move.c, move.d, move.e, move.q}};
  }

 private:
  struct FloatDistance {
    Distance distance;
    float operator()(Index a, Index b) const { return static_cast<float>(distance(a, b)); }
  };

  FloatDistance distance_;
  TourMoves<SerialTeam, FloatDistance, ArrayTour> moves_;
};

}  // namespace moco
