// What kernels ask of a batch: whether it is their turn, where a weight set lies, how rows are pooled.
#pragma once

#include "moco/engine/cuda/batch/device_batch.h"
#include "moco/engine/cuda/kit/common.cuh"

namespace moco::cuda {

/// How the global state sees rows: as their sum (a mean is divided in the end), or as the largest value.
struct Pooling {
  bool maximum;

  __device__ explicit Pooling(const DeviceBatch& batch)
      : maximum(batch.network.pooling == static_cast<int>(GlobalPooling::max)) {}
  /// Of no rows.
  __device__ float none() const { return maximum ? -INFINITY : 0.0f; }
  __device__ float join(float a, float b) const { return maximum ? fmaxf(a, b) : a + b; }
};

/// What every block of every kernel of a step calls: it may start before the kernel in front has ended (launch.cuh).
/// Until here it may read only what no kernel of a step writes (chunks, trajectories, graphs, weights); from here on
/// everything before it is done, and the next kernel's blocks may start.
/// Whether the trajectory takes part, which only the host decides.
__device__ inline bool wait_for_previous(const DeviceBatch& batch, int trajectory) {
  const int active = __ldcg(&batch.search.state[trajectory].active);
  cudaGridDependencySynchronize();
  cudaTriggerProgrammaticLaunchCompletion();
  return active != 0;
}

__device__ inline const float* vectors_of(const DeviceBatch& batch, int weights) {
  return batch.network.vectors + weights * batch.network.vector_stride;
}
template <typename T>
__device__ inline const T* matrices_of(const DeviceBatch& batch, int weights) {
  return static_cast<const T*>(batch.network.matrices) + weights * batch.network.matrix_stride;
}

}  // namespace moco::cuda
