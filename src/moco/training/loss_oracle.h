// What the estimator may ask: the loss of these perturbed weights on these instances with these random streams. Nothing
// else of the search is visible to it.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "moco/engine/engine.h"
#include "moco/search/packing.h"
#include "moco/training/config.h"

namespace moco {

/// One run of the inner loop. Equal graph and stream mean equal random draws, whatever the weights.
struct Unroll {
  std::size_t weights = 0;  ///< index into the weight sets
  const DecisionGraph* graph = nullptr;
  StreamKey stream;  ///< all random draws, the start city among them
};

class LossOracle {
 public:
  virtual ~LossOracle() = default;

  /// Loss of every unroll after `steps` search steps. Throws Halted when told to stop: the outer step that asked has
  /// not happened.
  virtual std::vector<double> losses(std::span<const WeightSet> weights, std::span<const Unroll> unrolls,
                                     int steps) = 0;
  /// sum[p] += Σ_i factors[i] · ε_i[p] with the noise of keys[i].
  virtual void add_noise(std::span<const StreamKey> keys, std::span<const float> factors, std::span<float> sum) = 0;
};

/// Loss of an unroll that ended so, on a graph of this cost scale.
double loss_of(const TrajectoryStatus& status, double cost_scale, LossKind kind);

/// The oracle of training: unrolls on an engine, as many side by side as fit into its memory.
class EngineOracle final : public LossOracle {
 public:
  EngineOracle(Engine& engine, const TrainConfig& config);

  std::vector<double> losses(std::span<const WeightSet> weights, std::span<const Unroll> unrolls, int steps) override;
  void add_noise(std::span<const StreamKey> keys, std::span<const float> factors, std::span<float> sum) override;

  /// Polled often, from any thread; true makes losses() throw Halted.
  std::function<bool()> abandon;

 private:
  Engine& engine_;
  ModelConfig model_;
  LoopOptions loop_;
  LossKind loss_;
  BatchRoom room_;
};

}  // namespace moco
