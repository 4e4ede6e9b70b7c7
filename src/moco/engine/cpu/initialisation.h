// How a trajectory gets its first θ.
#pragma once

#include <memory>

#include "moco/engine/cpu/trajectory.h"

namespace moco::cpu {

class CpuInitialisation {
 public:
  virtual ~CpuInitialisation() = default;

  /// Sets θ⁰ from the instance alone.
  virtual void begin(TrajectoryState& state, WorkerContext& context, const Executor& executor) const = 0;
};

/// `weights` are those of the layout, and must outlive the initialisation.
std::unique_ptr<CpuInitialisation> make_initialisation(const ModelConfig& config, const ParameterLayout& layout,
                                                       const float* weights);

}  // namespace moco::cpu
