// How far the values of one engine lie from those of another.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace moco {

/// Largest difference relative to the largest expected value, or to 1e-9 if that is larger: where all samples cost the
/// same, the gradient is rounding noise of 1e-17 around zero and its digits mean nothing.
template <typename T>
double deviation(const std::vector<T>& expected, const std::vector<T>& actual) {
  if (expected.size() != actual.size()) {
    return std::numeric_limits<double>::infinity();
  }
  double largest = 1e-9;
  double difference = 0.0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    largest = std::max(largest, std::abs(static_cast<double>(expected[i])));
    const double own = std::abs(static_cast<double>(expected[i]) - static_cast<double>(actual[i]));
    difference = std::isnan(own) ? std::numeric_limits<double>::infinity() : std::max(difference, own);
  }
  return difference / largest;
}

}  // namespace moco
