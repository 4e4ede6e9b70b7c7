// Local search on a tour: cities wait in a queue, each makes its moves until none gains anything, and the ends of the
// edges that a move changed are looked at again. One definition for all engines.
#pragma once

#include "moco/core/work_queue.h"
#include "moco/problems/tsp/tour_moves.h"

namespace moco {

/// Memory of a search on n cities.
struct TourWorkspace {
  int* order = nullptr;             ///< [n] the tour, changed in place
  int* position = nullptr;          ///< [n]
  int* queue = nullptr;             ///< [n]
  unsigned char* queued = nullptr;  ///< [n]
};

struct TourSearchLimits {
  unsigned kinds = 0;  ///< of moves
  bool first = true;   ///< take the first move that gains, not the best one
  int moves = 0;       ///< at most; 0: no limit
};

/// Leaves the improved tour, beginning at `start`, in `queue`; returns the number of moves made. `stop` is asked before
/// every city.
template <typename Team, typename Distance, typename Stop>
MOCO_TEAM_CODE int search_tour(const Team& team, int n, int start, const Distance& distance,
                               const TourNeighbours& neighbours, bool symmetric, const TourSearchLimits& limits,
                               const TourWorkspace& work, const Stop& stop) {
  Tour<Team> tour(team, n, work.order, work.position);
  int made = 0;
  if (n > 3) {  // fewer cities have one tour
    TourMoves<Team, Distance> moves(tour, distance, neighbours, symmetric, limits.kinds);
    WorkQueue<Team> queue(team, n, work.queue, work.queued);
    queue.fill(work.order, n);
    const auto exhausted = [&] { return limits.moves > 0 && made >= limits.moves; };
    while (!queue.empty() && !exhausted() && !stop()) {
      const int city = queue.pop();
      while (!exhausted()) {
        moves.visit(city);
        const Choice choice =
            choose(team, moves.count(), limits.first, [&](int number) { return moves.move(number).gain; });
        if (choice.number < 0) {
          break;
        }
        const TourMove move = moves.move(choice.number);
        moves.make(move);
        ++made;
        queue.push(move.p);
        queue.push(move.c);
        queue.push(move.d);
        if (move.shape != TourMove::two_opt) {
          queue.push(move.e);
          queue.push(move.q);
        }
      }
    }
  }
  team.sync();
  for (int i = team.lane(); i < n; i += Team::width) {
    work.queue[i] = tour.along(start, i, true);
  }
  team.sync();
  return made;
}

}  // namespace moco
