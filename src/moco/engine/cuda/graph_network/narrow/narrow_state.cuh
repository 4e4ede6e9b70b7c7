// What the passes of narrow_network share: its rows, its weights in shared memory, and the normalisation.
#pragma once

#include "moco/engine/cuda/graph_network/narrow/narrow_tile.cuh"
#include "moco/engine/cuda/step/global.cuh"

namespace moco::cuda {

constexpr int kSquare = kColumns * kColumns;
/// Matrices that a block of the network uses: the edge part of W_e, the parts of W_v for h_v, Σ_out and Σ_in, then the
/// sender and receiver parts of the next block's W_e.
constexpr int kPerBlock = 6;

struct NarrowShared {
  bf16 weights[2][kPerBlock * kSquare];  ///< of this block and of the next
  bf16 embedding[kFeatureRows * kColumns];
  float moments[kNarrowWarps][2 * kColumns];
  float edge_pools[kNarrowWarps][kColumns];
  float node_pools[kNarrowWarps][kColumns];
  float slices[kNarrowWarps][kColumns];
  float norm[2 * kColumns];
  float edge_constant[kColumns];
  float node_constant[kColumns];
  float pooled[3 * kColumns];  ///< of the nodes, of the edges, h_g
  double sums[2 * kColumns];
  GlobalScratch global;
};
static_assert(sizeof(NarrowShared) % 16 == 0);

/// What the passes share. Pointers are to this trajectory's rows.
struct Narrow {
  const DeviceBatch& batch;
  const NetworkOffsets& net;
  NarrowShared& shared;
  TrajectoryData t;
  GraphData graph;
  const bf16* matrices;
  const float* vectors;
  bf16* h_e;
  bf16* sent;
  bf16* received;
  float* h_v;
  float* u_v;
};

/// Sums and squares of u.
struct Moments {
  ColumnSums sum;
  ColumnSums square;

  __device__ void add(const float (&u)[8]) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      sum.value[i] += u[i];
      square.value[i] = fmaf(u[i], u[i], square.value[i]);
    }
  }
  /// Factor and shift for all rows into shared.norm; a barrier at the end and one within.
  __device__ void normalise(const Narrow& s, double rows, int scale, int offset) {
    sum.finish(plus, s.shared.moments[warp_number()]);
    square.finish(plus, s.shared.moments[warp_number()] + kColumns);
    __syncthreads();
    set_normalisation<kColumns>(
        kNarrowWarps, [&](int warp, int c) { return s.shared.moments[warp][c]; }, rows, s.vectors + scale,
        s.vectors + offset, s.shared.sums, s.shared.norm);
    __syncthreads();
  }
};

/// Starts copying a padded matrix of `rows` rows.
__device__ inline void fetch_narrow(bf16* to, const bf16* from, int rows) {
  constexpr int kChunks = kColumns / 8;
  for (int i = static_cast<int>(threadIdx.x); i < rows * kChunks; i += kNarrowThreads) {
    copy_async16(to + 8 * i, from + i / kChunks * kHidden + i % kChunks * 8);
  }
}

/// Starts copying the matrices of a block, if there is one; wait_async and a barrier must follow.
__device__ inline void fetch_block(const Narrow& s, int block) {
  constexpr int kPadded = kHidden * kHidden;
  const bool nodes = block + 1 < s.net.blocks || needs_last_nodes(s.batch, s.net);
  for (int part = 0; block < s.net.blocks && part < kPerBlock; ++part) {
    const BlockOffsets& own = s.net.block[block];
    bf16* to = s.shared.weights[block % 2] + part * kSquare;
    if (part == 0) {
      fetch_narrow(to, s.matrices + own.edge, kColumns);
    } else if (part <= 3 && nodes) {
      fetch_narrow(to, s.matrices + own.node + (part - 1) * kPadded, kColumns);
    } else if (part > 3 && block + 1 < s.net.blocks) {
      fetch_narrow(to, s.matrices + s.net.block[block + 1].edge + (part - 3) * kPadded, kColumns);
    }
  }
}

__device__ inline const bf16* weights_of(const Narrow& s, int block, int part) {
  return s.shared.weights[block % 2] + part * kSquare;
}

}  // namespace moco::cuda
