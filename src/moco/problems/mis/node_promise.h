// What a node promises before any independent set is known: where θ may begin. The same on every engine.
#pragma once

#include "moco/core/numeric.h"

namespace moco {

/// ln of the share that a greedy insertion by weight and degree goes by, w/(degree + 1); `weight` as a share of the
/// mean.
MOCO_HOST_DEVICE inline float node_heuristic(float weight, long long degree) {
  constexpr float kLeastWeight = 1e-9f;
  return fast_log((weight > kLeastWeight ? weight : kLeastWeight) / (static_cast<float>(degree) + 1.0f));
}

}  // namespace moco
