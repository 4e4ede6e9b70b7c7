// The one place that makes a batch: trajectories by what they are, not by their place in its lists.
#pragma once

#include <span>

#include "moco/engine/engine.h"

namespace moco {

/// A trajectory that is wanted.
struct TrajectoryRequest {
  const DecisionGraph* graph = nullptr;
  std::size_t weights = 0;  ///< index into the weight sets given
  StreamKey stream;
  Index start = 0;
  const Solution* warm_start = nullptr;
};

/// The batch of these trajectories, with the graphs and weight sets that they use and no others.
BatchSpec batch_of(const ModelConfig& config, const LoopOptions& loop, std::span<const WeightSet> weights,
                   std::span<const TrajectoryRequest> trajectories);

}  // namespace moco
