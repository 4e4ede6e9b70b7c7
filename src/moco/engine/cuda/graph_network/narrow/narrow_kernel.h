// Launcher of the graph network of small hidden sizes in one kernel (narrow_network.cu).
#pragma once

#include "moco/engine/cuda/batch/device_batch.h"
#include "moco/engine/cuda/kit/device.h"

namespace moco::cuda {

/// What narrow_network keeps in shared memory.
struct NarrowShape {
  bool messages_shared = false;
  bool edges_shared = false;  ///< then the messages are, too
  int shared_bytes = 0;
};

NarrowShape narrow_shape(int max_nodes, int max_variables);
void narrow_network(const DeviceBatch& batch, const NetworkOffsets& net, const NarrowShape& shape, cudaStream_t stream);

}  // namespace moco::cuda
