// Launchers of the graph network's passes, in their order. All enqueue on the stream and return at once.
#pragma once

#include "moco/engine/cuda/batch/device_batch.h"
#include "moco/engine/cuda/batch/pass_shape.h"
#include "moco/engine/cuda/kit/device.h"

namespace moco::cuda {

inline constexpr int kClusterNodes = 64;   ///< of a chunk of node_cluster, at most
inline constexpr int kMostEdgeNodes = 29;  ///< of a chunk of the passes over edges
inline constexpr int kTileEdges = 64;      ///< that the passes over edges take at a time in bf16

void edge_moments(const DeviceBatch& batch, const NetworkOffsets& net, const PassShape& shape, int block,
                  cudaStream_t stream);
void edge_advance(const DeviceBatch& batch, const NetworkOffsets& net, const PassShape& shape, int block,
                  cudaStream_t stream);
void node_update(const DeviceBatch& batch, const NetworkOffsets& net, const PassShape& shape, int block,
                 cudaStream_t stream);
void node_normalise(const DeviceBatch& batch, const NetworkOffsets& net, const PassShape& shape, int block,
                    cudaStream_t stream);
/// The passes over nodes in one kernel, in bf16.
void node_cluster(const DeviceBatch& batch, const NetworkOffsets& net, const PassShape& shape, int block,
                  cudaStream_t stream);

/// The passes over edges in bf16, by thread blocks of `chunks`.
void tile_moments(const DeviceBatch& batch, const NetworkOffsets& net, int chunks, int block, cudaStream_t stream);
void tile_advance(const DeviceBatch& batch, const NetworkOffsets& net, int chunks, int block, cudaStream_t stream);

}  // namespace moco::cuda
