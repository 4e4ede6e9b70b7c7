// What the rules without a network own on the device.
#pragma once

namespace moco::cuda {

struct AdamData {
  double learning_rate = 0.0;
  float* moments = nullptr;  ///< [2 × V]
};

/// Rules ant-system and max-min (engine/pheromones.h).
struct PheromoneData {
  bool bounded = false;            ///< max-min: one solution deposits, and τ is kept within bounds
  float kept = 1.0f;               ///< share of τ that evaporation leaves
  double of_samples = 0.0;         ///< what all samples deposit together at quality 1; bounded: what the one does
  double of_best = 0.0;            ///< what the best so far does
  float trail_weight = 1.0f;       ///< α
  float* trails = nullptr;         ///< [V] τ
  float* weighed_theta = nullptr;  ///< [V] β·θ⁰
  double* unit_cost = nullptr;     ///< [T] of the solutions whose quality is 1; 0 before the first step
};

}  // namespace moco::cuda
