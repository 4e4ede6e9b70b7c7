// Bounding boxes of places, and how places are brought into one.
#pragma once

#include <span>
#include <vector>

#include "moco/drawing/sheet.h"

namespace moco::drawing {

struct Box {
  Place low;
  Place high;

  double width() const { return high.x - low.x; }
  double height() const { return high.y - low.y; }
};

/// The smallest box around the places; nothing gives the origin.
Box box_of(std::span<const Place> places);

/// Shifts and scales the places so that their box begins at the origin and its longer side is `side`. Places that are
/// all one come to lie at the origin.
void fit_into(std::span<Place> places, double side);

/// Turns the places so that their box is small and not higher than wide.
void turn_upright(std::span<Place> places);

}  // namespace moco::drawing
