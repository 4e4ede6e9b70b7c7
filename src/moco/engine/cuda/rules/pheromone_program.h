// Rules ant-system and max-min: pheromones that the samples leave.
#pragma once

#include "moco/engine/cuda/batch/batch_layout.h"
#include "moco/engine/cuda/step/step_program.h"

namespace moco::cuda {

class PheromoneProgram final : public UpdateProgram {
 public:
  PheromoneProgram(const ModelConfig& config, BatchLayout& layout);

  std::string_view name() const override { return data_.bounded ? "max-min" : "ant system"; }
  int steps_together() const override { return 4; }
  void place(Arena& arena, const BatchLayout& layout, DeviceBatch& batch) const override;
  void begin(const DeviceBatch& batch, KernelQueue& queue) const override;
  void take_over(const DeviceBatch& batch, KernelQueue& queue) const override;
  void remember(const DeviceBatch& batch, KernelQueue& queue) const override;
  void update(const DeviceBatch& batch, KernelQueue& queue) const override;

 private:
  PheromoneData data_;       ///< the rule's numbers; no pointers
  float visibility_weight_;  ///< β
};

}  // namespace moco::cuda
