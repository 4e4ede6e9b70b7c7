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

/// θ = θ̃/α, compared as a common factor and a shape: α is a steep function of sums over all edges, so its rounding is
/// larger by orders of magnitude than that of θ̃.
struct ThetaDeviation {
  double factor = 1.0;  ///< actual ≈ factor · expected
  double shape = 0.0;   ///< largest difference once the factor is divided out, relative to the largest value
};

inline ThetaDeviation theta_deviation(const std::vector<float>& expected, std::vector<float> actual) {
  double square = 0.0;
  double product = 0.0;
  for (std::size_t i = 0; i < std::min(expected.size(), actual.size()); ++i) {
    square += static_cast<double>(expected[i]) * static_cast<double>(expected[i]);
    product += static_cast<double>(expected[i]) * static_cast<double>(actual[i]);
  }
  ThetaDeviation result;
  result.factor = square > 0.0 ? product / square : 1.0;
  for (float& value : actual) {
    value = static_cast<float>(static_cast<double>(value) / result.factor);
  }
  result.shape = deviation(expected, actual);
  return result;
}

}  // namespace moco
