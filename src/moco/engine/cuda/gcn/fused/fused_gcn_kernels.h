// Launchers of the GCN in one kernel (fused_gcn.cu), and of the lists that it reads.
#pragma once

#include <cstddef>
#include <functional>

#include "moco/engine/cuda/batch/device_batch.h"
#include "moco/engine/cuda/kit/device.h"

namespace moco::cuda {

/// How fused_gcn cuts the nodes of a trajectory over clusters of thread blocks.
struct FusedGcnShape {
  int parts = 0;  ///< clusters per trajectory; 0: it is not used
  int room = 0;   ///< for the neighbours of a part's nodes in shared memory (near_lists.cuh)
  int shared_bytes = 0;
};

/// Places of a graph's lists for fused_gcn (near_lists.cuh), and filling them.
std::size_t near_list_places(int nodes, std::size_t edges);
void near_lists(const DeviceBatch& batch, int graphs, int max_nodes, cudaStream_t stream);
/// The shape for graphs of up to so many nodes on a device that runs so many clusters at the same time;
/// most_neighbours(parts) is how many the nodes of a part have together, at most. Parts 0 come back when they do not
/// fit.
FusedGcnShape fused_gcn_shape(int max_nodes, int trajectories, int clusters, bool use_bf16,
                              const std::function<int(int)>& most_neighbours);
/// How many clusters the current device runs at the same time, whatever the shape. A batch must not have more.
int fused_gcn_clusters(bool use_bf16);
void fused_gcn(const DeviceBatch& batch, const NetworkOffsets& net, const FusedGcnShape& shape, bool use_bf16,
               cudaStream_t stream);

}  // namespace moco::cuda
