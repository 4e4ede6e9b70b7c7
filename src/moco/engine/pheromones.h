// The arithmetic of rules with pheromones, the same on every engine: what a solution deposits, the bounds of a max–min
// ant system, and the θ that comes of it.
#pragma once

#include <cmath>

#include "moco/core/numeric.h"
#include "moco/engine/features.h"

namespace moco {

/// Rule max-min: of so many steps one deposits the best solution so far.
inline constexpr int kBestSoFarEvery = 25;

/// How good a solution is, in proportion to the value or to the inverse cost. `unit` is the cost of a solution of
/// quality 1; costs are negative where values are to be large.
MOCO_HOST_DEVICE inline double solution_quality(double cost, double unit) {
  constexpr double kMost = 1e6;
  const bool both_costs = cost > 0.0 && unit > 0.0;
  const bool both_values = cost < 0.0 && unit < 0.0;
  if (!both_costs && !both_values) {
    return cost <= unit ? 1.0 : 0.0;  // one of them is 0: there are no proportions
  }
  const double quality = both_costs ? unit / cost : cost / unit;
  return quality < kMost ? quality : kMost;
}

/// τ_min/τ_max of Stützle and Hoos, for a best solution of so many choices, each among `most_options` at most.
MOCO_HOST_DEVICE inline double least_pheromone_share(int choices, int most_options) {
  /// Of the best solution once all its variables have τ_max and all others τ_min.
  constexpr double kBestProbability = 0.05;
  const double others = 0.5 * (1.0 + most_options) - 1.0;  // beside the right one, on average
  const double right = pow(kBestProbability, 1.0 / (choices > 1 ? choices : 1));
  if (!(others > 0.0)) {
    return 1.0;
  }
  const double share = (1.0 - right) / (others * right);
  return share < 1.0 ? share : 1.0;
}

/// α·ln τ + β·θ⁰, of which the second is given.
MOCO_HOST_DEVICE inline float theta_of_pheromone(float pheromone, float trail_weight, float weighed_theta) {
  constexpr float kLeast = 1e-30f;  // its logarithm is finite
  return bounded_theta(fmaf(trail_weight, fast_log(pheromone > kLeast ? pheromone : kLeast), weighed_theta));
}

}  // namespace moco
