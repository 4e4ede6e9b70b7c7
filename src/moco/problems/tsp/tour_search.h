// Local search on a tour: cities wait in a queue, each makes its moves until none gains anything, and the ends of the
// edges that a move changed are looked at again. A change can also open a move that begins farther away, so all cities
// are looked at once more until a whole round finds nothing: then no move of the kinds asked for is left. One
// definition for all engines.
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

/// Has the cities whose edges a move changed looked at again; the city that made it is at work already.
template <typename Team>
MOCO_TEAM_CODE void push_ends(WorkQueue<Team>& queue, const TourMove& move) {
  queue.push(move.p);
  queue.push(move.c);
  queue.push(move.d);
  if (move.shape != TourMove::two_opt) {
    queue.push(move.e);
    queue.push(move.q);
  }
}

/// Takes cities without a move from the head of the queue, a city per lane: what looking at them one by one would do,
/// because the tour stays as it is meanwhile. Only where moves are so few that a lane tries a city's soon.
template <typename Team, typename Distance>
MOCO_TEAM_CODE void skip_idle(const Team& team, const TourMoves<Team, Distance>& moves, WorkQueue<Team>& queue) {
  if (Team::width == 1 || !moves.only_two_opt()) {
    return;
  }
  for (bool all_idle = true; all_idle && !queue.empty();) {
    const int waiting = queue.size() < Team::width ? queue.size() : Team::width;
    const int idle = team.run(team.lane() < waiting && !moves.has_two_opt(queue.at(team.lane())));
    queue.drop(idle);
    all_idle = idle == waiting;
  }
}

/// Leaves the improved tour, beginning at `start`, in `queue`; returns the number of moves made. `stop` is asked before
/// every move.
template <typename Team, typename Distance, typename Stop>
MOCO_TEAM_CODE int search_tour(const Team& team, int n, int start, const Distance& distance,
                               const TourNeighbours& neighbours, bool symmetric, const TourSearchLimits& limits,
                               const TourWorkspace& work, const Stop& stop) {
  Tour<Team> tour(team, n, work.order, work.position);
  int made = 0;
  if (n > 3) {  // fewer cities have one tour
    TourMoves<Team, Distance> moves(tour, distance, neighbours, symmetric, limits.kinds);
    WorkQueue<Team> queue(team, n, work.queue, work.queued);
    const auto ended = [&] { return (limits.moves > 0 && made >= limits.moves) || stop(); };
    int made_before = -1;
    while (made > made_before && !ended()) {
      made_before = made;
      queue.fill(work.order, n);
      while (!queue.empty() && !ended()) {
        skip_idle(team, moves, queue);
        if (queue.empty()) {
          break;
        }
        const int city = queue.pop();
        for (bool moved = true; moved && !ended();) {
          moves.visit(city);
          const TeamChoice choice =
              choose(team, moves.count(), limits.first, [&](int number) { return moves.move(number).gain; });
          moved = choice.number >= 0;
          if (moved) {
            const TourMove move = moves.move(choice.number);
            moves.make(move);
            ++made;
            push_ends(queue, move);
          }
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
