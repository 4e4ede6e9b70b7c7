// Sixteen columns of rows and matrices, and their products: what a thread block of fused_gcn works on.
#pragma once

#include "moco/engine/cuda/kit/tile.cuh"

namespace moco::cuda {

constexpr int kSlice = 16;  // columns of a block
template <typename T>
constexpr int kChunk = 16 / static_cast<int>(sizeof(T));  // elements that are copied at a time
template <typename T>
constexpr int kSliceChunks = kSlice / kChunk<T>;

/// Rows [Rows × 16] in shared memory. bf16: the two halves of a row change places in every other group of four rows, so
/// that eight rows meet all banks once.
template <typename T, int Rows>
struct __align__(16) SliceRows {
  T element[Rows * kSlice];

  __device__ static int place(int row, int column) {
    const int chunk = sizeof(T) == 2 ? column / kChunk<T> ^ row / 4 % 2 : column / kChunk<T>;
    return row * kSlice + chunk * kChunk<T> + column % kChunk<T>;
  }
  /// Starts copying these columns of a matrix of `rows` rows, which begins at `global`; wait_async and a barrier must
  /// follow.
  __device__ void fetch(const T* global, int rows = Rows) {
    static_assert(Rows * kSliceChunks<T> <= kFusedThreads);
    if (const auto i = static_cast<int>(threadIdx.x); i < rows * kSliceChunks<T>) {
      const int row = i / kSliceChunks<T>;
      const int column = i % kSliceChunks<T> * kChunk<T>;
      copy_async16(element + place(row, column), global + row * kHidden + column);
    }
  }
  /// Adds this thread's share of x [rows] · this matrix to two columns; x(row) is an element. A block of 512 threads; a
  /// sum over the lanes with the same remainder modulo 8 and all warps must follow.
  template <typename X>
  __device__ void add_row_product(const X& x, int rows, float2& sum) const {
#pragma unroll
    for (int i = 0; i < Rows / 64; ++i) {
      const auto row = static_cast<int>(64 * i + threadIdx.x / 8);
      if (row < rows) {
        const float2 w = load2(element + place(row, static_cast<int>(threadIdx.x) % 8 * 2));
        const float factor = x(row);
        sum.x = fmaf(factor, w.x, sum.x);
        sum.y = fmaf(factor, w.y, sum.y);
      }
    }
  }
};

/// A thread's share of rows [64 × 16]: columns c and c + 1 of rows r and r + 8, held by the first eight warps.
struct Quarter {
  float value[4];

  __device__ static int warp() { return static_cast<int>(threadIdx.x) / 32; }
  __device__ static int lane() { return static_cast<int>(threadIdx.x) % 32; }
  __device__ static int row_tile() { return warp() / 2; }
  __device__ static int row(int half) { return row_tile() * 16 + lane() / 4 + 8 * half; }
  __device__ static int column() { return warp() % 2 * 8 + lane() % 4 * 2; }

  /// ← A [64 × Rows] · W; a(row, column) is where an element of A lies.
  template <int Rows, typename A>
  __device__ void set_product(const A& a, const SliceRows<bf16, Rows>& w) {
    float part[2][4] = {};  // so that not every product waits for the one before
#pragma unroll
    for (int k = 0; k < Rows / 16; ++k) {
      std::uint32_t fa[4];
      std::uint32_t fb[2];
      const bf16* from = a(row_tile() * 16 + lane() % 16, k * 16 + lane() / 16 * 8);
      const auto a_at = static_cast<std::uint32_t>(__cvta_generic_to_shared(from));
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];\n"
                   : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
                   : "r"(a_at));
      const int place = SliceRows<bf16, Rows>::place(k * 16 + lane() % 16, warp() % 2 * 8);
      const auto w_at = static_cast<std::uint32_t>(__cvta_generic_to_shared(w.element + place));
      asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];\n"
                   : "=r"(fb[0]), "=r"(fb[1])
                   : "r"(w_at));
      multiply_add(part[k % 2], fa, fb[0], fb[1]);
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      value[i] = part[0][i] + part[1][i];
    }
  }
  template <int Rows, typename A>
  __device__ void set_product(const A& a, const SliceRows<float, Rows>& w) {
    value[0] = value[1] = value[2] = value[3] = 0.0f;
#pragma unroll 4
    for (int k = 0; k < Rows; ++k) {
      const float2 f = load2(w.element + SliceRows<float, Rows>::place(k, column()));
      const float upper = *a(row(0), k);
      const float lower = *a(row(1), k);
      value[0] = fmaf(upper, f.x, value[0]);
      value[1] = fmaf(upper, f.y, value[1]);
      value[2] = fmaf(lower, f.x, value[2]);
      value[3] = fmaf(lower, f.y, value[3]);
    }
  }
};

}  // namespace moco::cuda
