// Sequential exchanges of two or three edges at a city, judged by positions alone and made once. For symmetric
// distances. One definition for all engines: one lane looks at what may be tried one after the other and stops at the
// first t3 that has a move; the lanes of a wider team look at as many t3 at the same time, and the first one counts.
//
// With t2 ahead of t1, the edge {t1, t2} goes, {t2, t3} comes, {t3, t4} goes, and so on; the last edge comes back to
// t1. In the direction of the walk from t1 to t2:
//   t4 behind t3   {t4, t1} closes a 2-opt move. Going on from t4, t5 may lie anywhere; t6 is the neighbour of t5 that
//                  comes before it once the path t2 … t4 is reversed.
//   t4 ahead of t3 {t4, t1} would close two cycles. t5 lies on the path t2 … t3, and both its neighbours there will do:
//                  t6 ahead of t5 exchanges the paths t2 … t5 and t6 … t3 (nothing is reversed), t6 behind t5 reverses
//                  each of t2 … t6 and t5 … t3 where it stands.
#pragma once

#include <cstddef>
#include <type_traits>

#include "moco/problems/tsp/tour_arrays.h"
#include "moco/problems/tsp/tour_moves.h"

namespace moco {

class ArrayTour;

template <typename Distance, typename AnyTour = ArrayTour, typename Exchange = EdgeExchange>
class ThreeOpt {
 public:
  /// A gain counts above `least_gain`.
  MOCO_TEAM_CODE ThreeOpt(const AnyTour& tour, const Distance& distance, const TourNeighbours& neighbours,
                          double least_gain)
      : tour_(tour),
        distance_(distance),
        neighbours_(neighbours),
        breadth_(neighbours.degree < kBreadth ? neighbours.degree : kBreadth),
        second_breadth_(neighbours.degree < kSecondBreadth ? neighbours.degree : kSecondBreadth),
        least_gain_(least_gain) {}

  /// The best move over the first t3 that has one; no edges when there is none.
  MOCO_TEAM_CODE Exchange find(int city) const {
    const auto& team = tour_.team();
    if constexpr (std::remove_cvref_t<decltype(team)>::width == 1) {
      const Exchange move = find(city, true);
      return move.edges > 0 ? move : find(city, false);
    } else {
      return find_together(team, city);
    }
  }

 private:
  static constexpr int kBreadth = 8;        // neighbours tried for t3
  static constexpr int kSecondBreadth = 5;  // and for t5

  /// The way of thinking of a walk: what is ahead lies in its direction.
  MOCO_TEAM_CODE int ahead(int city, bool forward) const { return forward ? tour_.next(city) : tour_.previous(city); }
  MOCO_TEAM_CODE double length(int city, int rank) const { return neighbours_.length[row(city) + rank]; }
  MOCO_TEAM_CODE int target(int city, int rank) const { return neighbours_.targets[row(city) + rank]; }
  MOCO_TEAM_CODE long long row(int city) const { return static_cast<long long>(city) * neighbours_.degree; }

  MOCO_TEAM_CODE Exchange find(int t1, bool forward) const {
    Exchange best = nothing();
    const int t2 = ahead(t1, forward);
    const double first = distance_(t1, t2);
    for (int rank = 0; rank < breadth_ && best.edges == 0; ++rank) {
      const int t3 = target(t2, rank);
      const double gain = first - length(t2, rank);
      if (gain <= least_gain_) {
        break;
      }
      if (t3 == t1) {
        continue;
      }
      const int steps_to_t3 = tour_.steps_between(t2, t3, forward);
      if (steps_to_t3 > 1) {
        close_or_go_on(t1, t2, t3, steps_to_t3, gain, forward, best);
      }
      join_cycles(t1, t2, t3, steps_to_t3, gain, forward, best);
    }
    return best;
  }

  /// The lanes are directions, t3 of each, and the two places of t4, in the order in which one lane would try them.
  template <typename Team>
  MOCO_TEAM_CODE Exchange find_together(const Team& team, int t1) const {
    for (int begin = 0; begin < 4 * breadth_; begin += Team::width) {
      const int part = begin + team.lane();
      const Exchange own = part < 4 * breadth_ ? find_part(t1, part) : nothing();
      const int first = team.first({0.0f, own.edges > 0 ? part / 2 : -1}).number;
      if (first >= 0) {
        const int lane = 2 * first - begin;
        const bool joins = team.from(lane + 1, own.gain) > team.from(lane, own.gain);
        return exchange_of(team, joins ? lane + 1 : lane, own);
      }
    }
    return {};
  }

  /// What is tried at one t3 with t4 in one of its places.
  MOCO_TEAM_CODE Exchange find_part(int t1, int part) const {
    Exchange best = nothing();
    const bool forward = part < 2 * breadth_;
    const int rank = forward ? part / 2 : part / 2 - breadth_;
    const int t2 = ahead(t1, forward);
    const double gain = distance_(t1, t2) - length(t2, rank);
    const int t3 = target(t2, rank);
    if (gain <= least_gain_ || t3 == t1) {
      return best;
    }
    const int steps_to_t3 = tour_.steps_between(t2, t3, forward);
    if (part % 2 != 0) {
      join_cycles(t1, t2, t3, steps_to_t3, gain, forward, best);
    } else if (steps_to_t3 > 1) {
      close_or_go_on(t1, t2, t3, steps_to_t3, gain, forward, best);
    }
    return best;
  }

  /// A lane's exchange, known to all.
  template <typename Team>
  MOCO_TEAM_CODE static Exchange exchange_of(const Team& team, int lane, const Exchange& own) {
    Exchange all;
    all.gain = team.from(lane, own.gain);
    all.edges = team.from(lane, own.edges);
    for (std::size_t i = 0; i < 6; ++i) {
      all.ends[i] = team.from(lane, own.ends[i]);
    }
    return all;
  }

  /// To be beaten.
  MOCO_TEAM_CODE Exchange nothing() const {
    Exchange none;
    none.gain = least_gain_;
    return none;
  }

  /// t4 behind t3.
  MOCO_TEAM_CODE void close_or_go_on(int t1, int t2, int t3, int steps_to_t3, double gain, bool forward,
                                     Exchange& best) const {
    const int t4 = ahead(t3, !forward);
    const double opened = gain + distance_(t3, t4);
    const double closed = opened - distance_(t4, t1);
    if (closed > best.gain) {
      best = {closed, 2, {t1, t2, t3, t4}};
    }
    for (int rank = 0; rank < second_breadth_; ++rank) {
      const int t5 = target(t4, rank);
      const double gain_two = opened - length(t4, rank);
      if (gain_two <= least_gain_) {
        break;
      }
      if (t5 == t3 || t5 == t1) {
        continue;
      }
      const bool on_path = tour_.steps_between(t2, t5, forward) < steps_to_t3;
      const int t6 = ahead(t5, on_path == forward);
      if (t6 == t4) {
        continue;
      }
      const double total = gain_two + distance_(t5, t6) - distance_(t6, t1);
      if (total > best.gain) {
        best = {total, 3, {t1, t2, t3, t4, t5, t6}};
      }
    }
  }

  /// t4 ahead of t3.
  MOCO_TEAM_CODE void join_cycles(int t1, int t2, int t3, int steps_to_t3, double gain, bool forward,
                                  Exchange& best) const {
    const int t4 = ahead(t3, forward);
    const double opened = gain + distance_(t3, t4);
    for (int rank = 0; rank < second_breadth_; ++rank) {
      const int t5 = target(t4, rank);
      const double gain_two = opened - length(t4, rank);
      if (gain_two <= least_gain_) {
        break;
      }
      if (t5 == t3 || tour_.steps_between(t2, t5, forward) > steps_to_t3) {
        continue;
      }
      const int after = ahead(t5, forward);
      const double exchanged = gain_two + distance_(t5, after) - distance_(after, t1);
      if (exchanged > best.gain) {
        best = {exchanged, 3, {t1, t2, t3, t4, t5, after}};
      }
      if (t5 == t2) {
        continue;
      }
      const int before = ahead(t5, !forward);
      const double reversed = gain_two + distance_(t5, before) - distance_(before, t1);
      if (reversed > best.gain) {
        best = {reversed, 3, {t1, t2, t3, t4, t5, before}};
      }
    }
  }

  const AnyTour& tour_;
  const Distance& distance_;
  TourNeighbours neighbours_;
  int breadth_;
  int second_breadth_;
  double least_gain_;
};

}  // namespace moco
