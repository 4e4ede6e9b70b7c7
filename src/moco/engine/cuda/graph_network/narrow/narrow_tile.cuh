// What a warp of the narrow network holds of a tile of 16 rows and 32 columns, and does with it: pieces, products, the
// bend of ReLU, sums over rows, the normalisation. narrow_network.cu says which thread holds what.
#pragma once

#include "moco/engine/cuda/batch/batch.cuh"
#include "moco/engine/cuda/kit/tile.cuh"

namespace moco::cuda {

inline constexpr int kColumns = kNarrowHidden;
inline constexpr int kNarrowThreads = 512;
inline constexpr int kNarrowWarps = kNarrowThreads / 32;
inline constexpr int kTileRows = 16;

__device__ inline int warp_number() {
  return static_cast<int>(threadIdx.x) / 32;
}
/// The upper of the thread's two rows in a tile.
__device__ inline int row_of_lane() {
  return static_cast<int>(threadIdx.x) % 32 / 4;
}
__device__ inline int quarter() {
  return static_cast<int>(threadIdx.x) % 4;
}

/// Calls body(rows, valid) for the warp's tiles of `count` rows: the numbers of the thread's two rows, past the end the
/// last one's, which is then not valid.
template <typename Body>
__device__ inline void for_tiles(int count, const Body& body) {
  for (int first = warp_number() * kTileRows; first < count; first += kNarrowWarps * kTileRows) {
    const int upper = first + row_of_lane();
    const int rows[2] = {min(upper, count - 1), min(upper + 8, count - 1)};
    const bool valid[2] = {upper < count, upper + 8 < count};
    body(rows, valid);
  }
}

/// A thread's eight columns of a row.
__device__ inline uint4 load_piece(const bf16* matrix, int row) {
  return *reinterpret_cast<const uint4*>(matrix + static_cast<long long>(row) * kColumns + 8 * quarter());
}
__device__ inline uint4 pack_piece(const float (&x)[8]) {
  return make_uint4(pack2(x[0], x[1]), pack2(x[2], x[3]), pack2(x[4], x[5]), pack2(x[6], x[7]));
}
__device__ inline void store_piece(bf16* matrix, int row, const float (&x)[8]) {
  *reinterpret_cast<uint4*>(matrix + static_cast<long long>(row) * kColumns + 8 * quarter()) = pack_piece(x);
}
__device__ inline void add_piece(float (&sum)[8], const uint4& piece) {
  const std::uint32_t words[4] = {piece.x, piece.y, piece.z, piece.w};
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const float2 pair = unpack2(words[i]);
    sum[2 * i] += pair.x;
    sum[2 * i + 1] += pair.y;
  }
}

/// A matrix [16·Steps × 32] in shared memory as the right operand of a warp's products. Its rows and columns are dealt
/// to the tensor cores in an order by which a thread needs 4·Steps consecutive columns of its rows on the left and gets
/// eight consecutive columns of the result.
template <int Steps>
struct Operand {
  std::uint32_t word[Steps][4][2];

  __device__ explicit Operand(const bf16* matrix) {
    const auto* bits = reinterpret_cast<const std::uint16_t*>(matrix);
    const int c = row_of_lane();
#pragma unroll
    for (int step = 0; step < Steps; ++step) {
#pragma unroll
      for (int n = 0; n < 4; ++n) {
        const std::uint16_t* at = bits + 4 * (Steps * quarter() + step) * kColumns + c / 2 * 8 + 2 * n + c % 2;
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          word[step][n][half] = static_cast<std::uint32_t>(at[2 * half * kColumns]) |
                                static_cast<std::uint32_t>(at[(2 * half + 1) * kColumns]) << 16;
        }
      }
    }
  }
};

/// Results of a tile: columns 8q + 2n and 8q + 2n + 1 of row r in value[n][0 … 1], of row r + 8 in value[n][2 … 3].
struct TileProduct {
  float value[4][4] = {};

  /// += the step's 16 rows of an operand; words `left` of both rows of the thread.
  template <int Steps>
  __device__ void add_step(const Operand<Steps>& operand, int step, const std::uint32_t (&upper)[2],
                           const std::uint32_t (&lower)[2]) {
    const std::uint32_t left[4] = {upper[0], lower[0], upper[1], lower[1]};
#pragma unroll
    for (int n = 0; n < 4; ++n) {
      multiply_add(value[n], left, operand.word[step][n][0], operand.word[step][n][1]);
    }
  }
  __device__ void add(const Operand<2>& operand, const uint4 (&rows)[2]) {
    add_step(operand, 0, {rows[0].x, rows[0].y}, {rows[1].x, rows[1].y});
    add_step(operand, 1, {rows[0].z, rows[0].w}, {rows[1].z, rows[1].w});
  }
  __device__ void row(int half, float (&x)[8]) const {
#pragma unroll
    for (int n = 0; n < 4; ++n) {
      x[2 * n] = value[n][2 * half];
      x[2 * n + 1] = value[n][2 * half + 1];
    }
  }
};

/// A constant c of the thread's eight columns as ReLU sees it (edge_pass.cu): u = max(x + min(c, 0), −max(c, 0)).
struct Threshold {
  float shift[8];
  float floor[8];

  __device__ explicit Threshold(const float* constant) {
    float c[8];
    load8(constant + 8 * quarter(), c);
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      shift[i] = fminf(c[i], 0.0f);
      floor[i] = -fmaxf(c[i], 0.0f);
    }
  }
  __device__ void apply(float (&x)[8]) const {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      x[i] = fmaxf(x[i] + shift[i], floor[i]);
    }
  }
};

/// Sums over the rows that a warp holds, per column.
struct ColumnSums {
  float value[8];

  __device__ explicit ColumnSums(float begin = 0.0f) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      value[i] = begin;
    }
  }
  /// Joins the warp's rows; `out` [32] in shared memory.
  template <typename Join>
  __device__ void finish(const Join& join, float* out) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
#pragma unroll
      for (int offset = 4; offset < 32; offset <<= 1) {
        value[i] = join(value[i], __shfl_xor_sync(kFullWarp, value[i], offset));
      }
    }
    if (row_of_lane() == 0) {
      store8(out + 8 * quarter(), value);
    }
  }
};

__device__ inline float plus(float a, float b) {
  return a + b;
}

/// The global state's view of rows.
struct ColumnPool {
  Pooling pooling;
  ColumnSums pool;

  __device__ explicit ColumnPool(const DeviceBatch& batch) : pooling(batch), pool(pooling.none()) {}
  __device__ void add(const float (&x)[8]) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      pool.value[i] = pooling.join(pool.value[i], x[i]);
    }
  }
  __device__ void finish(float* out) {
    pool.finish([&](float a, float b) { return pooling.join(a, b); }, out);
  }
};

/// What h ← h + u·factor + shift needs of the norm [factor, shift].
struct Normalisation {
  float factor[8];
  float shift[8];

  __device__ explicit Normalisation(const float* norm) {
    load8(norm + 8 * quarter(), factor);
    load8(norm + kColumns + 8 * quarter(), shift);
  }
  __device__ void apply(float (&h)[8], const float (&u)[8]) const {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      h[i] += fmaf(u[i], factor[i], shift[i]);
    }
  }
};

}  // namespace moco::cuda
