// Launchers of the network kernels, one .cu file each. All enqueue on the stream and return at once.
#pragma once

#include <functional>

#include "moco/engine/cuda/graph_network/fused/fused_shape.h"
#include "moco/engine/cuda/kit/device.h"
#include "moco/engine/cuda/step/device_batch.h"

namespace moco::cuda {

/// How the neighbours' messages of dense graphs are staged (neighbour_max.cu).
struct NeighbourMaxShape {
  int width = 0;  ///< columns of a slice: 8, 16, 32, 64 or 128; 0: gcn_block gathers for itself
  int parts = 1;  ///< of the nodes of a trajectory
  int room = 0;   ///< for the neighbours of a part's nodes in shared memory, in integers
  int shared_bytes = 0;
};

/// How fused_gcn cuts the nodes of a trajectory over clusters of thread blocks.
struct FusedGcnShape {
  int parts = 0;  ///< clusters per trajectory; 0: it is not used
  int room = 0;   ///< for the neighbours of a part's nodes in shared memory (near_lists.cuh)
  int shared_bytes = 0;
};

/// What narrow_network keeps in shared memory.
struct NarrowShape {
  bool used = false;
  bool messages_shared = false;
  bool edges_shared = false;  ///< then the messages are, too
  int shared_bytes = 0;
};

/// How a batch's rows are cut into items.
struct NetworkShape {
  bool bf16 = true;
  int node_tile = 32;               ///< 16 or 32
  FusedShape fused;                 ///< TSP: all passes in one kernel, when its cluster is not 0
  NarrowShape narrow;               ///< TSP: likewise, for small hidden sizes
  FusedGcnShape fused_gcn;          ///< MIS: likewise, for small batches
  NeighbourMaxShape neighbour_max;  ///< MIS
  int edge_items = 0;
  int node_items = 0;

  bool one_kernel() const { return fused.cluster != 0 || narrow.used || fused_gcn.parts != 0; }
};

/// Whether a global update lies between a block of the GCN and the one before.
MOCO_HOST_DEVICE inline bool updates_before(const NetworkOffsets& net, int block) {
  return block > 0 && net.has_global;
}

void edge_moments(const DeviceBatch& batch, const NetworkOffsets& net, const NetworkShape& shape, int block,
                  cudaStream_t stream);
void edge_advance(const DeviceBatch& batch, const NetworkOffsets& net, const NetworkShape& shape, int block,
                  cudaStream_t stream);
void node_update(const DeviceBatch& batch, const NetworkOffsets& net, const NetworkShape& shape, int block,
                 cudaStream_t stream);
void node_normalise(const DeviceBatch& batch, const NetworkOffsets& net, const NetworkShape& shape, int block,
                    cudaStream_t stream);
/// How many clusters of this shape the current device runs at the same time.
int fused_networks_at_once(const FusedShape& shape);
void fused_network(const DeviceBatch& batch, const NetworkOffsets& net, const FusedShape& shape, cudaStream_t stream);
NarrowShape narrow_shape(int max_nodes, int max_variables);
void narrow_network(const DeviceBatch& batch, const NetworkOffsets& net, const NarrowShape& shape, cudaStream_t stream);
void gcn_embed(const DeviceBatch& batch, const NetworkOffsets& net, const NetworkShape& shape, cudaStream_t stream);
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
void fused_gcn(const DeviceBatch& batch, const NetworkOffsets& net, const NetworkShape& shape, cudaStream_t stream);
NeighbourMaxShape neighbour_max_shape(int max_nodes, double mean_degree, int trajectories, int element_bytes);
/// What gcn_block of that block then finds in `top`, and the global update of the block before; only with a width.
void neighbour_max(const DeviceBatch& batch, const NetworkOffsets& net, const NetworkShape& network, int block,
                   cudaStream_t stream);
void gcn_block(const DeviceBatch& batch, const NetworkOffsets& net, const NetworkShape& shape, int block,
               cudaStream_t stream);

}  // namespace moco::cuda
