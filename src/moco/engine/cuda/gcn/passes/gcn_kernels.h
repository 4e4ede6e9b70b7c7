// Launchers of the GCN's passes, in their order. All enqueue on the stream and return at once.
#pragma once

#include "moco/engine/cuda/batch/device_batch.h"
#include "moco/engine/cuda/batch/pass_shape.h"
#include "moco/engine/cuda/kit/device.h"

namespace moco::cuda {

/// How the neighbours' messages of dense graphs are staged (neighbour_max.cu).
struct NeighbourMaxShape {
  int width = 0;  ///< columns of a slice: 8, 16, 32, 64 or 128; 0: gcn_block gathers for itself
  int parts = 1;  ///< of the nodes of a trajectory
  int room = 0;   ///< for the neighbours of a part's nodes in shared memory, in integers
  int shared_bytes = 0;
};

/// Whether a global update lies between a block of the GCN and the one before.
MOCO_HOST_DEVICE inline bool updates_before(const NetworkOffsets& net, int block) {
  return block > 0 && net.has_global;
}

void gcn_embed(const DeviceBatch& batch, const NetworkOffsets& net, const PassShape& shape, cudaStream_t stream);
NeighbourMaxShape neighbour_max_shape(int max_nodes, double mean_degree, int trajectories, int element_bytes);
/// What gcn_block of that block then finds in `top`, and the global update of the block before; only with a width.
void neighbour_max(const DeviceBatch& batch, const NetworkOffsets& net, const NeighbourMaxShape& shape, bool use_bf16,
                   int block, cudaStream_t stream);
void gcn_block(const DeviceBatch& batch, const NetworkOffsets& net, const PassShape& shape, int block,
               cudaStream_t stream);

}  // namespace moco::cuda
