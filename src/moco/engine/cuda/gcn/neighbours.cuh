// How many neighbours a node has (MIS), and lists of them, fetched ahead.
#pragma once

#include "moco/engine/cuda/batch/rows.h"
#include "moco/engine/cuda/kit/tile.cuh"

namespace moco::cuda {

__device__ inline int degree_of(const GraphData& graph, int node) {
  return static_cast<int>(graph.offsets[node + 1] - graph.offsets[node]);
}

/// By which the authors' GCN multiplies a node's messages, sent and received.
__device__ inline float degree_scale(int degree) {
  return 1.0f / sqrtf(static_cast<float>(max(degree, 1)));
}

/// The neighbours of consecutive nodes, in shared memory where they fit into `room` integers: they and the places where
/// each node's begin are on their way from the beginning. By a block of `Threads`.
template <int Threads>
class Neighbours {
 public:
  __device__ Neighbours(const GraphData& graph, int first, int end, int* shared, int room)
      : first_(first), shared_(shared), base_(graph.offsets[first]) {
    const int nodes = end - first;
    const auto count = static_cast<int>(graph.offsets[end] - base_);
    targets_ = graph.targets + base_;
    offsets_ = graph.offsets + first;
    fit_ = nodes + 1 + count <= room;
    for (int i = static_cast<int>(threadIdx.x); fit_ && i <= nodes; i += Threads) {
      shared[i] = nodes + 1 + static_cast<int>(offsets_[i] - base_);
    }
#pragma unroll 4
    for (int i = static_cast<int>(threadIdx.x); fit_ && i < count; i += Threads) {
      copy_async4(shared + nodes + 1 + i, targets_ + i);
    }
  }

  /// A node's neighbours, and how many they are; after wait_async and a barrier.
  __device__ const int* of(int node, int& degree) const {
    const int i = node - first_;
    if (fit_) {
      degree = shared_[i + 1] - shared_[i];
      return shared_ + shared_[i];
    }
    degree = static_cast<int>(offsets_[i + 1] - offsets_[i]);
    return targets_ + (offsets_[i] - base_);
  }

 private:
  int first_;
  const int* shared_;
  long long base_;
  const int* targets_;
  const long long* offsets_;
  bool fit_;
};

}  // namespace moco::cuda
