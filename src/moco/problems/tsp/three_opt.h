// Sequential exchanges of two or three edges at a city, judged by positions alone and made once. For symmetric
// distances. One definition for all engines: one lane looks at what may be tried one after the other and stops at the
// first t3 that has a move; the lanes of a wider team try what there is at a few t3 at the same time, and the first one
// that has a move counts.
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

  /// What is tried at one t3, numbered as one lane would try it: 0 closes, 1 … 5 go on from behind t3, then two for
  /// each t5 from ahead of it.
  static constexpr int kTries = 1 + 3 * kSecondBreadth;

  /// A few t3 at the same time, a try per lane.
  template <typename Team>
  MOCO_TEAM_CODE Exchange find_together(const Team& team, int t1) const {
    constexpr int kLanes = Team::width < kTries ? Team::width : kTries;  // of one t3
    constexpr int kTogether = Team::width / kLanes;
    const int slot = team.lane() / kLanes;
    int all = 0;
    const int forward_ones = nearer(team, t1, all);
    for (int begin = 0; begin < all; begin += kTogether) {
      const int number = begin + slot;
      Exchange own = nothing();
      int best = -1;
      for (int tried = team.lane() % kLanes; slot < kTogether && number < all && tried < kTries; tried += kLanes) {
        const bool forward = number < forward_ones;
        if (attempt(t1, forward, forward ? number : number - forward_ones, tried, own)) {
          best = tried;
        }
      }
      const int first = team.first({0.0f, best >= 0 ? slot : -1}).number;
      if (first >= 0) {
        const int winner = team.largest(own.gain, slot == first ? best : -1);
        return exchange_of(team, first * kLanes + winner % kLanes, own);
      }
    }
    return {};
  }

  /// How many t3 may gain anything, in both directions, and forward.
  template <typename Team>
  MOCO_TEAM_CODE int nearer(const Team& team, int t1, int& all) const {
    int forward_ones = 0;
    for (int begin = 0; begin < 2 * breadth_; begin += Team::width) {
      const int number = begin + team.lane();
      const bool forward = number < breadth_;
      const int t2 = ahead(t1, forward);
      const int rank = forward ? number : number < 2 * breadth_ ? number - breadth_ : 0;
      const bool gains = number < 2 * breadth_ && distance_(t1, t2) - length(t2, rank) > least_gain_;
      int count = 0;
      team.rank(gains, count);
      all += count;
      team.rank(gains && forward, count);
      forward_ones += count;
    }
    return forward_ones;
  }

  /// Replaces `best` by a try that gains more; whether it does. Looks everything up before it decides: one wait instead
  /// of many.
  MOCO_TEAM_CODE bool attempt(int t1, bool forward, int rank, int number, Exchange& best) const {
    const bool closes = number == 0;
    const bool behind = number <= kSecondBreadth;
    const int joins = closes || behind ? 0 : number - 1 - kSecondBreadth;
    const int asked = closes ? 0 : behind ? number - 1 : joins / 2;
    const int second = asked < second_breadth_ ? asked : 0;
    const int t2 = ahead(t1, forward);
    const int t3 = target(t2, rank);
    const int t4 = ahead(t3, behind != forward);
    const int t5 = target(t4, second);
    const int steps_to_t3 = tour_.steps_between(t2, t3, forward);
    const bool after = joins % 2 == 0;
    const bool joined = is_on_path(t2, t3, t5, steps_to_t3, forward) && (after || t5 != t2);
    const int gone_on = end_going_on(t1, t2, t3, t4, t5, steps_to_t3, forward);
    const int t6 = behind ? gone_on : joined ? ahead(t5, after == forward) : -1;
    const int last = closes ? t4 : t6 < 0 ? t5 : t6;
    const double removed = distance_(t1, t2);
    const double removed_next = distance_(t3, t4);
    const double removed_last = distance_(t5, last);
    const double closing = distance_(last, t1);
    const double opened = removed - length(t2, rank) + removed_next;
    const double gain_two = opened - length(t4, second);
    const double gain = (closes ? opened : gain_two + removed_last) - closing;
    const bool may = t3 != t1 && (!behind || steps_to_t3 > 1) &&
                     (closes || (asked < second_breadth_ && t6 >= 0 && gain_two > least_gain_));
    if (may && gain > best.gain) {
      best = {gain, closes ? 2 : 3, {t1, t2, t3, t4, t5, t6}};
      return true;
    }
    return false;
  }

  /// A lane's exchange, known to all.
  template <typename Team>
  MOCO_TEAM_CODE static Exchange exchange_of(const Team& team, int lane, const Exchange& own) {
    Exchange all;
    all.gain = team.from(lane, own.gain);
    all.edges = team.from(lane, own.edges);
    MOCO_TEAM_UNROLL
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

  /// t6 for t4 behind t3, −1 where t5 will not do.
  MOCO_TEAM_CODE int end_going_on(int t1, int t2, int t3, int t4, int t5, int steps_to_t3, bool forward) const {
    if (t5 == t3 || t5 == t1) {
      return -1;
    }
    const bool on_path = tour_.steps_between(t2, t5, forward) < steps_to_t3;
    const int t6 = ahead(t5, on_path == forward);
    return t6 == t4 ? -1 : t6;
  }
  /// Whether t5 will do for t4 ahead of t3.
  MOCO_TEAM_CODE bool is_on_path(int t2, int t3, int t5, int steps_to_t3, bool forward) const {
    return t5 != t3 && tour_.steps_between(t2, t5, forward) <= steps_to_t3;
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
      const int t6 = end_going_on(t1, t2, t3, t4, t5, steps_to_t3, forward);
      if (t6 < 0) {
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
      if (!is_on_path(t2, t3, t5, steps_to_t3, forward)) {
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
