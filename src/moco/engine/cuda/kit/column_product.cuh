// Products Wᵀ · rowsᵀ of a weight matrix with a tile of 64 rows, transposed: 64 columns of the result per warpgroup.
//
// A warp has 16 of these columns, a thread the columns c = lane / 4 and c + 8 of them, of all rows: what belongs to a
// column, the weights above all, stays in registers from tile to tile. In memory columns are kept in the order of
// row_place (row_order.cuh), and a column here is such a place.
//
// bf16 on the tensor cores: wgmma where the target has it (sm_90a), mma.sync elsewhere.
#pragma once

#include "moco/engine/cuda/kit/row_product.cuh"

namespace moco::cuda {

constexpr int kTileRows = 64;

/// Half of the places of 64 rows, in rows of 128 bytes, whose pieces of 16 bytes are exchanged by the row's number
/// modulo 8, as the tensor cores expect them.
struct __align__(kRowAlignment) HalfTile {
  static constexpr int kPieces = kHalf / 8;  ///< of 16 bytes in a row
  bf16 element[kTileRows * kHalf];

  __device__ static unsigned offset(unsigned row, unsigned piece) {
    return row * kHalf + (piece ^ (row % 8)) * 8;
  }
  __device__ bf16* at(unsigned row, unsigned piece) {
    return element + offset(row, piece);
  }
};

/// Starts copying 16 bytes, or sets zeros.
__device__ inline void copy_async16_or_zero(void* shared, const void* global, bool copies) {
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(address), "l"(global), "r"(copies ? 16 : 0));
}

/// Four matrices [8 × 8], transposed: a thread gets its pairs from the rows at `row` of lanes 0 … 7, 8 … 15, and so on.
__device__ inline void load_transposed(const bf16* row, std::uint32_t (&pairs)[4]) {
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];\n"
               : "=r"(pairs[0]), "=r"(pairs[1]), "=r"(pairs[2]), "=r"(pairs[3])
               : "r"(address));
}
/// The other way round.
__device__ inline void store_transposed(bf16* row, const std::uint32_t (&pairs)[4]) {
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(row));
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1,%2,%3,%4};\n" ::"r"(address), "r"(pairs[0]),
               "r"(pairs[1]), "r"(pairs[2]), "r"(pairs[3])
               : "memory");
}

/// Which rows and columns a thread has. (Numbers of threads are unsigned: divided as integers they cost more.)
struct ColumnPlace {
  unsigned half;   ///< of the warpgroup
  unsigned piece;  ///< first of the warp's two, of 8 columns each
  unsigned lane;

  __device__ ColumnPlace() : half(threadIdx.x / 128), piece(threadIdx.x / 32 % 4 * 2), lane(threadIdx.x % 32) {}
  /// The column of the network that the thread's column i (of two) is.
  __device__ unsigned column(unsigned i) const {
    const unsigned eighth = half * HalfTile::kPieces + piece + i;
    return eighth / 4 * 32 + lane / 8 * 8 + eighth % 4 * 2 + lane / 4 % 2;
  }
  /// Where this lane looks for the pairs of 16 rows from 16·step on; pairs[0 … 1]: rows 2q and 2q + 1 of the first
  /// eight, of columns 0 and 1 of the thread, pairs[2 … 3] of the other eight.
  __device__ bf16* rows(HalfTile& tile, unsigned step) const {
    return tile.at(lane / 16 * 8 + lane % 8, piece + lane / 8 % 2) + step * 16 * kHalf;
  }
};

/// A matrix [Rows × 128] on its way into registers: rows of 256 bytes, whose columns are in the order of row_place.
template <int Rows>
struct __align__(16) StagedMatrix {
  bf16 element[Rows * kHidden];

  __device__ bf16* at(unsigned row, unsigned piece) {
    return element + row * kHidden + (piece ^ (row % 8)) * 8;
  }

  /// Starts copying the first `Count` rows, whose columns stand in their own order, by a block of `Threads`; `Places`:
  /// puts rows in the order of row_place, too.
  template <int Threads, bool Places, int Count>
  __device__ void fetch(const bf16* global) {
    constexpr unsigned kPairs = kHidden / 2;
    constexpr unsigned kAtOnce = Threads / kPairs;  // rows
    static_assert(kAtOnce == 4);                    // which lie apart in the order of row_place
    const unsigned pair = threadIdx.x % kPairs;
    const unsigned first = threadIdx.x / kPairs;
    const unsigned place = row_place(2 * pair);
    const bf16* from = global + first * kHidden + 2 * pair;
#pragma unroll
    for (unsigned row = 0; row < Count; row += kAtOnce) {
      const unsigned to = Places ? row_place(row) + first / 2 * 8 + first % 2 : row + first;
      if (Count % kAtOnce == 0 || row + first < Count) {
        copy_async4(at(to, place / 8) + place % 8, from + row * kHidden);
      }
    }
  }
  /// Sets a column of three rows to parts of a number that together are exact.
  __device__ void set_three(unsigned row, unsigned column, float x) {
    const unsigned place = row_place(column) + column % 2;
#pragma unroll
    for (unsigned i = 0; i < 3; ++i) {
      const bf16 part = from_float<bf16>(x);
      at(row + i, place / 8)[place % 8] = part;
      x -= to_float(part);
    }
  }
  /// Sets rows to zero, by a block of `Threads`.
  template <int Threads>
  __device__ void clear(unsigned first, unsigned end) {
    constexpr unsigned kPieces = kHidden / 8;
    for (unsigned i = threadIdx.x; i < (end - first) * kPieces; i += Threads) {
      *reinterpret_cast<uint4*>(at(first + i / kPieces, i % kPieces)) = make_uint4(0, 0, 0, 0);
    }
  }
};

/// The thread's share of a staged matrix.
template <int Rows>
struct ColumnWeights {
  std::uint32_t value[Rows / 16][4];

  __device__ void load(StagedMatrix<Rows>& staged, const ColumnPlace& place) {
    const unsigned piece = place.half * HalfTile::kPieces + place.piece + place.lane / 8 % 2;
    const bf16* from = staged.at(place.lane / 16 * 8 + place.lane % 8, piece);
#pragma unroll
    for (int k = 0; k < Rows / 16; ++k) {
      load_transposed(from + 16 * k * kHidden, value[k]);
    }
  }
};

/// Sums of the thread's two columns: value[j][0 … 1] column 0 of rows 8j + 2q and 8j + 2q + 1, value[j][2 … 3]
/// column 1.
using ColumnSums = HalfRows;
static_assert(kTileRows == 8 * kHalfTiles);

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

/// d ← (`add`: d +) one step of 16 of W, in registers, times the tile at `b`.
__device__ inline void multiply_columns(ColumnSums& d, const std::uint32_t (&a)[4], std::uint64_t b, int add) {
  auto& v = d.value;
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, %37, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 "
      "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
      "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, "
      "{%32,%33,%34,%35}, %36, p, 1, 1, 0;\n}\n"
      : "+f"(v[0][0]), "+f"(v[0][1]), "+f"(v[0][2]), "+f"(v[0][3]), "+f"(v[1][0]), "+f"(v[1][1]), "+f"(v[1][2]),
        "+f"(v[1][3]), "+f"(v[2][0]), "+f"(v[2][1]), "+f"(v[2][2]), "+f"(v[2][3]), "+f"(v[3][0]), "+f"(v[3][1]),
        "+f"(v[3][2]), "+f"(v[3][3]), "+f"(v[4][0]), "+f"(v[4][1]), "+f"(v[4][2]), "+f"(v[4][3]), "+f"(v[5][0]),
        "+f"(v[5][1]), "+f"(v[5][2]), "+f"(v[5][3]), "+f"(v[6][0]), "+f"(v[6][1]), "+f"(v[6][2]), "+f"(v[6][3]),
        "+f"(v[7][0]), "+f"(v[7][1]), "+f"(v[7][2]), "+f"(v[7][3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
}

#endif

/// d ← (`add`: d +) W[First … First + 16·Steps] · rows, between begin_products and wait_products; all threads of a
/// warpgroup.
template <int First, int Steps, int Rows>
__device__ inline void add_columns(ColumnSums& d, const ColumnWeights<Rows>& weights, HalfTile& tile, bool add = true) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  // rows of 128 bytes; eight of them are 1024 bytes apart from the next eight, 16 places 32 bytes from the next 16
  constexpr std::uint64_t kShape = (std::uint64_t{1} << 30) | std::uint64_t{1024 >> 4};
  const std::uint32_t at = static_cast<std::uint32_t>(__cvta_generic_to_shared(tile.element)) >> 4 | 1u << 16;
#pragma unroll
  for (int k = 0; k < Steps; ++k) {
    multiply_columns(d, weights.value[First / 16 + k], kShape << 32 | (at + static_cast<std::uint32_t>(2 * k)),
                     add || k > 0 ? 1 : 0);
  }
#else
  const unsigned lane = threadIdx.x % 32;
  if (!add) {
    d.clear();
  }
#pragma unroll
  for (int k = 0; k < Steps; ++k) {
#pragma unroll
    for (int j = 0; j < kHalfTiles; j += 2) {
      const auto address = static_cast<std::uint32_t>(
          __cvta_generic_to_shared(tile.at(8 * j + lane / 16 * 8 + lane % 8, 2 * k + lane / 8 % 2)));
      std::uint32_t b[4];
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];\n"
                   : "=r"(b[0]), "=r"(b[1]), "=r"(b[2]), "=r"(b[3])
                   : "r"(address));
      multiply_add(d.value[j], weights.value[First / 16 + k], b[0], b[1]);
      multiply_add(d.value[j + 1], weights.value[First / 16 + k], b[2], b[3]);
    }
  }
#endif
}

}  // namespace moco::cuda
