// By a network, by what the problem says of each variable, or all alike.
#include "moco/engine/cpu/initialisation.h"

#include <algorithm>

#include "moco/engine/features.h"

namespace moco::cpu {

namespace {

class LearnedInitialisation final : public CpuInitialisation {
 public:
  LearnedInitialisation(const ModelConfig& config, const ParameterLayout& layout, const float* weights)
      : network_(make_network(config, "init", layout, weights)) {}

  void begin(TrajectoryState& state, WorkerContext& context, const Executor& executor) const override {
    NetworkInput input;
    input.features = [&](Index first, Index last, float* rows) { state.instance_features(first, last, rows); };
    input.start = state.start;
    network_->forward(*state.graph, input, executor, context.network, state.theta.data());
    std::ranges::transform(state.theta, state.theta.begin(), bounded_theta);
  }

 private:
  std::unique_ptr<Network> network_;
};

/// By a function of the construction: its heuristic, or what ants see.
template <float (Construction::*Promise)(Index) const>
class PromiseInitialisation final : public CpuInitialisation {
 public:
  void begin(TrajectoryState& state, WorkerContext&, const Executor&) const override {
    for (std::size_t v = 0; v < state.theta.size(); ++v) {
      state.theta[v] = bounded_theta(((*state.construction).*Promise)(static_cast<Index>(v)));
    }
  }
};

class UniformInitialisation final : public CpuInitialisation {
 public:
  void begin(TrajectoryState& state, WorkerContext&, const Executor&) const override {
    std::ranges::fill(state.theta, 0.0f);
  }
};

}  // namespace

std::unique_ptr<CpuInitialisation> make_initialisation(const ModelConfig& config, const ParameterLayout& layout,
                                                       const float* weights) {
  switch (config.init) {
    case Initialisation::heuristic:
      return std::make_unique<PromiseInitialisation<&Construction::heuristic>>();
    case Initialisation::visibility:
      return std::make_unique<PromiseInitialisation<&Construction::visibility>>();
    case Initialisation::uniform:
      return std::make_unique<UniformInitialisation>();
    case Initialisation::learned:
      break;
  }
  return std::make_unique<LearnedInitialisation>(config, layout, weights);
}

}  // namespace moco::cpu
