// Definition of the features that describe a search state to GNN_update; shared by all engines. docs/method.md §5.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "moco/core/random.h"
#include "moco/model/parameters.h"

namespace moco {

/// Decay β of the m-th average of the gradient, m ← βm + (1 − β)g.
MOCO_HOST_DEVICE constexpr float momentum_decay(int m) {
  constexpr float decay[kMomenta] = {0.1f, 0.5f, 0.9f, 0.99f, 0.999f, 0.9999f};
  return decay[m];
}

/// Timescales τ of the step encoding tanh(k/τ − 1).
MOCO_HOST_DEVICE constexpr float timescale(int i) {
  constexpr float scale[kTimescales] = {1.0f,    3.0f,    10.0f,    30.0f,    100.0f,   300.0f,
                                        1000.0f, 3000.0f, 10000.0f, 30000.0f, 100000.0f};
  return scale[i];
}

/// Order of the columns of a variable's feature row.
inline constexpr int kMembershipColumn = kInstanceFeatures;
inline constexpr int kMomentumColumn = kMembershipColumn + kEliteSize;
inline constexpr int kGradientColumn = kMomentumColumn + kMomenta;
inline constexpr int kThetaColumn = kGradientColumn + 1;
inline constexpr int kWeightColumn = kThetaColumn + 1;  ///< of models with node_weights
static_assert(kWeightColumn == kVariableFeatures);
static_assert(kWeightColumn == kMomentumColumn + kOptimizerFeatures);
/// First of the global features that say which step it is and how much of the budget is spent.
inline constexpr int kFirstStepFeature = kGlobalFeatures - kStepFeatures;

/// What rule mlp sees of variable `v`: the averages of the gradient [6 × N], gradient and θ [N].
inline void optimizer_feature_row(std::span<const float> momenta, std::span<const float> gradient,
                                  std::span<const float> theta, std::size_t v, float gradient_scale, float* row) {
  for (std::size_t m = 0; m < kMomenta; ++m) {
    row[m] = gradient_scale * momenta[m * theta.size() + v];
  }
  row[kMomenta] = gradient_scale * gradient[v];
  row[kMomenta + 1] = theta[v];
}

/// The 41 features of variable `v`: what the instance says of it, its bits of membership, the averages of
/// the gradient [6 × N], gradient and θ [N].
inline void variable_feature_row(float instance, std::uint32_t members, std::span<const float> momenta,
                                 std::span<const float> gradient, std::span<const float> theta, std::size_t v,
                                 float gradient_scale, float* row) {
  row[0] = instance;
  for (std::size_t l = 0; l < kEliteSize; ++l) {
    row[kMembershipColumn + l] = static_cast<float>((members >> l) & 1u);
  }
  optimizer_feature_row(momenta, gradient, theta, v, gradient_scale, row + kMomentumColumn);
}

/// One of the 45 global features after a sampling step, in this order: elite gaps, improvement, step encodings, share
/// of the budget spent. `elite_costs` holds the `filled` best costs, best first; `previous_best` is the best before the
/// step.
MOCO_HOST_DEVICE inline float global_feature(int index, const double* elite_costs, int filled, double previous_best,
                                             int step, int steps) {
  const double best = filled > 0 ? elite_costs[0] : 0.0;
  if (index < kEliteSize) {
    return index >= filled ? 1.0f : best != 0.0 ? static_cast<float>((elite_costs[index] - best) / best) : 0.0f;
  }
  if (index == kEliteSize) {
    return step == 0 ? 1.0f : best != 0.0 ? static_cast<float>((previous_best - best) / best) : 0.0f;
  }
  if (index <= kEliteSize + kTimescales) {
    return tanhf(static_cast<float>(step) / timescale(index - kEliteSize - 1) - 1.0f);
  }
  return static_cast<float>(step) / static_cast<float>(steps);
}

/// All 45 of them.
inline void global_features(const double* elite_costs, int filled, double previous_best, int step, int steps,
                            float* out) {
  for (int i = 0; i < kGlobalFeatures; ++i) {
    out[i] = global_feature(i, elite_costs, filled, previous_best, step, steps);
  }
}

/// The paper's θ = θ̃/α with the authors' α = ½(tanh a + 1), kept away from division by zero. A residual update takes
/// (θ + kThetaStep·θ̃)/2α instead, which leaves θ where it is for θ̃ = 0 and a = 0; an anchored one takes
/// (θ⁰ + kAnchoredStep·θ̃)/2α.
inline constexpr float kSmallestAlpha = 1e-3f;
inline constexpr float kThetaStep = 0.2f;
inline constexpr float kAnchoredStep = 2.0f;
/// θ beyond this is cut off: keys stay finite and ordered whatever a network emits.
inline constexpr float kThetaLimit = 1e9f;

MOCO_HOST_DEVICE inline float alpha_of(float global_output) {
  const float alpha = 0.5f * (tanhf(global_output) + 1.0f);
  return alpha > kSmallestAlpha ? alpha : kSmallestAlpha;
}

/// What is to be divided by theta_divisor, from the decoded θ̃ and the θ that a step is taken from: the present one or,
/// if anchored, the first.
MOCO_HOST_DEVICE inline float proposed_theta(ThetaUpdate update, float origin, float decoded) {
  return update == ThetaUpdate::absolute   ? decoded
         : update == ThetaUpdate::residual ? origin + kThetaStep * decoded
                                           : origin + kAnchoredStep * decoded;
}

MOCO_HOST_DEVICE inline float theta_divisor(ThetaUpdate update, float global_output) {
  return (update == ThetaUpdate::absolute ? 1.0f : 2.0f) * alpha_of(global_output);
}

MOCO_HOST_DEVICE inline float bounded_theta(float theta) {
  if (!(theta > -kThetaLimit)) {  // also catches NaN
    return theta != theta ? 0.0f : -kThetaLimit;
  }
  return theta < kThetaLimit ? theta : kThetaLimit;
}

/// One step of Adam on θ (β₁ = 0.9, β₂ = 0.999, ε = 1e-8), the update rule of the baseline.
class AdamStep {
 public:
  /// `step` counts from 1.
  MOCO_HOST_DEVICE AdamStep(double learning_rate, int step)
      : rate_(static_cast<float>(learning_rate * sqrt(1.0 - pow(0.999, step)) / (1.0 - pow(0.9, step)))),
        epsilon_(static_cast<float>(1e-8 * sqrt(1.0 - pow(0.999, step)))) {}

  /// Updates both moments and returns the next θ.
  MOCO_HOST_DEVICE float apply(float theta, float gradient, float& first, float& second) const {
    first = 0.9f * first + 0.1f * gradient;
    second = 0.999f * second + 0.001f * gradient * gradient;
    return bounded_theta(theta - rate_ * first / (sqrtf(second) + epsilon_));
  }

 private:
  float rate_;
  float epsilon_;
};

}  // namespace moco
