// What a thread block of the fused network works on: its slice of a trajectory, its shared memory and the stream of
// weight matrices.
#pragma once

#include "moco/engine/cuda/cluster.cuh"
#include "moco/engine/cuda/fused_shape.h"
#include "moco/engine/cuda/tile.cuh"

namespace moco::cuda {

static_assert(kFusedRowBytes == kPitch<bf16> * static_cast<int>(sizeof(bf16)));

using EdgeTile = Accumulators<kEdgeTile>;
using NodeTile = Accumulators<kNodeTile>;

/// Small vectors in shared memory. Those marked * are read by the whole cluster: a barrier of the cluster lies between
/// each write and the reads, and between the reads and the next write.
struct FusedState {
  float moments[2 * kHidden];  ///< * sums and squares of this block's u
  float norm[2 * kHidden];     ///< factor and shift of the whole trajectory
  float edge_constant[kHidden];
  float node_constant[kHidden];
  float h_g[kHidden];
  float edge_pool[kHidden];           ///< * of this block's edges
  float node_pool[kHidden];           ///< * of this block's nodes
  float global_part[kHidden];         ///< * this block's share of the global update
  float constant_parts[2 * kHidden];  ///< * likewise of the constants
};
static_assert(sizeof(FusedState) == 12 * kHidden * sizeof(float));

/// Nodes first_node … first_node + nodes − 1 of a trajectory and the edges that leave them.
struct Slice {
  const DeviceBatch& batch;
  const NetworkOffsets& net;
  const TrajectoryData& t;
  const GraphData& graph;
  const bf16* matrices;
  const float* vectors;
  int rank;
  int ranks;      ///< blocks of the cluster
  int rows_each;  ///< edges of every block but the last ones
  int first_node;
  int nodes;
  int first_edge;
  int rows;  ///< edges; local numbers below are relative to first_edge

  int slots_at;  ///< places of the regions below in shared memory, in bytes; h is at 0
  int work_at;
  int state_at;
  int u_at;
  uint4* u_global;
  int shared_units;

  /// [rows × 128], with kPitch; read by the whole cluster.
  __device__ bf16* h() const { return region<bf16>(0); }
  /// Weight matrices.
  __device__ bf16* slots() const { return region<bf16>(slots_at); }
  /// Work area, at least as large as each of its uses.
  template <typename T>
  __device__ T* work() const {
    return region<T>(work_at);
  }
  __device__ FusedState& state() const { return *region<FusedState>(state_at); }
  /// u of the 32 edges of a unit in the order of the threads' accumulators: [2 column warps × 8 × 32 lanes].
  __device__ uint4* unit(int index) const {
    constexpr int kWords = kUnitBytes / static_cast<int>(sizeof(uint4));
    return index < shared_units ? region<uint4>(u_at) + index * kWords : u_global + (index - shared_units) * kWords;
  }

 private:
  /// Named from the array itself, so that the compiler knows that this is shared memory.
  template <typename T>
  __device__ static T* region(int at) {
    extern __shared__ __align__(16) unsigned char raw[];
    return reinterpret_cast<T*>(raw + at);
  }
};

/// Where a thread finds its eight pairs of a 64-column half in one piece: pair n (columns 8n + 2q, 8n + 2q + 1) of
/// thread q lies at 16q + 2n. sent and received are stored so.
__device__ inline int pair_place(int column) {
  return column / 64 * 64 + column % 8 / 2 * 16 + column % 64 / 8 * 2;
}

/// Factor and shift for a network's rows from the moments of all blocks, into state.norm. Begins right after a barrier
/// of the cluster and ends with a barrier of the block; uses the work area.
__device__ inline void normalisation_of(const Slice& s, double rows, int scale, int offset) {
  set_normalisation(
      s.ranks, [&](int rank) { return of_rank(s.state().moments, rank)[threadIdx.x]; }, rows, s.vectors + scale,
      s.vectors + offset, s.work<double>(), s.state().norm);
  __syncthreads();
}

/// The matrices of a network in the order of their use, `Slots` of them in shared memory: per block the edge part of
/// W_e, the parts of W_v for h_v, Σ_in and Σ_out, then the sender and receiver parts of the next block's W_e.
template <int Slots>
class WeightStream {
 public:
  __device__ WeightStream(const NetworkOffsets& net, const bf16* matrices, bf16* slots)
      : net_(net), matrices_(matrices), slots_(slots), count_(kPerBlock * net.blocks - (net.has_global ? 2 : 5)) {
    for (int i = 0; i < Slots; ++i) {
      fetch();
    }
  }

  /// The next matrix; a barrier of the block lies in here.
  __device__ const bf16* acquire() {
    wait_async_but<Slots - 1>();
    __syncthreads();
    return slots_ + used_ % Slots * kElements;
  }
  /// All threads call this when done with it; a barrier of the block lies in here.
  __device__ void release() {
    __syncthreads();
    ++used_;
    fetch();
  }

 private:
  static constexpr int kPerBlock = 6;
  static constexpr int kElements = kMatrixBytes / static_cast<int>(sizeof(bf16));

  __device__ int offset(int index) const {
    constexpr int kSquare = kHidden * kHidden;
    const int block = index / kPerBlock;
    const int part = index % kPerBlock;
    if (part == 0) {
      return net_.block[block].edge;
    }
    if (part <= 3) {
      return net_.block[block].node + (part == 1 ? 0 : 4 - part) * kSquare;
    }
    return net_.block[block + 1].edge + (part - 3) * kSquare;
  }
  /// Past the end an empty group keeps the count of groups right.
  __device__ void fetch() {
    if (fetched_ < count_) {
      fetch_matrix(slots_ + fetched_ % Slots * kElements, matrices_ + offset(fetched_), kHidden);
    }
    commit_async();
    ++fetched_;
  }

  const NetworkOffsets& net_;
  const bf16* matrices_;
  bf16* slots_;
  int count_;
  int fetched_ = 0;
  int used_ = 0;
};

}  // namespace moco::cuda
