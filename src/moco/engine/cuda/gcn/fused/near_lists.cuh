// Neighbours in the order in which fused_gcn reads their messages from shared memory.
//
// A node's list consists of four pieces of equal length, a multiple of four. Piece p holds neighbours whose number is p
// modulo 4, as far as they and the pieces go together: read at the same place of all four pieces, their messages of 32
// bytes then lie in different banks. Free places repeat a neighbour, which leaves every maximum as it is.
#pragma once

#include "moco/engine/cuda/batch/batch.cuh"

namespace moco::cuda {

constexpr int kNearPieces = 4;

/// Length of a piece.
__host__ __device__ inline int near_length(int degree) {
  return (degree + 15) / 16 * 4;
}

/// Where the list of a node begins; its neighbours begin at `offset` in the graph's own list.
__host__ __device__ inline long long near_start(long long offset, int node) {
  return (offset + 24LL * node) / 8 * 8;
}

}  // namespace moco::cuda
