// Moves on a tour: their numbering at a city, what they gain, how they are made. One definition for all engines.
//
// At city a, a move begins by replacing the edge to a tour neighbour p by one to a candidate neighbour c that is
// nearer. `side` says where p lies: 0 before a, 1 behind it; everything else is described walking away from p
// ("ahead"), so both sides share one description:
//   2-opt     … p a … d c …        → edges {a, c}, {p, d}
//   Or-opt    … p [a … e] q … c d …  → the segment [a … e] of 1 to 3 cities goes between c and d, its neighbours ahead
//             (kept) or behind (turned round): edges {p, q}, {a, c}, {e, d}
//   or-3opt   the same with a segment of any length whose other end e is a candidate neighbour of d.
// Gains are float sums without products, so that no compiler can round them differently. A gain counts only above
// 2^-21 of the lengths it is made of, which exceeds the rounding error of the sum: every counted move truly shortens
// the tour, so a search ends.
#pragma once

#include <cmath>

#include "moco/problems/tsp/tour.h"

namespace moco {

/// Kinds of moves, to be combined.
enum TourMoveKind : unsigned { kTwoOpt = 1u, kOrOpt = 2u, kOrThreeOpt = 4u };

/// Candidate neighbours: the decision graph's rows.
struct TourNeighbours {
  const int* targets = nullptr;    ///< [n × degree] by rising length
  const double* length = nullptr;  ///< [n × degree]
  int degree = 0;
};

struct TourMove {
  enum Shape { none, two_opt, kept, turned };

  Shape shape = none;
  int side = 0;
  float gain = 0.0f;
  int a = 0, p = 0, c = 0, d = 0;
  int e = 0, q = 0;  ///< segment moves only
};

/// `Distance` gives the length from one city to another as a float. An asymmetric instance (`symmetric` false) allows
/// only moves that keep the direction of every path.
template <typename Team, typename Distance, typename AnyTour = Tour<Team>>
class TourMoves {
 public:
  MOCO_TEAM_CODE TourMoves(AnyTour& tour, const Distance& distance, const TourNeighbours& neighbours, bool symmetric,
                           unsigned kinds)
      : tour_(tour),
        distance_(distance),
        neighbours_(neighbours),
        symmetric_(symmetric),
        two_opts_((kinds & kTwoOpt) != 0 ? 1 : 0),
        or_opts_((kinds & kOrOpt) != 0 ? 2 * kShortSegment : 0),
        or_threes_((kinds & kOrThreeOpt) != 0 ? 2 * neighbours.degree : 0) {}

  /// Looks at the surroundings of a city; numbers of moves refer to it until the next call or move.
  MOCO_TEAM_CODE void visit(int city) {
    city_ = city;
    before_ = look(0);
    after_ = look(1);
  }

  /// Number of moves of the visited city that may gain something.
  MOCO_TEAM_CODE int count() const { return before_.choices + after_.choices; }

  /// The move of that number; shape none when it does not exist or gains nothing.
  MOCO_TEAM_CODE TourMove move(int number) const {
    const int side = number < before_.choices ? 0 : 1;
    const int choice = side == 0 ? number : number - before_.choices;
    const int rank = shapes() == 1 ? choice : choice / shapes();  // divisions are slow on devices
    const int shape = choice - rank * shapes();
    TourMove move;
    move.side = side;
    move.a = city_;
    move.p = on(side).city;
    const long long edge = static_cast<long long>(city_) * neighbours_.degree + rank;
    move.c = neighbours_.targets[edge];
    const float near = symmetric_ ? static_cast<float>(neighbours_.length[edge]) : arc(side, move.c, city_);
    if (move.c == move.p || !(near < on(side).length)) {
      return move;
    }
    if (shape < two_opts_) {
      price_two_opt(move, on(side).length, near);
    } else if (shape < two_opts_ + or_opts_) {
      price_or_opt(move, near, shape - two_opts_);
    } else {
      price_or_three_opt(move, near, shape - two_opts_ - or_opts_);
    }
    return move;
  }

  /// Whether 2-opt is the only kind of moves.
  MOCO_TEAM_CODE bool only_two_opt() const { return two_opts_ == shapes(); }

  /// Whether a city has a 2-opt move; for one lane alone, whatever the others look at.
  MOCO_TEAM_CODE bool has_two_opt(int city) const {
    const long long row = static_cast<long long>(city) * neighbours_.degree;
    for (int side = 0; side < 2 && symmetric_; ++side) {
      TourMove move;
      move.side = side;
      move.a = city;
      move.p = behind(side, city);
      const float length = arc(side, move.p, city);
      for (int rank = 0; rank < neighbours_.degree; ++rank) {
        const float near = static_cast<float>(neighbours_.length[row + rank]);
        if (!(near < length)) {
          break;
        }
        move.c = neighbours_.targets[row + rank];
        if (move.c != move.p) {
          price_two_opt(move, length, near);
        }
        if (move.shape != TourMove::none) {
          return true;
        }
      }
    }
    return false;
  }

  /// Changes the tour.
  MOCO_TEAM_CODE void make(const TourMove& move) {
    if (move.shape == TourMove::kept) {
      tour_.exchange(move.p, move.a, move.c, move.d);
      tour_.exchange(move.p, move.c, move.q, move.e);
      tour_.exchange(move.c, move.e, move.a, move.d);
      if (behind(move.side, move.a) != move.c) {
        tour_.flip();  // the direction in which lengths were taken
      }
      return;
    }
    tour_.exchange(move.p, move.a, move.d, move.c);
    if (move.shape == TourMove::turned) {
      tour_.exchange(move.p, move.d, move.q, move.e);
    }
  }

 private:
  static constexpr int kShortSegment = 3;
  static constexpr int kLongestSegment = 1000;
  static constexpr float kRounding = 0x1p-21f;

  /// A tour neighbour of the visited city.
  struct Beside {
    int city = 0;
    float length = 0.0f;  ///< of the edge to it
    int choices = 0;      ///< moves that begin by replacing that edge
  };

  MOCO_TEAM_CODE const Beside& on(int side) const { return side == 0 ? before_ : after_; }
  MOCO_TEAM_CODE Beside look(int side) const {
    const int city = behind(side, city_);
    const float length = arc(side, city, city_);
    return {city, length, nearer_neighbours(length) * shapes()};
  }
  MOCO_TEAM_CODE int shapes() const { return two_opts_ + or_opts_ + or_threes_; }
  MOCO_TEAM_CODE int ahead(int side, int city) const { return side == 0 ? tour_.next(city) : tour_.previous(city); }
  MOCO_TEAM_CODE int behind(int side, int city) const { return side == 0 ? tour_.previous(city) : tour_.next(city); }
  /// Length from x to y where the walk away from p goes from x to y.
  MOCO_TEAM_CODE float arc(int side, int x, int y) const { return side == 0 ? distance_(x, y) : distance_(y, x); }

  /// Candidates nearer than a length; rows are sorted, so these are the first ones. Lengths towards the city are not
  /// sorted: an asymmetric instance looks at all.
  MOCO_TEAM_CODE int nearer_neighbours(float length) const {
    if (!symmetric_) {
      return neighbours_.degree;
    }
    const double* row = neighbours_.length + static_cast<long long>(city_) * neighbours_.degree;
    return tour_.team().leading(neighbours_.degree, [&](int r) { return static_cast<float>(row[r]) < length; });
  }

  MOCO_TEAM_CODE static void judge(TourMove& move, TourMove::Shape shape, float removed, float added, float magnitude) {
    const float gain = removed - added;
    if (gain > magnitude * kRounding) {
      move.shape = shape;
      move.gain = gain;
    }
  }

  MOCO_TEAM_CODE void price_two_opt(TourMove& move, float old_near, float near) const {
    move.d = behind(move.side, move.c);
    if (!symmetric_ || move.d == move.a) {
      return;
    }
    const float old_far = arc(move.side, move.d, move.c);
    const float new_far = arc(move.side, move.p, move.d);
    judge(move, TourMove::two_opt, old_near + old_far, near + new_far,
          (fabsf(old_near) + fabsf(old_far)) + (fabsf(near) + fabsf(new_far)));
  }

  MOCO_TEAM_CODE void price_or_opt(TourMove& move, float near, int shape) const {
    const int length = shape / 2 + 1;
    const bool turned = shape % 2 != 0;
    if (length + 3 > tour_.size() || tour_.steps_between(move.a, move.c, move.side == 0) < length) {
      return;
    }
    move.e = tour_.along(move.a, length - 1, move.side == 0);
    move.q = ahead(move.side, move.e);
    move.d = turned ? behind(move.side, move.c) : ahead(move.side, move.c);
    if (turned && (!symmetric_ || move.c == move.q)) {
      return;
    }
    price_segment(move, turned, near, arc(move.side, move.c, move.d), arc(move.side, move.e, move.d));
  }

  MOCO_TEAM_CODE void price_or_three_opt(TourMove& move, float near, int shape) const {
    const bool turned = shape >= neighbours_.degree;
    const bool forward = move.side == 0;
    move.d = turned ? behind(move.side, move.c) : ahead(move.side, move.c);
    if (move.d == move.a || (turned && !symmetric_)) {
      return;
    }
    const long long edge =
        static_cast<long long>(move.d) * neighbours_.degree + (turned ? shape - neighbours_.degree : shape);
    move.e = neighbours_.targets[edge];
    const int length = tour_.steps_between(move.a, move.e, forward) + 1;
    const int room = tour_.steps_between(move.a, turned ? move.d : move.c, forward);
    if (length > room || length > kLongestSegment || length + 3 > tour_.size()) {
      return;
    }
    move.q = ahead(move.side, move.e);
    const float old_far = arc(move.side, move.c, move.d);
    const float new_far = symmetric_ ? static_cast<float>(neighbours_.length[edge]) : arc(move.side, move.e, move.d);
    if (move.q == move.d || !(new_far < on(move.side).length - near + old_far)) {
      return;
    }
    price_segment(move, turned, near, old_far, new_far);
  }

  MOCO_TEAM_CODE void price_segment(TourMove& move, bool turned, float near, float old_far, float new_far) const {
    const float old_near = on(move.side).length;
    const float old_end = arc(move.side, move.e, move.q);
    const float closed = arc(move.side, move.p, move.q);
    judge(move, turned ? TourMove::turned : TourMove::kept, old_near + old_end + old_far, near + new_far + closed,
          (fabsf(old_near) + fabsf(old_end) + fabsf(old_far)) + (fabsf(near) + fabsf(new_far) + fabsf(closed)));
  }

  AnyTour& tour_;
  Distance distance_;
  TourNeighbours neighbours_;
  bool symmetric_;
  int two_opts_;
  int or_opts_;
  int or_threes_;
  int city_ = 0;
  Beside before_;
  Beside after_;
};

}  // namespace moco
