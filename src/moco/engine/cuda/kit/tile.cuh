// Products of a tile of rows with a weight matrix: acc [M × 128] += A [M × K] · W [K × 128], A and W in shared memory.
//
// bf16 runs on the tensor cores (mma.sync m16n8k16); float32 runs on the ordinary units with the same distribution of
// the result over the threads, so that everything after a product is written once. The block has 8 warps (16 in the
// fused network): one for every 32 rows side by side, the others in the columns. A thread holds, per 16×8 tile, the
// columns 2q and 2q + 1 of rows r and r + 8 with r = lane / 4, q = lane % 4.
#pragma once

#include "moco/engine/cuda/kit/common.cuh"

namespace moco::cuda {

/// Distance of two rows in shared memory, in elements: shifted by 16 bytes, so that eight rows meet all banks once.
template <typename T>
constexpr int kPitch = kHidden + 16 / static_cast<int>(sizeof(T));
template <typename T>
constexpr int kFeaturePitch = kFeatureRows + 16 / static_cast<int>(sizeof(T));

__device__ inline void copy_async16(void* shared, const void* global) {
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(address), "l"(global));
}
__device__ inline void copy_async4(void* shared, const void* global) {
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n" ::"r"(address), "l"(global));
}
__device__ inline void wait_async() {
  asm volatile("cp.async.wait_all;\n" ::: "memory");
}
/// Closes a group of this thread's copies.
__device__ inline void commit_async() {
  asm volatile("cp.async.commit_group;\n" ::: "memory");
}
/// Waits for all but the last `Groups` groups of this thread.
template <int Groups>
__device__ inline void wait_async_but() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(Groups) : "memory");
}

/// Starts copying a [rows × 128] matrix into shared memory, rows `Pitch` apart, by a block of `Threads`; wait_async and
/// a barrier must follow.
template <int Threads = kThreads, int Pitch = 0, typename T>
__device__ inline void fetch_matrix(T* shared, const T* global, int rows) {
  constexpr int kApart = Pitch == 0 ? kPitch<T> : Pitch;
  constexpr int kChunk = 16 / static_cast<int>(sizeof(T));
  constexpr int kChunks = kHidden / kChunk;
  for (int i = static_cast<int>(threadIdx.x); i < rows * kChunks; i += Threads) {
    const int row = i / kChunks;
    const int column = i % kChunks * kChunk;
    copy_async16(shared + row * kApart + column, global + row * kHidden + column);
  }
}

/// d [16 × 8] += a [16 × 16] · b [16 × 8], each spread over a warp.
__device__ inline void multiply_add(float (&d)[4], const std::uint32_t (&a)[4], std::uint32_t b0, std::uint32_t b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

template <int M, int Warps = kThreads / 32>
struct Accumulators {
  static_assert(M == 16 || M == 32 || M == 64 || M == 128);
  static constexpr int kRowWarps = M / 32 > Warps / 8 ? M / 32 : Warps / 8;
  static constexpr int kColumnWarps = Warps / kRowWarps;
  static constexpr int kRowTiles = M / 16 / kRowWarps;    // of 16 rows, per warp
  static constexpr int kColumnTiles = 16 / kColumnWarps;  // of 8 columns, per warp; even

  float value[kRowTiles][kColumnTiles][4];

  __device__ void clear() {
#pragma unroll
    for (int m = 0; m < kRowTiles; ++m) {
#pragma unroll
      for (int n = 0; n < kColumnTiles; ++n) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          value[m][n][i] = 0.0f;
        }
      }
    }
  }

  __device__ static int lane() {
    return static_cast<int>(threadIdx.x) % 32;
  }
  __device__ static int row_warp() {
    return static_cast<int>(threadIdx.x) / 32 / kColumnWarps;
  }
  __device__ static int column_warp() {
    return static_cast<int>(threadIdx.x) / 32 % kColumnWarps;
  }
  /// Row of value[m][·][0 … 1]; value[m][·][2 … 3] lies 8 rows below.
  __device__ static int row(int m) {
    return row_warp() * kRowTiles * 16 + m * 16 + lane() / 4;
  }
  /// Column of value[·][n][0] and value[·][n][2]; the odd entries are one column to the right.
  __device__ static int column(int n) {
    return column_warp() * kColumnTiles * 8 + n * 8 + lane() % 4 * 2;
  }

  /// Calls body(row, column, a, b) for every pair of neighbouring columns held by this thread.
  template <typename Body>
  __device__ void for_pairs(const Body& body) {
#pragma unroll
    for (int m = 0; m < kRowTiles; ++m) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
#pragma unroll
        for (int n = 0; n < kColumnTiles; ++n) {
          body(row(m) + 8 * half, column(n), n, value[m][n][2 * half], value[m][n][2 * half + 1]);
        }
      }
    }
  }

  /// += A·W with K = 16·ksteps; `pitch` is A's.
  __device__ void add_product(const bf16* a, int pitch, const bf16* w, int ksteps) {
    const int l = lane();
    const bf16* a_at = a + (row_warp() * kRowTiles * 16 + (l & 15)) * pitch + (l >> 4) * 8;
    const bf16* w_at =
        w + ((l & 7) + ((l >> 3) & 1) * 8) * kPitch<bf16> + column_warp() * kColumnTiles * 8 + (l >> 4) * 8;
#pragma unroll 4
    for (int k = 0; k < ksteps; ++k) {
      std::uint32_t fa[kRowTiles][4];
#pragma unroll
      for (int m = 0; m < kRowTiles; ++m) {
        const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(a_at + m * 16 * pitch + k * 16));
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];\n"
                     : "=r"(fa[m][0]), "=r"(fa[m][1]), "=r"(fa[m][2]), "=r"(fa[m][3])
                     : "r"(address));
      }
#pragma unroll
      for (int n = 0; n < kColumnTiles; n += 2) {
        std::uint32_t fb[4];
        const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(w_at + k * 16 * kPitch<bf16> + n * 8));
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];\n"
                     : "=r"(fb[0]), "=r"(fb[1]), "=r"(fb[2]), "=r"(fb[3])
                     : "r"(address));
#pragma unroll
        for (int m = 0; m < kRowTiles; ++m) {
          multiply_add(value[m][n], fa[m], fb[0], fb[1]);
          multiply_add(value[m][n + 1], fa[m], fb[2], fb[3]);
        }
      }
    }
  }

  __device__ void add_product(const float* a, int pitch, const float* w, int ksteps) {
#pragma unroll 1
    for (int k = 0; k < 16 * ksteps; ++k) {
#pragma unroll
      for (int m = 0; m < kRowTiles; ++m) {
        const float upper = a[row(m) * pitch + k];
        const float lower = a[(row(m) + 8) * pitch + k];
#pragma unroll
        for (int n = 0; n < kColumnTiles; ++n) {
          const float2 f = load2(w + k * kPitch<float> + column(n));
          value[m][n][0] = fmaf(upper, f.x, value[m][n][0]);
          value[m][n][1] = fmaf(upper, f.y, value[m][n][1]);
          value[m][n][2] = fmaf(lower, f.x, value[m][n][2]);
          value[m][n][3] = fmaf(lower, f.y, value[m][n][3]);
        }
      }
    }
  }
};

/// Per-column sums and sums of squares of what a block has produced, kept per thread until finish().
template <int M, int Warps = kThreads / 32>
struct ColumnMoments {
  using Acc = Accumulators<M, Warps>;
  float sum[Acc::kColumnTiles][2];
  float square[Acc::kColumnTiles][2];

  __device__ void clear() {
#pragma unroll
    for (int n = 0; n < Acc::kColumnTiles; ++n) {
      sum[n][0] = sum[n][1] = square[n][0] = square[n][1] = 0.0f;
    }
  }
  __device__ void add(int n, float a, float b) {
    sum[n][0] += a;
    sum[n][1] += b;
    square[n][0] = fmaf(a, a, square[n][0]);
    square[n][1] = fmaf(b, b, square[n][1]);
  }
  /// Writes [2 × 128] sums and squares to `out`; `scratch` holds kRowWarps × 256 floats. Ends without a barrier.
  __device__ void finish(float* scratch, float* out) {
#pragma unroll
    for (int n = 0; n < Acc::kColumnTiles; ++n) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
#pragma unroll
        for (int offset = 4; offset < 32; offset <<= 1) {
          sum[n][i] += __shfl_xor_sync(kFullWarp, sum[n][i], offset);
          square[n][i] += __shfl_xor_sync(kFullWarp, square[n][i], offset);
        }
        if (Acc::lane() < 4) {
          scratch[Acc::row_warp() * 2 * kHidden + Acc::column(n) + i] = sum[n][i];
          scratch[Acc::row_warp() * 2 * kHidden + kHidden + Acc::column(n) + i] = square[n][i];
        }
      }
    }
    __syncthreads();
    if (threadIdx.x < 2 * kHidden) {
      float total = 0.0f;
      for (int w = 0; w < Acc::kRowWarps; ++w) {
        total += scratch[w * 2 * kHidden + static_cast<int>(threadIdx.x)];
      }
      out[threadIdx.x] = total;
    }
  }
};

/// Mean and variance over `rows` rows from `parts` partial moments, folded with the learned scale and offset into
/// u·factor + shift. part(i, c) is entry c of the i-th [2 × Columns] moments. Called by all threads of a block;
/// `scratch` holds 2·Columns doubles.
template <int Columns = kHidden, typename Part>
__device__ inline void set_normalisation(int parts, const Part& part, double rows, const float* scale,
                                         const float* offset, double* scratch, float* norm) {
  for (int c = static_cast<int>(threadIdx.x); c < 2 * Columns; c += static_cast<int>(blockDim.x)) {
    double total = 0.0;
    in_order<8>(
        parts, [&](int i) { return part(i, c); }, [&](int, double other) { total += other; });
    scratch[c] = total;
  }
  __syncthreads();
  if (const int c = static_cast<int>(threadIdx.x); c < Columns) {
    const double mean = scratch[c] / rows;
    const double variance = fmax(0.0, scratch[Columns + c] / rows - mean * mean);
    const double factor = static_cast<double>(scale[c]) / sqrt(variance + 1e-5);
    norm[c] = static_cast<float>(factor);
    norm[Columns + c] = static_cast<float>(static_cast<double>(offset[c]) - mean * factor);
  }
}

}  // namespace moco::cuda
