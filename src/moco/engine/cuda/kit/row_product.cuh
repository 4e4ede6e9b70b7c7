// Products of rows in registers with a weight matrix in shared memory, by warpgroups of four warps: 16 rows per warp,
// 64 columns at a time.
//
// A thread holds, of rows r = lane / 4 and r + 8 of its warp, the pairs of columns (8j + 2q, 8j + 2q + 1) with
// q = lane % 4. Operands and results lie alike, so that a result is the next operand without any exchange. In memory
// such rows are kept in the order of row_place, where a thread finds four of its pairs in one piece.
//
// bf16 runs on the tensor cores: wgmma where the target has it (sm_90a), mma.sync elsewhere. float32 runs on the
// ordinary units and reads its operand from shared memory.
#pragma once

#include <type_traits>

#include "moco/engine/cuda/kit/row_order.cuh"

namespace moco::cuda {

constexpr unsigned kRowAlignment = 1024;  ///< of matrices in shared memory
constexpr int kHalf = kHidden / 2;        ///< columns of a product
constexpr int kHalfTiles = kHalf / 8;     ///< pairs of a thread in them
constexpr int kPairs = 2 * kHalfTiles;    ///< of a thread in a row

/// Two neighbouring columns.
template <typename T>
using Pair = std::conditional_t<sizeof(T) == 2, std::uint32_t, float2>;

template <typename T>
__device__ inline Pair<T> make_pair_of(float a, float b) {
  if constexpr (sizeof(T) == 2) {
    return pack2(a, b);
  } else {
    return make_float2(a, b);
  }
}
/// The two lowest bits as a pair of 0 or 1.
template <typename T>
__device__ inline Pair<T> pair_of_bits(std::uint32_t bits) {
  if constexpr (sizeof(T) == 2) {
    return ((bits & 1u) | (bits & 2u) << 15) * 0x3F80u;
  } else {
    return make_float2(static_cast<float>(bits & 1u), static_cast<float>(bits >> 1 & 1u));
  }
}
__device__ inline float2 floats_of(std::uint32_t pair) {
  return unpack2(pair);
}
__device__ inline float2 floats_of(float2 pair) {
  return pair;
}

/// Four pairs of this thread, from 16 or 32 bytes.
__device__ inline void load_four(const bf16* from, std::uint32_t* pairs) {
  const uint4 x = *reinterpret_cast<const uint4*>(from);
  pairs[0] = x.x, pairs[1] = x.y, pairs[2] = x.z, pairs[3] = x.w;
}
__device__ inline void load_four(const float* from, float2* pairs) {
  const float4 a = reinterpret_cast<const float4*>(from)[0];
  const float4 b = reinterpret_cast<const float4*>(from)[1];
  pairs[0] = make_float2(a.x, a.y), pairs[1] = make_float2(a.z, a.w);
  pairs[2] = make_float2(b.x, b.y), pairs[3] = make_float2(b.z, b.w);
}
__device__ inline void store_four(float* to, const float2* pairs) {
  reinterpret_cast<float4*>(to)[0] = make_float4(pairs[0].x, pairs[0].y, pairs[1].x, pairs[1].y);
  reinterpret_cast<float4*>(to)[1] = make_float4(pairs[2].x, pairs[2].y, pairs[3].x, pairs[3].y);
}

/// Four pairs for every thread on their way through shared memory. A thread reads what it asked for itself, after
/// wait_async_but: no barrier is needed.
template <typename T, int Threads>
struct FourSlot {
  static constexpr int kWords = 8 * static_cast<int>(sizeof(T)) / 16;
  uint4 word[Threads][kWords];

  /// `row` from these four pairs on.
  __device__ void fetch(const T* row) {
    const T* from = row + static_cast<int>(threadIdx.x) % 4 * 8;
#pragma unroll
    for (int w = 0; w < kWords; ++w) {
      copy_async16(&word[threadIdx.x][w], from + w * (8 / kWords));
    }
  }
  __device__ void read(Pair<T>* pairs) const {
    load_four(reinterpret_cast<const T*>(word[threadIdx.x]), pairs);
  }
};

/// Stores Count of this thread's pairs of a row, a multiple of four; `row` may begin at the second half.
template <typename T, int Count>
__device__ inline void store_pairs(T* row, const Pair<T> (&pairs)[Count]) {
#pragma unroll
  for (int i = 0; i < Count; i += 4) {
    store_four(row + 8 * i + static_cast<int>(threadIdx.x) % 4 * 8, pairs + i);
  }
}

/// A matrix [Rows × 128] in shared memory, by halves of its columns. bf16: rows of 128 bytes, whose pieces of 16 bytes
/// are exchanged by the row's number modulo 8, as the tensor cores expect them.
template <typename T, int Rows>
struct __align__(kRowAlignment) RowMatrix {
  T element[2][Rows * kHalf];

  /// Starts copying `count` rows to those from `first` on; wait_matrices and a barrier must follow.
  __device__ void fetch(const T* global, int first = 0, int count = Rows) {
    constexpr int kChunks = kHidden / kChunk;
    for (int i = static_cast<int>(threadIdx.x); i < count * kChunks; i += static_cast<int>(blockDim.x)) {
      copy_async16(at(first + i / kChunks, i % kChunks * kChunk), global + i * kChunk);
    }
  }
  /// Sets two neighbouring columns of a row, from an even one on; likewise.
  __device__ void set(int row, int column, float a, float b) {
    store2(at(row, column), a, b);
  }

 private:
  static constexpr int kChunk = 16 / static_cast<int>(sizeof(T));

  __device__ T* at(int row, int column) {
    const int chunk = column % kHalf / kChunk;
    const int place = sizeof(T) == 2 ? chunk ^ (row % 8) : chunk;
    return element[column / kHalf] + row * kHalf + place * kChunk + column % kChunk;
  }
};

/// What three rows of a matrix hold of two numbers, so that their sum is exact.
template <typename T>
struct InThreeRows {
  float2 part[3];

  __device__ explicit InThreeRows(float2 x) {
#pragma unroll
    for (float2& p : part) {
      p = make_float2(to_float(from_float<T>(x.x)), to_float(from_float<T>(x.y)));
      x = make_float2(x.x - p.x, x.y - p.y);
    }
  }
};

/// Before the barrier: this thread's copies have arrived, for the tensor cores as well.
__device__ inline void wait_matrices() {
  wait_async();
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  asm volatile("fence.proxy.async.shared::cta;\n" ::: "memory");
#endif
}

/// Where float32 puts its operands, in a block of that many warps.
constexpr int kOperandApart = kHidden + 4;
template <typename T, int Warps>
struct __align__(16) ProductScratch {
  float operand[sizeof(T) == 2 ? 1 : Warps][sizeof(T) == 2 ? 4 : kWarpRows * kOperandApart];

  __device__ float* of_warp() {
    return operand[sizeof(T) == 2 ? 0 : threadIdx.x / 32];
  }
};

/// Results of a product: value[j][0 … 1] of row r, value[j][2 … 3] of row r + 8.
struct HalfRows {
  float value[kHalfTiles][4];

  __device__ void clear() {
#pragma unroll
    for (auto& pairs : value) {
      pairs[0] = pairs[1] = pairs[2] = pairs[3] = 0.0f;
    }
  }
};

/// Before products of elements T: what they read and add to has been set.
template <typename T>
__device__ inline void begin_products() {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  if constexpr (sizeof(T) == 2) {
    asm volatile("wgmma.fence.sync.aligned;\n" ::: "memory");
  }
#endif
}

/// Waits for all products of the warpgroup; the results may be read only from here on.
template <typename T>
__device__ inline void wait_products(HalfRows& d) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  if constexpr (sizeof(T) == 2) {
    auto& v = d.value;
    asm volatile("wgmma.commit_group.sync.aligned;\n" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;\n"
                 : "+f"(v[0][0]), "+f"(v[0][1]), "+f"(v[0][2]), "+f"(v[0][3]), "+f"(v[1][0]), "+f"(v[1][1]),
                   "+f"(v[1][2]), "+f"(v[1][3]), "+f"(v[2][0]), "+f"(v[2][1]), "+f"(v[2][2]), "+f"(v[2][3]),
                   "+f"(v[3][0]), "+f"(v[3][1]), "+f"(v[3][2]), "+f"(v[3][3]), "+f"(v[4][0]), "+f"(v[4][1]),
                   "+f"(v[4][2]), "+f"(v[4][3]), "+f"(v[5][0]), "+f"(v[5][1]), "+f"(v[5][2]), "+f"(v[5][3]),
                   "+f"(v[6][0]), "+f"(v[6][1]), "+f"(v[6][2]), "+f"(v[6][3]), "+f"(v[7][0]), "+f"(v[7][1]),
                   "+f"(v[7][2]), "+f"(v[7][3])
                 :
                 : "memory");
  }
#endif
}

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

/// d [64 × 64] ← (`add`: d +) a [64 × 16] · B [16 × 64], a in registers; B's place and shape are in the descriptor.
__device__ inline void multiply_group(HalfRows& d, std::uint32_t a0, std::uint32_t a1, std::uint32_t a2,
                                      std::uint32_t a3, std::uint64_t b, int add) {
  auto& v = d.value;
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, %37, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 "
      "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
      "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, "
      "{%32,%33,%34,%35}, %36, p, 1, 1, 1;\n}\n"
      : "+f"(v[0][0]), "+f"(v[0][1]), "+f"(v[0][2]), "+f"(v[0][3]), "+f"(v[1][0]), "+f"(v[1][1]), "+f"(v[1][2]),
        "+f"(v[1][3]), "+f"(v[2][0]), "+f"(v[2][1]), "+f"(v[2][2]), "+f"(v[2][3]), "+f"(v[3][0]), "+f"(v[3][1]),
        "+f"(v[3][2]), "+f"(v[3][3]), "+f"(v[4][0]), "+f"(v[4][1]), "+f"(v[4][2]), "+f"(v[4][3]), "+f"(v[5][0]),
        "+f"(v[5][1]), "+f"(v[5][2]), "+f"(v[5][3]), "+f"(v[6][0]), "+f"(v[6][1]), "+f"(v[6][2]), "+f"(v[6][3]),
        "+f"(v[7][0]), "+f"(v[7][1]), "+f"(v[7][2]), "+f"(v[7][3])
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(add));
}

template <int Pairs, int Rows>
__device__ inline void add_product(HalfRows& d, const std::uint32_t (&a)[2][Pairs], const RowMatrix<bf16, Rows>& w,
                                   int half, float*, bool add = true) {
  static_assert(Rows == 8 * Pairs);
  // 128-byte rows; eight of them, for eight rows of the matrix, are 1024 bytes apart from the next eight
  constexpr std::uint64_t kShape = (std::uint64_t{1} << 30) | std::uint64_t{1024 >> 4};
  const std::uint32_t place = static_cast<std::uint32_t>(__cvta_generic_to_shared(w.element[half])) >> 4 | 1u << 16;
#pragma unroll
  for (int k = 0; k < Rows / 16; ++k) {
    const std::uint64_t b = kShape << 32 | (place + static_cast<std::uint32_t>(k) * (2048u >> 4));
    multiply_group(d, a[0][2 * k], a[1][2 * k], a[0][2 * k + 1], a[1][2 * k + 1], b, add || k > 0 ? 1 : 0);
  }
}

#else

template <int Pairs, int Rows>
__device__ inline void add_product(HalfRows& d, const std::uint32_t (&a)[2][Pairs], const RowMatrix<bf16, Rows>& w,
                                   int half, float*, bool add = true) {
  static_assert(Rows == 8 * Pairs);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  if (!add) {
    d.clear();
  }
#pragma unroll
  for (int k = 0; k < Rows / 16; ++k) {
    const std::uint32_t operand[4] = {a[0][2 * k], a[1][2 * k], a[0][2 * k + 1], a[1][2 * k + 1]};
    const int row = 16 * k + lane % 16;
#pragma unroll
    for (int j = 0; j < kHalfTiles; j += 2) {
      const int chunk = (j + lane / 16) ^ (row % 8);
      const auto address =
          static_cast<std::uint32_t>(__cvta_generic_to_shared(w.element[half] + row * kHalf + chunk * 8));
      std::uint32_t b[4];
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];\n"
                   : "=r"(b[0]), "=r"(b[1]), "=r"(b[2]), "=r"(b[3])
                   : "r"(address));
      multiply_add(d.value[j], operand, b[0], b[1]);
      multiply_add(d.value[j + 1], operand, b[2], b[3]);
    }
  }
}

#endif

/// d ← (`add`: d +) a [rows × 8·Pairs] · W for one half of W's columns, between begin_products and wait_products, after
/// which the results are there. `operand` is the warp's part of the scratch. All threads of a warpgroup.
template <int Pairs, int Rows>
__device__ inline void add_product(HalfRows& d, const float2 (&a)[2][Pairs], const RowMatrix<float, Rows>& w, int half,
                                   float* operand, bool add = true) {
  static_assert(Rows == 8 * Pairs);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  if (!add) {
    d.clear();
  }
  float* upper = operand + lane / 4 * kOperandApart;
  float* lower = upper + 8 * kOperandApart;
  __syncwarp();
#pragma unroll
  for (int j = 0; j < Pairs; ++j) {
    const int column = 8 * j + lane % 4 * 2;
    store2(upper + column, a[0][j].x, a[0][j].y);
    store2(lower + column, a[1][j].x, a[1][j].y);
  }
  __syncwarp();
#pragma unroll 1
  for (int k = 0; k < Rows; ++k) {
#pragma unroll
    for (int j = 0; j < kHalfTiles; ++j) {
      const float2 f = load2(w.element[half] + k * kHalf + 8 * j + lane % 4 * 2);
      d.value[j][0] = fmaf(upper[k], f.x, d.value[j][0]);
      d.value[j][1] = fmaf(upper[k], f.y, d.value[j][1]);
      d.value[j][2] = fmaf(lower[k], f.x, d.value[j][2]);
      d.value[j][3] = fmaf(lower[k], f.y, d.value[j][3]);
    }
  }
}

}  // namespace moco::cuda
