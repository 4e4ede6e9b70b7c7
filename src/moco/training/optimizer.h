// Adam (Kingma & Ba 2015) and AdamW (Loshchilov & Hutter 2019) on a flat parameter vector.
//
// m ← β₁m + (1 − β₁)g, v ← β₂v + (1 − β₂)g², p ← p − r·(m̂/(√v̂ + ε)), m̂ and v̂ corrected for their start at 0.
// Weight decay λ: adam adds λp to g; adamw subtracts r·λp from p.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "moco/training/config.h"

namespace moco {

/// What Adam remembers between steps.
struct AdamState {
  std::int64_t steps = 0;
  std::vector<float> first;   ///< m
  std::vector<float> second;  ///< v

  explicit AdamState(std::size_t parameters = 0) : first(parameters, 0.0f), second(parameters, 0.0f) {}

  friend bool operator==(const AdamState&, const AdamState&) = default;
};

/// One step of size `rate`.
void adam_step(const OptimizerConfig& optimizer, double rate, std::span<const float> gradient, AdamState& state,
               std::span<float> parameters);

/// Euclidean norm, accumulated in double precision in a fixed order.
double norm_of(std::span<const float> values);

/// Scales the gradient down to norm `bound` if it is longer; 0 is no bound. Returns the norm before.
double clip_gradient(std::span<float> gradient, double bound);

}  // namespace moco
