// How long a round lasts, and which budget is told in it.
#include "moco/search/round_clock.h"

#include <algorithm>
#include <cmath>

namespace moco {

void RoundClock::see(int step, double seconds) {
  constexpr double kMostSteps = 1e9;
  if (step <= kStepsToPlan) {
    const double steps_in_all = seconds_ / std::max(seconds, 1e-9) * step;
    end_ = seconds_ / std::max(1.0, std::round(std::min(steps_in_all, kMostSteps) / steps_));
  }
  const double expected = end_ / std::max(seconds, 1e-9) * step;
  expected_ = std::max(step, static_cast<int>(std::min(expected, kMostSteps)));
}

}  // namespace moco
