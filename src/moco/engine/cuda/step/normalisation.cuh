// Normalisation constants from the moments of a whole trajectory's chunks.
#pragma once

#include "moco/engine/cuda/batch/rows.h"
#include "moco/engine/cuda/kit/tile.cuh"

namespace moco::cuda {

/// As set_normalisation() of parts, from the moments that a trajectory's chunks left in global memory.
__device__ inline void set_normalisation(const float* partials, ChunkRange chunks, double rows, const float* scale,
                                         const float* offset, double* scratch, float* norm) {
  const float* first = partials + static_cast<long long>(chunks.first) * 2 * kHidden;
  set_normalisation(
      chunks.count, [&](int i, int c) { return __ldcg(first + static_cast<long long>(i) * 2 * kHidden + c); }, rows,
      scale, offset, scratch, norm);
}

}  // namespace moco::cuda
