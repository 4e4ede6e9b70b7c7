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

/// τ_min/τ_max of Stützle and Hoos, (1 − p)/(others·p) with pᶜ = 0.05, for a best solution of c choices, each among
/// `most_options` at most: (eˣ − 1)/others with x = ln 20/c, by a series, so that all engines round alike.
MOCO_HOST_DEVICE inline double least_pheromone_share(int choices, int most_options) {
  constexpr double kLog20 = 2.9957322735539909934;
  constexpr int kTerms = 30;  // the next one is below 1e-17
  const double x = kLog20 / (choices > 1 ? choices : 1);
  double rest = 1.0;
  for (int k = kTerms; k > 1; --k) {
    rest = fma(x * (1.0 / k), rest, 1.0);
  }
  const double others = 0.5 * (1.0 + most_options) - 1.0;  // beside the right one, on average
  const double share = x * rest / others;
  return others > 0.0 && share < 1.0 ? share : 1.0;
}

/// α·ln τ + β·θ⁰, of which the second is given.
MOCO_HOST_DEVICE inline float theta_of_pheromone(float pheromone, float trail_weight, float weighed_theta) {
  constexpr float kLeast = 1e-30f;  // its logarithm is finite
  return bounded_theta(fmaf(trail_weight, fast_log(pheromone > kLeast ? pheromone : kLeast), weighed_theta));
}

}  // namespace moco
