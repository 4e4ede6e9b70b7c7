// The order in which rows of 128 columns are kept in memory where warps multiply them.
//
// A thread of a product holds, of a row, the pairs of columns (8j + 2q, 8j + 2q + 1) with q = lane % 4. In this order
// it finds four of its pairs in one piece.
#pragma once

#include "moco/engine/cuda/kit/tile.cuh"

namespace moco::cuda {

/// Where a row keeps a column: of 32 columns, pair j of thread q lies at 8q + 2j.
__host__ __device__ constexpr unsigned row_place(unsigned column) {
  return column / 32 * 32 + column % 8 / 2 * 8 + column % 32 / 8 * 2;
}
/// The column of the pair n (of four) among the eight elements that begin at place 8·eighth.
__device__ inline int column_at(int eighth, int n) {
  return eighth / 4 * 32 + 8 * n + eighth % 4 * 2;
}

/// Stores four pairs of bf16.
__device__ inline void store_four(bf16* to, const std::uint32_t* pairs) {
  *reinterpret_cast<uint4*>(to) = make_uint4(pairs[0], pairs[1], pairs[2], pairs[3]);
}

}  // namespace moco::cuda
