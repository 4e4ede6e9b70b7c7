// Element-wise loops that the compiler turns into vector instructions (this file is compiled without errno for square
// roots).
#include "moco/training/optimizer.h"

#include <array>
#include <cmath>
#include <numeric>

namespace moco {

void adam_step(const OptimizerConfig& optimizer, double rate, std::span<const float> gradient, AdamState& state,
               std::span<float> parameters) {
  ++state.steps;
  const auto count = static_cast<double>(state.steps);
  const auto beta1 = static_cast<float>(optimizer.beta1);
  const auto beta2 = static_cast<float>(optimizer.beta2);
  const auto rate1 = static_cast<float>(rate / (1.0 - std::pow(optimizer.beta1, count)));
  const auto correct2 = static_cast<float>(1.0 / (1.0 - std::pow(optimizer.beta2, count)));
  const auto epsilon = static_cast<float>(optimizer.epsilon);
  const bool decoupled = optimizer.kind == OptimizerKind::adamw;
  const auto coupled_decay = static_cast<float>(decoupled ? 0.0 : optimizer.weight_decay);
  const auto kept = static_cast<float>(decoupled ? 1.0 - rate * optimizer.weight_decay : 1.0);
  float* const p = parameters.data();
  float* const m = state.first.data();
  float* const v = state.second.data();
  const float* const raw = gradient.data();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const float g = raw[i] + coupled_decay * p[i];
    m[i] = beta1 * m[i] + (1.0f - beta1) * g;
    v[i] = beta2 * v[i] + (1.0f - beta2) * g * g;
    p[i] = kept * p[i] - rate1 * m[i] / (std::sqrt(v[i] * correct2) + epsilon);
  }
}

double norm_of(std::span<const float> values) {
  constexpr std::size_t kLanes = 8;
  std::array<double, kLanes> sums{};
  const auto add = [&](std::size_t first, std::size_t count) {
    for (std::size_t l = 0; l < count; ++l) {
      const double value = static_cast<double>(values[first + l]);
      sums[l] += value * value;
    }
  };
  const std::size_t whole = values.size() / kLanes * kLanes;
  for (std::size_t i = 0; i < whole; i += kLanes) {
    add(i, kLanes);
  }
  add(whole, values.size() - whole);
  return std::sqrt(std::accumulate(sums.begin(), sums.end(), 0.0));
}

double clip_gradient(std::span<float> gradient, double bound) {
  const double norm = norm_of(gradient);
  if (bound > 0.0 && norm > bound) {
    const auto scale = static_cast<float>(bound / norm);
    for (float& g : gradient) {
      g *= scale;
    }
  }
  return norm;
}

}  // namespace moco
