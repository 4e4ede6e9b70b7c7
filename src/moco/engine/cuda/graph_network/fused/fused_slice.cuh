// What a thread block of the fused network works on: its slice of a trajectory, its shared memory and the stream of
// weight matrices.
#pragma once

#include "moco/engine/cuda/batch/batch.cuh"
#include "moco/engine/cuda/graph_network/fused/fused_shape.h"
#include "moco/engine/cuda/kit/cluster.cuh"
#include "moco/engine/cuda/kit/row_order.cuh"

namespace moco::cuda {

static_assert(kFusedRowBytes == kPitch<bf16> * static_cast<int>(sizeof(bf16)));

constexpr int kFusedWarps = kFusedThreads / 32;
using EdgeTile = Accumulators<kEdgeTile, kFusedWarps>;
using NodeTile = Accumulators<kNodeTile, kFusedWarps>;
static_assert(EdgeTile::kColumnTiles == 4);  // a thread's pairs of a row lie in one piece (row_place)

/// Small vectors in shared memory. Those marked * are read by the whole cluster: a barrier of the cluster lies between
/// each write and the reads, and between the reads and the next write.
struct FusedState {
  float moments[2 * kHidden];  ///< * sums and squares of this block's u
  float norm[2 * kHidden];     ///< factor and shift of the whole trajectory
  float edge_constant[kHidden];
  float node_constant[kHidden];
  float h_g[kHidden];
  float embedding_bias[kHidden];
  float ordinary[kHidden];  ///< first block: what sender and receiver add to an edge unless one of them is the start
  float decoder[kHidden];
  float edge_pool[kHidden];           ///< * of this block's edges; after the global update, of all edges
  float node_pool[kHidden];           ///< * of this block's nodes; likewise
  float global_part[kHidden];         ///< * this block's share of the global update
  float constant_parts[2 * kHidden];  ///< * likewise of the constants
};
static_assert(sizeof(FusedState) == kStateBytes);

/// Nodes first_node … first_node + nodes − 1 of a trajectory and the edges that leave them. It lies at the start of
/// shared memory, copies of the batch's structures included: every function finds it there in some 30 cycles, where
/// arguments on the stack would compete for the little cache that the shared memory leaves.
struct Slice {
  DeviceBatch batch;
  NetworkOffsets net;
  TrajectoryData t;
  GraphData graph;
  const bf16* matrices;
  const float* vectors;
  int rank;
  int ranks;      ///< blocks of the cluster
  int rows_each;  ///< edges of every block but the last ones
  int first_node;
  int nodes;
  int first_edge;
  int rows;  ///< edges; local numbers below are relative to first_edge

  int slots_at;  ///< places of the regions below in shared memory, in bytes
  int work_at;
  int state_at;
  int u_at;
  uint4* u_global;
  int shared_units;

  /// [rows × 128], with kPitch; read by the whole cluster.
  __device__ bf16* h() const { return region<bf16>(kSliceBytes); }
  /// Weight matrices.
  __device__ bf16* slots() const { return region<bf16>(slots_at); }
  /// Work area, at least as large as each of its uses.
  template <typename T>
  __device__ T* work() const {
    return region<T>(work_at);
  }
  __device__ FusedState& state() const { return *region<FusedState>(state_at); }
  /// u of the 32 edges of a unit in the order of the threads' accumulators: [4 column warps × 4 rows × 32 lanes].
  __device__ uint4* unit(int index) const {
    constexpr int kWords = kUnitBytes / static_cast<int>(sizeof(uint4));
    return index < shared_units ? region<uint4>(u_at) + index * kWords : u_global + (index - shared_units) * kWords;
  }

  /// Named from the array itself, so that the compiler knows that this is shared memory.
  template <typename T>
  __device__ static T* region(int at) {
    extern __shared__ __align__(16) unsigned char raw[];
    return reinterpret_cast<T*>(raw + at);
  }
};
static_assert(sizeof(Slice) <= kSliceBytes);

/// The block's slice.
__device__ inline const Slice& slice() {
  return *Slice::region<const Slice>(0);
}

/// Factor and shift for a network's rows from the moments of all blocks, into state.norm. Begins right after a barrier
/// of the cluster and ends with a barrier of the block; uses the work area.
__device__ inline void normalisation_of(const Slice& s, double rows, int scale, int offset) {
  set_normalisation(
      s.ranks, [&](int rank, int c) { return of_rank(s.state().moments, rank)[c]; }, rows, s.vectors + scale,
      s.vectors + offset, s.work<double>(), s.state().norm);
  __syncthreads();
}

/// The matrices of a network in the order of their use, `Slots` of them in shared memory: per block the edge part of
/// W_e, the parts of W_v for h_v, Σ_in and Σ_out, then the sender and receiver parts of the next block's W_e.
template <int Slots>
struct WeightStream {
  static constexpr int kPerBlock = 6;

  __device__ static void begin(const Slice& s) {
    for (int i = 0; i < Slots; ++i) {
      fetch(s, i);
    }
  }
  /// The matrix with this number, when it is its turn; a barrier of the block lies in here.
  __device__ static const bf16* acquire(const Slice& s, int index) {
    wait_async_but<Slots - 1>();
    __syncthreads();
    return s.slots() + index % Slots * kElements;
  }
  /// All threads call this when done with it; a barrier of the block lies in here.
  __device__ static void release(const Slice& s, int index) {
    __syncthreads();
    fetch(s, index + Slots);
  }

 private:
  static constexpr int kElements = kMatrixBytes / static_cast<int>(sizeof(bf16));

  __device__ static int offset(const NetworkOffsets& net, int index) {
    constexpr int kSquare = kHidden * kHidden;
    const int block = index / kPerBlock;
    const int part = index % kPerBlock;
    if (part == 0) {
      return net.block[block].edge;
    }
    if (part <= 3) {
      return net.block[block].node + (part == 1 ? 0 : 4 - part) * kSquare;
    }
    return net.block[block + 1].edge + (part - 3) * kSquare;
  }
  /// Past the end an empty group keeps the count of groups right.
  __device__ static void fetch(const Slice& s, int index) {
    if (index < kPerBlock * s.net.blocks - (needs_last_nodes(s.batch, s.net) ? 2 : 5)) {
      fetch_matrix<kFusedThreads>(s.slots() + index % Slots * kElements, s.matrices + offset(s.net, index), kHidden);
    }
    commit_async();
  }
};

}  // namespace moco::cuda
