// Launchers of the graph network's passes, in their order. All enqueue on the stream and return at once.
#pragma once

#include "moco/engine/cuda/batch/device_batch.h"
#include "moco/engine/cuda/batch/pass_shape.h"
#include "moco/engine/cuda/kit/device.h"

namespace moco::cuda {

inline constexpr int kEdgeWarps = 4;       ///< of a thread block of the passes over edges: a warpgroup
inline constexpr int kMostEdgeNodes = 24;  ///< of a chunk of the passes over edges

void edge_moments(const DeviceBatch& batch, const NetworkOffsets& net, const PassShape& shape, int block,
                  cudaStream_t stream);
void edge_advance(const DeviceBatch& batch, const NetworkOffsets& net, const PassShape& shape, int block,
                  cudaStream_t stream);
void node_update(const DeviceBatch& batch, const NetworkOffsets& net, const PassShape& shape, int block,
                 cudaStream_t stream);
void node_normalise(const DeviceBatch& batch, const NetworkOffsets& net, const PassShape& shape, int block,
                    cudaStream_t stream);

}  // namespace moco::cuda
