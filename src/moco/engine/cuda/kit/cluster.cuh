// A thread-block cluster: blocks on neighbouring multiprocessors that wait for each other and read each other's shared
// memory.
#pragma once

#include <cooperative_groups.h>

namespace moco::cuda {

__device__ inline int cluster_rank() {
  return static_cast<int>(cooperative_groups::this_cluster().block_rank());
}

__device__ inline int cluster_size() {
  return static_cast<int>(cooperative_groups::this_cluster().num_blocks());
}

/// A barrier of all threads of the cluster. What any of them wrote before, to global memory or to its own shared
/// memory, all of them see after.
__device__ inline void cluster_sync() {
  cooperative_groups::this_cluster().sync();
}

/// The two halves of cluster_sync(), for work in between.
__device__ inline void cluster_arrive() {
  asm volatile("barrier.cluster.arrive.release.aligned;\n" ::: "memory");
}
__device__ inline void cluster_wait() {
  asm volatile("barrier.cluster.wait.acquire.aligned;\n" ::: "memory");
}

/// The same place in the shared memory of the block with this rank.
template <typename T>
__device__ inline const T* of_rank(const T* shared, int rank) {
  return cooperative_groups::this_cluster().map_shared_rank(const_cast<T*>(shared), rank);
}

}  // namespace moco::cuda
