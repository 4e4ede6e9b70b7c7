// Small device functions that all kernels share: conversions, reductions, the last block to arrive.
#pragma once

#include <cstdint>

#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include "moco/core/numeric.h"
#include "moco/engine/cuda/kit/sizes.h"

namespace moco::cuda {

using bf16 = __nv_bfloat16;

constexpr unsigned kFullWarp = 0xFFFFFFFFu;

__device__ inline float to_float(float x) {
  return x;
}
__device__ inline float to_float(bf16 x) {
  return __bfloat162float(x);
}

template <typename T>
__device__ inline T from_float(float x);
template <>
__device__ inline float from_float<float>(float x) {
  return x;
}
template <>
__device__ inline bf16 from_float<bf16>(float x) {
  return __float2bfloat16_rn(x);
}

/// Two bf16 in a word.
__device__ inline std::uint32_t pack2(float a, float b) {
  const __nv_bfloat162 pair = __floats2bfloat162_rn(a, b);
  return *reinterpret_cast<const std::uint32_t*>(&pair);
}
__device__ inline float2 unpack2(std::uint32_t word) {
  return make_float2(__uint_as_float(word << 16), __uint_as_float(word & 0xFFFF0000u));
}

/// Eight consecutive elements, as they are; the address is a multiple of eight elements.
template <typename T>
struct Raw8 {
  uint4 word[sizeof(T) / 2];
};
template <typename T>
__device__ inline Raw8<T> load_raw8(const T* p) {
  Raw8<T> raw;
#pragma unroll
  for (int i = 0; i < static_cast<int>(sizeof(T) / 2); ++i) {
    raw.word[i] = reinterpret_cast<const uint4*>(p)[i];
  }
  return raw;
}
__device__ inline void floats_of(const Raw8<bf16>& raw, float (&x)[8]) {
  const std::uint32_t words[4] = {raw.word[0].x, raw.word[0].y, raw.word[0].z, raw.word[0].w};
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const float2 pair = unpack2(words[i]);
    x[2 * i] = pair.x, x[2 * i + 1] = pair.y;
  }
}
__device__ inline void floats_of(const Raw8<float>& raw, float (&x)[8]) {
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    x[4 * i] = __uint_as_float(raw.word[i].x), x[4 * i + 1] = __uint_as_float(raw.word[i].y);
    x[4 * i + 2] = __uint_as_float(raw.word[i].z), x[4 * i + 3] = __uint_as_float(raw.word[i].w);
  }
}
template <typename T>
__device__ inline void load8(const T* p, float (&x)[8]) {
  floats_of(load_raw8(p), x);
}
__device__ inline void store8(float* p, const float (&x)[8]) {
  reinterpret_cast<float4*>(p)[0] = make_float4(x[0], x[1], x[2], x[3]);
  reinterpret_cast<float4*>(p)[1] = make_float4(x[4], x[5], x[6], x[7]);
}
__device__ inline void store8(bf16* p, const float (&x)[8]) {
  __align__(16) __nv_bfloat162 pair[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    pair[i] = __floats2bfloat162_rn(x[2 * i], x[2 * i + 1]);
  }
  *reinterpret_cast<uint4*>(p) = *reinterpret_cast<const uint4*>(pair);
}
/// Two consecutive elements at an even position.
__device__ inline float2 load2(const float* p) {
  return *reinterpret_cast<const float2*>(p);
}
__device__ inline float2 load2(const bf16* p) {
  return __bfloat1622float2(*reinterpret_cast<const __nv_bfloat162*>(p));
}
__device__ inline void store2(float* p, float a, float b) {
  *reinterpret_cast<float2*>(p) = make_float2(a, b);
}
__device__ inline void store2(bf16* p, float a, float b) {
  *reinterpret_cast<__nv_bfloat162*>(p) = __floats2bfloat162_rn(a, b);
}

/// Larger values of two vectors of 16 bytes of T, element by element.
template <typename T>
__device__ inline void maximum_of(uint4& top, const uint4& other);
template <>
__device__ inline void maximum_of<bf16>(uint4& top, const uint4& other) {
  auto* a = reinterpret_cast<__nv_bfloat162*>(&top);
  const auto* b = reinterpret_cast<const __nv_bfloat162*>(&other);
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    a[i] = __hmax2(a[i], b[i]);
  }
}
template <>
__device__ inline void maximum_of<float>(uint4& top, const uint4& other) {
  auto* a = reinterpret_cast<float*>(&top);
  const auto* b = reinterpret_cast<const float*>(&other);
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    a[i] = fmaxf(a[i], b[i]);
  }
}

/// Calls use(i, load(i)) for i = 0 … n − 1 in this order, by one thread; `Ahead` loads are under way together, because
/// each takes as long as many additions.
template <int Ahead, typename Load, typename Use>
__device__ inline void in_order(int n, const Load& load, const Use& use) {
  for (int first = 0; first < n; first += Ahead) {
    decltype(load(0)) x[Ahead] = {};
#pragma unroll
    for (int j = 0; j < Ahead; ++j) {
      if (first + j < n) {
        x[j] = load(first + j);
      }
    }
#pragma unroll
    for (int j = 0; j < Ahead; ++j) {
      if (first + j < n) {
        use(first + j, x[j]);
      }
    }
  }
}

/// Maps a float to an integer with the same order; a finite float never becomes 0.
__device__ inline std::uint32_t ordered(float key) {
  const std::uint32_t bits = __float_as_uint(key);
  const auto sign = static_cast<std::uint32_t>(static_cast<std::int32_t>(bits) >> 31);  // all ones when negative
  return bits ^ (sign | 0x80000000u);
}

__device__ inline double warp_sum(double x) {
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1) {
    x += __shfl_xor_sync(kFullWarp, x, offset);
  }
  return x;
}

/// Sums over this lane's value and those of the lanes after it, or before it; the whole warp.
__device__ inline double sum_after(double x) {
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (unsigned offset = 1; offset < 32; offset <<= 1) {
    const double other = __shfl_down_sync(kFullWarp, x, offset);
    x += lane + offset < 32 ? other : 0.0;
  }
  return x;
}
__device__ inline double sum_before(double x) {
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (unsigned offset = 1; offset < 32; offset <<= 1) {
    const double other = __shfl_up_sync(kFullWarp, x, offset);
    x += lane >= offset ? other : 0.0;
  }
  return x;
}

__device__ inline float warp_max(float x) {
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1) {
    x = fmaxf(x, __shfl_xor_sync(kFullWarp, x, offset));
  }
  return x;
}

/// Sum over the block in a fixed order, known to all threads. `scratch` holds one double per warp.
__device__ inline double block_sum(double x, double* scratch) {
  x = warp_sum(x);
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    scratch[threadIdx.x / 32] = x;
  }
  __syncthreads();
  double total = 0.0;
  for (unsigned w = 0; w < blockDim.x / 32; ++w) {
    total += scratch[w];
  }
  return total;
}

__device__ inline float block_max(float x, double* scratch) {
  x = warp_max(x);
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    scratch[threadIdx.x / 32] = static_cast<double>(x);
  }
  __syncthreads();
  double top = scratch[0];
  for (unsigned w = 1; w < blockDim.x / 32; ++w) {
    top = fmax(top, scratch[w]);
  }
  return static_cast<float>(top);
}

/// −∞ in all elements of 16 bytes of T.
template <typename T>
__device__ inline uint4 lowest() {
  constexpr std::uint32_t kWord = sizeof(T) == 2 ? 0xFF80FF80u : 0xFF800000u;
  return make_uint4(kWord, kWord, kWord, kWord);
}

/// A pointer to shared memory that stays in a register: formed anew in a loop, it costs the wait for a special one.
template <typename T>
__device__ inline T* kept_shared(T* shared) {
  auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  asm volatile("" : "+r"(address));
  return static_cast<T*>(__cvta_shared_to_generic(address));
}

/// Copies a structure into shared memory, word by word; a block of `Threads`.
template <int Threads, typename T>
__device__ inline void copy_words(T& to, const T& from) {
  static_assert(sizeof(T) % sizeof(std::uint32_t) == 0);
  for (int i = static_cast<int>(threadIdx.x); i < static_cast<int>(sizeof(T) / sizeof(std::uint32_t)); i += Threads) {
    reinterpret_cast<std::uint32_t*>(&to)[i] = reinterpret_cast<const std::uint32_t*>(&from)[i];
  }
}

/// True in all threads of the block that arrives last of `count`; what the others wrote before is then visible (read it
/// with __ldcg). The counter is back at 0 afterwards.
__device__ inline bool last_to_arrive(unsigned* counter, int count) {
  __syncthreads();
  bool last = false;
  if (threadIdx.x == 0) {
    // Speaks for the whole block, whose writes the barrier has ordered before it.
    const unsigned top = static_cast<unsigned>(count) - 1u;
    unsigned before;
    asm volatile("atom.acq_rel.gpu.global.inc.u32 %0, [%1], %2;\n" : "=r"(before) : "l"(counter), "r"(top) : "memory");
    last = before == top;
  }
  return __syncthreads_or(last ? 1 : 0) != 0;
}

}  // namespace moco::cuda
