// A whole GCN in one kernel, for batches that the device holds at once. The formulas are those of gcn.cu and
// global.cuh; sums are formed in a fixed order.
//
// The nodes of a trajectory are cut into parts, one cluster of eight thread blocks each. A block owns 16 of the 128
// columns of its part's rows: it keeps h there in registers, takes the largest messages of these columns (all nodes',
// in shared memory) and forms these columns of every product. Left operands need all columns: each block sends its own
// to all of the cluster. The global part is computed by every cluster, its columns cut likewise. Messages and partial
// pools pass between clusters through global memory.
//
// Clusters of a trajectory meet once per block of the network: messages and pools are written; then read. What others
// read or receive is written by turns in two places: a block writes there again after it has met or heard from all
// others once more, and by then they have read it.
#include <algorithm>
#include <map>
#include <mutex>

#include "moco/engine/cuda/batch/launch.cuh"
#include "moco/engine/cuda/gcn/fused/fused_gcn_part.cuh"

namespace moco::cuda {

namespace {

constexpr int kFewestRows = 16;     // of a part, where the device is not full
constexpr int kAlone = 115 * 1024;  // of shared memory: with less, blocks would share multiprocessors while others idle

template <typename T, GlobalUse Use>
__global__ void __launch_bounds__(kFusedThreads)
    fused_gcn_kernel(const __grid_constant__ DeviceBatch batch, const __grid_constant__ NetworkOffsets net,
                     const __grid_constant__ FusedGcnShape shape) {
  GcnPart<T, Use>(batch, net, shape).run();
}

using Kernel = void (*)(DeviceBatch, NetworkOffsets, FusedGcnShape);

template <typename T>
Kernel kernel_of(GlobalUse use) {
  return use == GlobalUse::none    ? fused_gcn_kernel<T, GlobalUse::none>
         : use == GlobalUse::mixed ? fused_gcn_kernel<T, GlobalUse::mixed>
                                   : fused_gcn_kernel<T, GlobalUse::added>;
}
Kernel kernel_of(bool use_bf16, GlobalUse use) {
  return use_bf16 ? kernel_of<bf16>(use) : kernel_of<float>(use);
}

/// All blocks run at the same time, because they wait for each other.
ClusterLaunch launch_of(Kernel kernel, const FusedGcnShape& shape, const DeviceBatch& batch) {
  return {
      reinterpret_cast<const void*>(kernel), batch, batch.trajectories * shape.parts, kRanks, shape.shared_bytes, true};
}

}  // namespace

FusedGcnShape fused_gcn_shape(int max_nodes, int trajectories, int clusters, bool use_bf16,
                              const std::function<int(int)>& most_neighbours) {
  FusedGcnShape shape;
  if (trajectories == 0 || max_nodes == 0) {
    return shape;
  }
  const int parts = std::min({kMostParts, (max_nodes + kFewestRows - 1) / kFewestRows, clusters / trajectories});
  const int element = use_bf16 ? 2 : 4;
  const auto fixed = static_cast<int>(use_bf16 ? sizeof(GcnShared<bf16>) : sizeof(GcnShared<float>));
  const long long bytes = fixed + static_cast<long long>(max_nodes) * kSlice * element;
  if (parts * kRows < max_nodes || bytes > kMostShared) {
    return shape;
  }
  shape.parts = parts;
  const long long room = near_start(most_neighbours(parts), (max_nodes + parts - 1) / parts) + 16;
  if (bytes + 2 * room <= kMostShared) {
    shape.room = static_cast<int>(room);
  }
  shape.shared_bytes = std::max(static_cast<int>(bytes) + 2 * shape.room, kAlone);
  return shape;
}

int fused_gcn_clusters(bool use_bf16) {
  static std::mutex mutex;
  static std::map<std::pair<int, bool>, int> known;
  int device = 0;
  MOCO_CUDA_CHECK(cudaGetDevice(&device));
  const std::lock_guard lock(mutex);
  const std::pair key{device, use_bf16};
  if (!known.contains(key)) {
    DeviceBatch batch;
    batch.trajectories = 1;
    const FusedGcnShape shape{.parts = 1, .shared_bytes = kMostShared};
    const Kernel kernel = kernel_of(use_bf16, GlobalUse::mixed);
    known[key] = launch_of(kernel, shape, batch).at_once();
  }
  return known[key];
}

void fused_gcn(const DeviceBatch& batch, const NetworkOffsets& net, const FusedGcnShape& shape, bool use_bf16,
               cudaStream_t stream) {
  const GlobalUse use = !net.has_global ? GlobalUse::none : batch.network.authors ? GlobalUse::added : GlobalUse::mixed;
  const Kernel kernel = kernel_of(use_bf16, use);
  launch_of(kernel, shape, batch).run(kernel, stream, batch, net, shape);
}

}  // namespace moco::cuda
