// Ties share the mean of their ranks, so that equal differences have equal weights.
#include "moco/training/shaping.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace moco {

namespace {

double sign_of(double value) {
  return static_cast<double>(value > 0.0) - static_cast<double>(value < 0.0);
}

void shape_by_rank(std::span<double> differences) {
  std::vector<std::size_t> order(differences.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto magnitude = [&](std::size_t i) { return std::abs(differences[i]); };
  std::ranges::sort(order, {}, magnitude);
  std::vector<double> shaped(differences.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;  // of the ties with `first`
    while (last + 1 < order.size() && magnitude(order[last + 1]) == magnitude(order[first])) {
      ++last;
    }
    const double rank = 1.0 + static_cast<double>(first + last) / 2.0;
    for (; first <= last; ++first) {
      shaped[order[first]] = sign_of(differences[order[first]]) * rank / static_cast<double>(order.size());
    }
  }
  std::ranges::copy(shaped, differences.begin());
}

}  // namespace

void clip_differences(std::span<double> differences, double bound) {
  for (double& d : differences) {
    if (!std::isfinite(d)) {
      d = 0.0;
    } else if (bound > 0.0) {
      d = std::clamp(d, -bound, bound);
    }
  }
}

void shape_differences(std::span<double> differences, Shaping shaping) {
  double square = 0.0;
  switch (shaping) {
    case Shaping::raw:
      return;
    case Shaping::normalised:
      for (const double d : differences) {
        square += d * d / static_cast<double>(differences.size());
      }
      for (double& d : differences) {
        d = square > 0.0 ? d / std::sqrt(square) : 0.0;
      }
      return;
    case Shaping::rank:
      shape_by_rank(differences);
      return;
    case Shaping::sign:
      for (double& d : differences) {
        d = sign_of(d);
      }
      return;
  }
}

}  // namespace moco
