// Weights that a later kernel or a later part of a kernel will want, on their way into the second-level cache.
#pragma once

#include "moco/engine/cuda/kit/common.cuh"

namespace moco::cuda {

/// Asks for `count` matrices [128 × 128]; `share` of `shares` thread blocks that do so.
__device__ inline void prefetch_matrices(const bf16* matrices, unsigned count, unsigned share = 0,
                                         unsigned shares = 1) {
  constexpr unsigned kLine = 128 / sizeof(bf16);
  const unsigned lines = count * kHidden * kHidden / kLine;
  for (unsigned line = share * blockDim.x + threadIdx.x; line < lines; line += shares * blockDim.x) {
    asm volatile("prefetch.global.L2 [%0];\n" ::"l"(matrices + line * kLine));
  }
}

}  // namespace moco::cuda
