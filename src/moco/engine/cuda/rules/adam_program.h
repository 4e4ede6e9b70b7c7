// Rule adam: gradient steps.
#pragma once

#include "moco/engine/cuda/batch/batch_layout.h"
#include "moco/engine/cuda/step/step_program.h"

namespace moco::cuda {

class AdamProgram final : public UpdateProgram {
 public:
  AdamProgram(const ModelConfig& config, BatchLayout& layout);

  std::string_view name() const override { return "adam"; }
  void place(Arena& arena, const BatchLayout& layout, DeviceBatch& batch) const override;
  void update(const DeviceBatch& batch, KernelQueue& queue) const override;

 private:
  double learning_rate_;
};

}  // namespace moco::cuda
