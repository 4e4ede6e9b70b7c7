// Launchers of the kernels that every problem's steps share. All enqueue on the stream and return at once.
#pragma once

#include <span>

#include "moco/engine/cuda/batch/device_batch.h"
#include "moco/engine/cuda/kit/device.h"

namespace moco::cuda {

/// Mean entropy of the policy's choices → state.
void entropy(const DeviceBatch& batch, cudaStream_t stream);

/// Copies θ of all trajectories.
void keep_theta(const DeviceBatch& batch, float* place, cudaStream_t stream);

/// Brings a θ from outside into the range that searches keep to; what is not a number becomes 0.
void bound_theta(std::span<float> theta, cudaStream_t stream);

}  // namespace moco::cuda
