// Puts neighbours in order, once per batch; a warp per node. Two rounds over the neighbours: the first counts how many
// belong to each piece, the second stores each in its piece or, where that is full, in a free place of another.
#include "moco/engine/cuda/gcn/fused/fused_gcn_kernels.h"
#include "moco/engine/cuda/gcn/fused/near_lists.cuh"

namespace moco::cuda {

namespace {

/// Places in the pieces of a list, given to neighbours in the order in which they come. A warp together.
class Places {
 public:
  __device__ explicit Places(int length) : length_(length) {}

  /// Begins the second round.
  __device__ void again() {
    overflow_ = 0;
#pragma unroll
    for (int p = 0; p < kNearPieces; ++p) {
      filled_[p] = min(count_[p], length_);
      count_[p] = 0;
    }
  }
  /// A place for this lane's neighbour, if it has one; right only in the second round.
  __device__ int next(bool has, int neighbour) {
    int place = 0;
    bool late = false;
#pragma unroll
    for (int p = 0; p < kNearPieces; ++p) {
      const bool here = has && neighbour % kNearPieces == p;
      const unsigned all = __ballot_sync(kFullWarp, here);
      const int rank = count_[p] + __popc(all & below());
      if (here) {
        place = p * length_ + rank;
        late = rank >= length_;
      }
      count_[p] += __popc(all);
    }
    const unsigned all_late = __ballot_sync(kFullWarp, late);
    if (late) {
      place = free_place(overflow_ + __popc(all_late & below()));
    }
    overflow_ += __popc(all_late);
    return place;
  }
  /// Those that are left after the second round are free_place(overflow()) and the following.
  __device__ int overflow() const {
    return overflow_;
  }
  __device__ int free_place(int number) const {
#pragma unroll
    for (int p = 0; p < kNearPieces; ++p) {
      const int free = length_ - filled_[p];
      if (number < free) {
        return p * length_ + filled_[p] + number;
      }
      number -= free;
    }
    return 0;
  }

 private:
  __device__ static unsigned below() {
    return (1u << threadIdx.x % 32) - 1u;
  }

  int length_;
  int count_[kNearPieces] = {};
  int filled_[kNearPieces] = {};
  int overflow_ = 0;
};

/// Blocks (x, y): warps x · 8 + … take the nodes of graph y.
__global__ void __launch_bounds__(kThreads) near_lists_kernel(const __grid_constant__ DeviceBatch batch) {
  const GraphData graph = batch.graphs[blockIdx.y];
  const auto node = static_cast<int>((blockIdx.x * kThreads + threadIdx.x) / 32);
  if (node >= graph.nodes) {
    return;
  }
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const long long offset = graph.offsets[node];
  const auto degree = static_cast<int>(graph.offsets[node + 1] - offset);
  const int* targets = graph.targets + offset;
  std::uint16_t* list = graph.near + near_start(offset, node);
  Places places(near_length(degree));
  for (int base = 0; base < degree; base += 32) {
    places.next(base + lane < degree, base + lane < degree ? targets[base + lane] : 0);
  }
  places.again();
  for (int base = 0; base < degree; base += 32) {
    const bool has = base + lane < degree;
    const int neighbour = has ? targets[base + lane] : 0;
    const int place = places.next(has, neighbour);
    if (has) {
      list[place] = static_cast<std::uint16_t>(neighbour);
    }
  }
  const int free = kNearPieces * near_length(degree) - degree;
  for (int i = lane; i < free; i += 32) {
    list[places.free_place(places.overflow() + i)] = static_cast<std::uint16_t>(targets[0]);
  }
}

}  // namespace

std::size_t near_list_places(int nodes, std::size_t edges) {
  return static_cast<std::size_t>(near_start(static_cast<long long>(edges), nodes)) + 8;
}

void near_lists(const DeviceBatch& batch, int graphs, int max_nodes, cudaStream_t stream) {
  const dim3 grid(static_cast<unsigned>((max_nodes * 32 + kThreads - 1) / kThreads), static_cast<unsigned>(graphs));
  near_lists_kernel<<<grid, kThreads, 0, stream>>>(batch);
  MOCO_CUDA_CHECK(cudaGetLastError());
}

}  // namespace moco::cuda
