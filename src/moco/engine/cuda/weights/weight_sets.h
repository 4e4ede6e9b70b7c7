// The weight sets of a batch on the device, made once from base weights and noise.
#pragma once

#include "moco/engine/cuda/batch/device_batch.h"
#include "moco/engine/cuda/kit/arena.h"
#include "moco/engine/cuda/weights/weights.h"

namespace moco::cuda {

class WeightSets {
 public:
  /// `count` sets, with matrices in bf16 or in float32.
  WeightSets(const ModelConfig& config, int count, bool bf16) : plan_(config), count_(count), bf16_(bf16) {}

  /// Where the networks' parameters lie in a set; other parts of a model have none.
  const WeightPlan& plan() const { return plan_; }
  int count() const { return count_; }
  bool bf16() const { return bf16_; }

  void place(Arena& arena, NetworkData& network) const;
  void prepare(const NetworkData& network, const WeightTables& tables, cudaStream_t stream) const;

 private:
  WeightPlan plan_;
  int count_;
  bool bf16_;
};

}  // namespace moco::cuda
