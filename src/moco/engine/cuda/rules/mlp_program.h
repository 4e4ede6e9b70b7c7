// Rule mlp: a learned optimizer that sees each variable alone, as one kernel. For batches of any size, in bf16 and
// float32.
#pragma once

#include "moco/engine/cuda/batch/batch_layout.h"
#include "moco/engine/cuda/rules/rule_kernels.h"
#include "moco/engine/cuda/step/step_program.h"
#include "moco/engine/cuda/weights/weight_sets.h"

namespace moco::cuda {

class MlpProgram final : public UpdateProgram {
 public:
  MlpProgram(const ModelConfig& config, const WeightSets& weights, BatchLayout& layout);

  std::string_view name() const override { return "mlp"; }
  int steps_together() const override { return 4; }
  void place(Arena&, const BatchLayout&, DeviceBatch&) const override {}
  void update(const DeviceBatch& batch, KernelQueue& queue) const override;

 private:
  MlpOffsets net_;
  MlpShape shape_;
};

}  // namespace moco::cuda
