// Antithetic evolution strategies.
//
// Pair i perturbs the parameters Φ by ±σε_i and runs both halves on the same instance with the same random draws:
// d_i = L(Φ + σε_i) − L(Φ − σε_i). The estimate of ∇L, smoothed by the noise, is g = 1/(2σP) Σ_i s(d_i) ε_i with the
// shaping s (training/shaping.h). With shaping other than raw, g is a direction whose length Adam does away with.
#pragma once

#include <span>
#include <vector>

#include "moco/training/loss_oracle.h"

namespace moco {

/// A perturbation and what it is tried on.
struct Pair {
  StreamKey noise;
  const DecisionGraph* graph = nullptr;
  StreamKey stream;
};

/// L(Φ + σε_i) and L(Φ − σε_i) of every pair, in turn: two values per pair.
std::vector<double> pair_losses(LossOracle& oracle, std::span<const float> parameters, double sigma,
                                std::span<const Pair> pairs, int steps);

struct EsStatistics {
  double mean_loss = 0.0;
  double difference = 0.0;  ///< root mean square of the differences before clipping and shaping
};

/// The estimate from the losses of all pairs and the keys of their noise.
EsStatistics es_gradient(LossOracle& oracle, std::span<const double> losses, std::span<const StreamKey> noise,
                         const EsConfig& es, std::span<float> gradient);

}  // namespace moco
