// Both halves of a pair are unrolled in one batch, next to each other; the noise is regenerated for the sum.
#include "moco/training/estimator.h"

#include <algorithm>
#include <cmath>

#include "moco/training/shaping.h"

namespace moco {

std::vector<double> pair_losses(LossOracle& oracle, std::span<const float> parameters, double sigma,
                                std::span<const Pair> pairs, int steps) {
  std::vector<WeightSet> weights;
  std::vector<Unroll> unrolls;
  for (const Pair& pair : pairs) {
    for (const double sign : {1.0, -1.0}) {
      unrolls.push_back({weights.size(), pair.graph, pair.stream});
      weights.push_back({parameters, static_cast<float>(sign * sigma), pair.noise});
    }
  }
  return oracle.losses(weights, unrolls, steps);
}

EsStatistics es_gradient(LossOracle& oracle, std::span<const double> losses, std::span<const StreamKey> noise,
                         const EsConfig& es, std::span<float> gradient) {
  const auto pairs = static_cast<double>(noise.size());
  EsStatistics statistics;
  std::vector<double> differences;
  for (std::size_t i = 0; i < noise.size(); ++i) {
    const double plus = losses[2 * i];
    const double minus = losses[2 * i + 1];
    differences.push_back(plus - minus);
    statistics.mean_loss += (plus + minus) / (2.0 * pairs);
    statistics.difference += (plus - minus) * (plus - minus) / pairs;
  }
  statistics.difference = std::sqrt(statistics.difference);
  clip_differences(differences, es.difference_clip);
  shape_differences(differences, es.shaping);
  std::vector<float> factors;
  for (const double d : differences) {
    factors.push_back(static_cast<float>(d / (2.0 * es.sigma * pairs)));
  }
  std::ranges::fill(gradient, 0.0f);
  oracle.add_noise(noise, factors, gradient);
  return statistics;
}

}  // namespace moco
