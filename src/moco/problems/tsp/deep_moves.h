// Sequential exchanges of edges at a city, after Lin and Kernighan (1973) and Helsgaun (2000), for symmetric distances
// on the CPU: {t1, t2} goes, {t2, t3} comes, {t3, t4} goes, and so on; a last edge comes back to t1. A depth-first
// search over candidate neighbours t3, t5, … goes on while the edges that went are longer than those that came; both
// neighbours of t3 on the tour are tried for t4. Only where the closed exchange would gain does it ask whether the
// result is one tour (ArrayTour::is_tour), so steps over pairs of cycles are among those tried, and nothing is made
// before it is chosen.
#pragma once

#include <algorithm>
#include <array>

#include "moco/problems/tsp/array_tour.h"
#include "moco/problems/tsp/tour_moves.h"

namespace moco {

template <typename Distance>
class DeepMoves {
 public:
  /// `first` takes the first exchange that gains, otherwise the best one over the first t3 that has any. A gain counts
  /// above `least_gain`.
  DeepMoves(const ArrayTour& tour, const Distance& distance, const TourNeighbours& neighbours, bool first,
            double least_gain)
      : tour_(tour), distance_(distance), neighbours_(neighbours), first_(first), least_gain_(least_gain) {}

  /// An exchange at a city; no edges when there is none.
  EdgeExchange find(Index city) {
    best_ = {};
    best_.gain = least_gain_;
    for (const bool forward : {true, false}) {
      const Index other = forward ? tour_.next(city) : tour_.previous(city);
      trial_.ends[0] = city;
      trial_.ends[1] = other;
      extend(1, distance_(city, other));
      if (best_.edges > 0) {
        break;
      }
    }
    return best_;
  }

 private:
  /// Neighbours tried for t3, t5, …: with one, the search goes on as a chain.
  static constexpr std::array<int, 6> kBreadths = {8, 5, 3, 2, 1, 1};

  /// Goes on from the last end, with so many edges removed; true when the search is over.
  bool extend(int removed, double gain) {
    const Index last = trial_.ends[at(2 * removed - 1)];
    const long long row = static_cast<long long>(last) * neighbours_.degree;
    const int breadth = std::min(kBreadths[at(removed - 1)], neighbours_.degree);
    const Index before = tour_.previous(last);
    const Index behind = tour_.next(last);
    for (int rank = 0; rank < breadth; ++rank) {
      const double opened = gain - neighbours_.length[row + rank];
      if (opened <= least_gain_) {
        break;
      }
      const Index near = neighbours_.targets[row + rank];
      if (near == before || near == behind) {
        continue;
      }
      trial_.ends[at(2 * removed)] = near;
      for (const Index end : {tour_.next(near), tour_.previous(near)}) {
        if (!has_removed(near, end, removed) && go_on(removed, opened, near, end)) {
          return true;
        }
      }
      if (removed == 1 && best_.edges > 0) {
        return true;
      }
    }
    return false;
  }

  /// Removes {near, end} too.
  bool go_on(int removed, double opened, Index near, Index end) {
    trial_.ends[at(2 * removed + 1)] = end;
    const double total = opened + distance_(near, end);
    const double closed = total - distance_(end, trial_.ends[0]);
    if (closed > best_.gain) {
      trial_.edges = removed + 1;
      if (tour_.is_tour(trial_)) {
        best_ = trial_;
        best_.gain = closed;
        if (first_) {
          return true;
        }
      }
    }
    return removed < static_cast<int>(kBreadths.size()) && extend(removed + 1, total);
  }

  bool has_removed(Index a, Index b, int removed) const {
    for (int i = 0; i < 2 * removed; i += 2) {
      const Index one = trial_.ends[at(i)];
      const Index other = trial_.ends[at(i + 1)];
      if ((one == a && other == b) || (one == b && other == a)) {
        return true;
      }
    }
    return false;
  }

  static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  const ArrayTour& tour_;
  const Distance& distance_;
  TourNeighbours neighbours_;
  bool first_;
  double least_gain_;
  EdgeExchange trial_;
  EdgeExchange best_;
};

}  // namespace moco
