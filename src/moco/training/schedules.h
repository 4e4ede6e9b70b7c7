// What changes over a run: learning rate, number of search steps K, size of the instances. All are functions of the
// configuration and the outer step alone.
#pragma once

#include "moco/training/config.h"

namespace moco {

/// Value of a curve at a share of the run: linear between its points, constant before the first and after the last.
double curve_at(const Curve& curve, double share);

/// Learning rate of outer step s = 0 … S − 1. Warm-up of W steps: r·(s + 1)/W; after it r, or with `cosine`
/// r·½(1 + cos(π(s − W)/(S − W))), which would reach 0 at s = S. From `anneal_from` on, the same cosine from
/// `anneal_rate`.
double learning_rate(const OptimizerConfig& optimizer, int step, int steps);

/// K of an outer step: the curve's value, or a log-uniform draw between search.least_steps and that value.
int search_steps(const TrainConfig& config, int step);
/// The largest K of the run.
int most_search_steps(const TrainConfig& config);

/// How the run's searches go, for its checkpoints.
TrainedSearch trained_search(const TrainConfig& config);

/// Position in data.nodes of instance `instance` of an outer step.
std::size_t size_choice(const TrainConfig& config, int step, std::uint64_t instance);

}  // namespace moco
