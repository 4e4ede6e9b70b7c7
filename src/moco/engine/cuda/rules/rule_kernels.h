// Launchers of the kernels of rules that take each variable for itself. All enqueue on the stream and return at once.
#pragma once

#include "moco/engine/cuda/batch/device_batch.h"
#include "moco/engine/cuda/kit/device.h"

namespace moco::cuda {

/// Variables of a thread block of the kernels that take a few operations for each.
inline constexpr int kVariablesOfBlock = 4096;

/// A step of Adam.
void adam_update(const DeviceBatch& batch, cudaStream_t stream);

/// The present θ weighed, and the first pheromones.
void pheromones_begin(const DeviceBatch& batch, float weight, cudaStream_t stream);
/// What evaporates, and what the samples and the best solution so far deposit.
void pheromones_deposit(const DeviceBatch& batch, cudaStream_t stream);
/// θ by the pheromones.
void pheromones_update(const DeviceBatch& batch, cudaStream_t stream);

/// How the network of rule mlp runs, decided once per batch.
struct MlpShape {
  bool bf16 = true;
  bool narrow = false;   ///< hidden sizes of up to 32
  bool resident = true;  ///< all its matrices lie in shared memory together
  int shared_bytes = 0;
};
/// Rows that a thread block takes at a time.
inline constexpr int kMlpRows = 128;

MlpShape mlp_shape(int hidden, int blocks, bool bf16);
void mlp_update(const DeviceBatch& batch, const MlpOffsets& net, const MlpShape& shape, cudaStream_t stream);

}  // namespace moco::cuda
