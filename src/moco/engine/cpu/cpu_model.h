// A model as trajectories use it: where θ begins and how it goes on, with the weights of both.
#pragma once

#include <memory>
#include <vector>

#include "moco/engine/cpu/initialisation.h"
#include "moco/engine/cpu/update_rule.h"

namespace moco::cpu {

class CpuModel {
 public:
  CpuModel(const ModelConfig& config, std::vector<float> weights)
      : weights_(std::move(weights)),
        layout_(config),
        init_(make_initialisation(config, layout_, weights_.data())),
        rule_(make_update_rule(config, layout_, weights_.data())) {}

  void begin(TrajectoryState& state, WorkerContext& context, const Executor& executor) const {
    init_->begin(state, context, executor);
    rule_->begin(state);
  }
  const CpuUpdateRule& rule() const { return *rule_; }

 private:
  std::vector<float> weights_;
  ParameterLayout layout_;
  std::unique_ptr<CpuInitialisation> init_;
  std::unique_ptr<CpuUpdateRule> rule_;
};

}  // namespace moco::cpu
