// A tour as an array of cities with their positions, and its one elementary move: the exchange of two edges, which
// reverses the shorter of the two paths between them. A tour is a cycle without direction; `next` and `previous` walk
// it in the array's order, or against it after flip().
#pragma once

#include "moco/core/team.h"

namespace moco {

/// `Number` holds numbers up to n − 1.
template <typename Team, typename Number = int>
class Tour {
 public:
  /// `order` holds the n cities in order; `position` is filled from it.
  MOCO_TEAM_CODE Tour(const Team& team, int n, Number* order, Number* position)
      : team_(team), n_(n), order_(order), position_(position) {
    renumber();
  }

  /// Takes over what somebody else wrote to the order.
  MOCO_TEAM_CODE void renumber() {
    team_.sync();
    for (int i = team_.lane(); i < n_; i += Team::width) {
      position_[order_[i]] = static_cast<Number>(i);
    }
    team_.sync();
  }

  MOCO_TEAM_CODE const Team& team() const { return team_; }
  MOCO_TEAM_CODE int size() const { return n_; }
  MOCO_TEAM_CODE int next(int city) const { return beside(city, !flipped_); }
  MOCO_TEAM_CODE int previous(int city) const { return beside(city, flipped_); }
  MOCO_TEAM_CODE int ahead(int city, bool forward) const { return beside(city, forward != flipped_); }
  /// The city `steps` (0 … n) after or before a city.
  MOCO_TEAM_CODE int along(int city, int steps, bool forward) const {
    return order_[wrapped(forward != flipped_ ? position_[city] + steps : position_[city] - steps)];
  }
  /// Steps from one city to another, going forward or backward.
  MOCO_TEAM_CODE int steps_between(int from, int to, bool forward) const {
    const int ahead = position_[to] - position_[from];
    return wrapped(forward != flipped_ ? ahead : -ahead);
  }
  /// Turns the direction in which the tour is read.
  MOCO_TEAM_CODE void flip() { flipped_ = !flipped_; }

  /// Removes the edges {x, y} and {u, v}, which appear in this order in one direction of the tour, and adds {x, u} and
  /// {y, v}. The direction of the tour is unspecified afterwards.
  MOCO_TEAM_CODE void exchange(int x, int y, int u, int v) {
    const bool forward = next(x) == y;
    reverse(forward ? y : x, forward ? u : v);
  }

 private:
  MOCO_TEAM_CODE int beside(int city, bool up) const {
    const int at = position_[city];
    if (up) {
      return order_[at + 1 == n_ ? 0 : at + 1];
    }
    return order_[at == 0 ? n_ - 1 : at - 1];
  }

  MOCO_TEAM_CODE int wrapped(int at) const { return at >= n_ ? at - n_ : at < 0 ? at + n_ : at; }

  /// Reverses the path from one city forward to another, or the rest of the tour, which gives the same cycle.
  MOCO_TEAM_CODE void reverse(int from, int to) {
    int begin = position_[flipped_ ? to : from];
    int end = position_[flipped_ ? from : to];
    int length = wrapped(end - begin) + 1;
    if (2 * length > n_) {
      const int old_begin = begin;
      begin = wrapped(end + 1);
      end = wrapped(old_begin - 1);
      length = n_ - length;
    }
    team_.sync();
    for (int i = team_.lane(); i < length / 2; i += Team::width) {
      const int left = wrapped(begin + i);
      const int right = wrapped(end - i);
      const Number city = order_[left];
      const Number other = order_[right];
      order_[left] = other;
      position_[other] = static_cast<Number>(left);
      order_[right] = city;
      position_[city] = static_cast<Number>(right);
    }
    team_.sync();
  }

  Team team_;
  int n_;
  Number* order_;
  Number* position_;
  bool flipped_ = false;
};

}  // namespace moco
