// How a trajectory gets its first θ and the next one.
#pragma once

#include <memory>
#include <vector>

#include "moco/engine/cpu/trajectory.h"

namespace moco::cpu {

class CpuUpdateRule {
 public:
  virtual ~CpuUpdateRule() = default;

  virtual void begin(TrajectoryState& state, WorkerContext& context, const Executor& executor) const = 0;
  /// Goes on from the present θ of a state that another rule began.
  virtual void take_over(TrajectoryState& state) const = 0;
  virtual void update(TrajectoryState& state, WorkerContext& context, const Executor& executor) const = 0;
};

/// `weights` is moved in; empty for rule adam.
std::unique_ptr<CpuUpdateRule> make_update_rule(const ModelConfig& config, std::vector<float> weights);

}  // namespace moco::cpu
