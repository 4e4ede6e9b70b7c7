// Advantage of a choice of an independent set: cost (total) or cost to go (causal) minus the mean over the samples.
#pragma once

#include "moco/engine/cuda/common.cuh"

namespace moco::cuda {

/// Every choice costs −1, so the cost to go from step t is −(length − t), or 0 after the end. MIS costs have scale 1.
__device__ inline double mis_advantage(const DeviceBatch& batch, int trajectory, int sample, int step,
                                       double mean_cost) {
  const int* lengths = batch.lengths + static_cast<long long>(trajectory) * batch.samples;
  if (!batch.causal) {
    return -static_cast<double>(__ldcg(lengths + sample)) - mean_cost;
  }
  long long sum = 0;
  for (int s = 0; s < batch.samples; ++s) {
    sum -= max(__ldcg(lengths + s) - step, 0);
  }
  return -static_cast<double>(__ldcg(lengths + sample) - step) - static_cast<double>(sum) / batch.samples;
}

}  // namespace moco::cuda
