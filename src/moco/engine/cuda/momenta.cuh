// The six running averages of the gradient, m ← βm + (1 − β)g.
#pragma once

#include "moco/engine/cuda/common.cuh"
#include "moco/engine/features.h"

namespace moco::cuda {

/// Stores the gradient of variable `at` (of the whole batch) and advances its momenta.
__device__ inline void store_gradient(const DeviceBatch& batch, long long at, float gradient) {
  constexpr float kDecay[kMomenta] = {kMomentumDecay[0], kMomentumDecay[1], kMomentumDecay[2],
                                      kMomentumDecay[3], kMomentumDecay[4], kMomentumDecay[5]};
  batch.gradient[at] = gradient;
#pragma unroll
  for (int m = 0; m < kMomenta; ++m) {
    float* momentum = batch.momenta + m * batch.total_variables + at;
    *momentum = __fadd_rn(__fmul_rn(kDecay[m], *momentum), __fmul_rn(1.0f - kDecay[m], gradient));
  }
}

}  // namespace moco::cuda
