// What the length of an edge promises before any tour is known: where θ may begin. The same on every engine.
#pragma once

#include "moco/core/numeric.h"

namespace moco {

/// −d, in units of the instance's scale.
MOCO_HOST_DEVICE inline float edge_heuristic(float length) {
  return -length;
}

/// What ants go by: ln of the inverse length.
MOCO_HOST_DEVICE inline float edge_visibility(float length) {
  constexpr float kLeastLength = 1e-9f;  // two cities may lie at one place
  return -fast_log(length > kLeastLength ? length : kLeastLength);
}

}  // namespace moco
