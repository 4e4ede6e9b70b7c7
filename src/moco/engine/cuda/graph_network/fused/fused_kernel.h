// Launcher of the graph network in one kernel (fused_network.cu).
#pragma once

#include "moco/engine/cuda/batch/device_batch.h"
#include "moco/engine/cuda/graph_network/fused/fused_shape.h"
#include "moco/engine/cuda/kit/device.h"

namespace moco::cuda {

/// How many clusters of this shape the current device runs at the same time.
int fused_networks_at_once(const FusedShape& shape);
void fused_network(const DeviceBatch& batch, const NetworkOffsets& net, const FusedShape& shape, cudaStream_t stream);

}  // namespace moco::cuda
