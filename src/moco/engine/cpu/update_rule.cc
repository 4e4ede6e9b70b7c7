// The learned rules, Adam on the policy gradient, and the choice of a rule.
#include "moco/engine/cpu/update_rule.h"

#include <cmath>

#include "moco/engine/cpu/pheromone_rule.h"
#include "moco/engine/features.h"

namespace moco::cpu {

namespace {

class LearnedRule final : public CpuUpdateRule {
 public:
  LearnedRule(const ModelConfig& config, const ParameterLayout& layout, const float* weights)
      : alone_(config.rule == UpdateRule::mlp),
        theta_update_(config.theta_update),
        gradient_scale_(static_cast<float>(config.gradient_scale)),
        network_(make_network(config, "update", layout, weights)) {}

  void take_over(TrajectoryState& state) const override {
    if (theta_update_ == ThetaUpdate::anchored) {
      state.first_theta = state.theta;
    }
  }

  void update(TrajectoryState& state, WorkerContext& context, const Executor& executor) const override {
    float global[kGlobalFeatures];
    state.global(global);
    NetworkInput input;
    input.features = [&](Index first, Index last, float* rows) {
      alone_ ? state.optimizer_features(first, last, gradient_scale_, rows)
             : state.features(first, last, gradient_scale_, rows);
    };
    input.global = global;
    input.start = state.start;
    context.decoded.resize(state.theta.size());
    const float out = network_->forward(*state.graph, input, executor, context.network, context.decoded.data());
    const float divisor = theta_divisor(theta_update_, out);
    const std::vector<float>& origin = theta_update_ == ThetaUpdate::anchored ? state.first_theta : state.theta;
    for (std::size_t v = 0; v < state.theta.size(); ++v) {
      state.theta[v] = bounded_theta(proposed_theta(theta_update_, origin[v], context.decoded[v]) / divisor);
    }
  }

 private:
  bool alone_;  ///< the network sees each variable alone
  ThetaUpdate theta_update_;
  float gradient_scale_;
  std::unique_ptr<Network> network_;
};

class AdamRule final : public CpuUpdateRule {
 public:
  explicit AdamRule(double learning_rate) : learning_rate_(learning_rate) {}

  void take_over(TrajectoryState& state) const override { state.adam.assign(2 * state.variables(), 0.0f); }

  void update(TrajectoryState& state, WorkerContext&, const Executor&) const override {
    const AdamStep step(learning_rate_, state.step);
    const std::size_t total = state.variables();
    for (std::size_t v = 0; v < total; ++v) {
      state.theta[v] = step.apply(state.theta[v], state.gradient[v], state.adam[v], state.adam[total + v]);
    }
  }

 private:
  double learning_rate_;
};

}  // namespace

std::unique_ptr<CpuUpdateRule> make_update_rule(const ModelConfig& config, const ParameterLayout& layout,
                                                const float* weights) {
  switch (config.rule) {
    case UpdateRule::adam:
      return std::make_unique<AdamRule>(config.learning_rate);
    case UpdateRule::ant_system:
    case UpdateRule::max_min:
      return make_pheromone_rule(config);
    case UpdateRule::gnn:
    case UpdateRule::mlp:
      break;
  }
  return std::make_unique<LearnedRule>(config, layout, weights);
}

}  // namespace moco::cpu
