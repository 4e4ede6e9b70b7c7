// Points of the plane in a tree of squares, for forces that many far points exert together (Barnes and Hut 1986).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "moco/drawing/sheet.h"

namespace moco::drawing {

class RepulsionTree {
 public:
  /// Sorts the points into squares; takes O(n log n) time.
  explicit RepulsionTree(std::span<const Place> points);

  /// Sum over all other points of (place − point)/distance³: a push of 1/distance² away from each. Squares that look
  /// small from the place count as one point. Points in the very place have no say.
  Place push(Place place) const;

 private:
  struct Square {
    Place centre;  ///< of mass
    double mass = 0.0;
    double reach = 0.0;     ///< squared distance from which it counts as one point
    std::int32_t next = 0;  ///< where a walk goes on that does not enter
    bool leaf = false;
  };

  void build(std::size_t begin, std::size_t end, int level);

  std::vector<std::uint64_t> order_;  ///< Morton code of the square, by which points are sorted
  std::vector<Place> points_;
  std::vector<Square> squares_;  ///< depth first
  double width_ = 1.0;
};

}  // namespace moco::drawing
