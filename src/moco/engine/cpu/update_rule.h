// How a trajectory gets its next θ.
#pragma once

#include <memory>

#include "moco/engine/cpu/trajectory.h"

namespace moco::cpu {

class CpuUpdateRule {
 public:
  virtual ~CpuUpdateRule() = default;

  /// Goes on from θ⁰, which it may weigh.
  virtual void begin(TrajectoryState& state) const { take_over(state); }
  /// Goes on from the present θ of a state: the first, or what another rule has come to.
  virtual void take_over(TrajectoryState& state) const = 0;
  /// What it remembers of a step's samples, the improved ones under local search; the elite has them already.
  virtual void remember(TrajectoryState&, const SampleSet&) const {}
  virtual void update(TrajectoryState& state, WorkerContext& context, const Executor& executor) const = 0;
};

/// `weights` are those of the layout, and must outlive the rule.
std::unique_ptr<CpuUpdateRule> make_update_rule(const ModelConfig& config, const ParameterLayout& layout,
                                                const float* weights);

}  // namespace moco::cpu
