// Sequential exchanges of two or three edges at a city, judged by positions alone and made once. For symmetric
// distances on the CPU.
//
// With t2 ahead of t1, the edge {t1, t2} goes, {t2, t3} comes, {t3, t4} goes, and so on; the last edge comes back to
// t1. In the direction of the walk from t1 to t2:
//   t4 behind t3   {t4, t1} closes a 2-opt move. Going on from t4, t5 may lie anywhere; t6 is the neighbour of t5 that
//                  comes before it once the path t2 … t4 is reversed.
//   t4 ahead of t3 {t4, t1} would close two cycles. t5 lies on the path t2 … t3, and both its neighbours there will do:
//                  t6 ahead of t5 exchanges the paths t2 … t5 and t6 … t3 (nothing is reversed), t6 behind t5 reverses
//                  each of t2 … t6 and t5 … t3 where it stands.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "moco/problems/tsp/array_tour.h"
#include "moco/problems/tsp/tour_moves.h"

namespace moco {

template <typename Distance>
class ThreeOpt {
 public:
  /// A gain counts above `least_gain`.
  ThreeOpt(const ArrayTour& tour, const Distance& distance, const TourNeighbours& neighbours, double least_gain)
      : tour_(tour),
        distance_(distance),
        neighbours_(neighbours),
        breadth_(std::min(kBreadth, neighbours.degree)),
        second_breadth_(std::min(kSecondBreadth, neighbours.degree)),
        least_gain_(least_gain) {}

  /// The best move over the first t3 that has one; count 0 when there is none.
  EdgeExchange find(int city) const {
    for (const bool forward : {true, false}) {
      const EdgeExchange move = find(city, forward);
      if (move.edges > 0) {
        return move;
      }
    }
    return {};
  }

 private:
  static constexpr int kBreadth = 8;        // neighbours tried for t3
  static constexpr int kSecondBreadth = 5;  // and for t5

  /// The way of thinking of a walk: what is ahead lies in its direction.
  int ahead(int city, bool forward) const { return forward ? tour_.next(city) : tour_.previous(city); }
  double length(int city, int rank) const { return neighbours_.length[row(city) + rank]; }
  int target(int city, int rank) const { return neighbours_.targets[row(city) + rank]; }
  long long row(int city) const { return static_cast<long long>(city) * neighbours_.degree; }

  EdgeExchange find(int t1, bool forward) const {
    EdgeExchange best;
    best.gain = least_gain_;
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

  /// t4 behind t3.
  void close_or_go_on(int t1, int t2, int t3, int steps_to_t3, double gain, bool forward, EdgeExchange& best) const {
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
  void join_cycles(int t1, int t2, int t3, int steps_to_t3, double gain, bool forward, EdgeExchange& best) const {
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

  const ArrayTour& tour_;
  const Distance& distance_;
  TourNeighbours neighbours_;
  int breadth_;
  int second_breadth_;
  double least_gain_;
};

}  // namespace moco
