// The six running averages of the gradient, m ← βm + (1 − β)g.
#pragma once

#include "moco/engine/cuda/batch/batch.cuh"
#include "moco/engine/features.h"

namespace moco::cuda {

/// Stores the gradient of variable `at` (of the whole batch) and advances its momenta.
__device__ inline void store_gradient(const DeviceBatch& batch, long long at, float gradient) {
  float momentum[kMomenta];  // all on their way before the first is stored
#pragma unroll
  for (int m = 0; m < kMomenta; ++m) {
    momentum[m] = batch.search.momenta[m * batch.total_variables + at];
  }
  batch.search.gradient[at] = gradient;
#pragma unroll
  for (int m = 0; m < kMomenta; ++m) {
    const float decay = momentum_decay(m);
    batch.search.momenta[m * batch.total_variables + at] =
        __fadd_rn(__fmul_rn(decay, momentum[m]), __fmul_rn(1.0f - decay, gradient));
  }
}

}  // namespace moco::cuda
