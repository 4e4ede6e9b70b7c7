// Box–Muller (core/noise.h) in vector form. Sixteen Philox blocks at a time give 32 normal numbers; the loops over
// floats have a fixed trip count over plain arrays, so that the compiler turns them into vector instructions (this file
// is compiled without errno for square roots).
#include "moco/engine/noise_sum.h"

#include <algorithm>
#include <array>
#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "moco/core/noise.h"
#include "moco/engine/engine.h"

namespace moco {

namespace {

constexpr std::size_t kLanes = 16;
constexpr std::size_t kBlock = 2 * kLanes;   // numbers of one round
constexpr std::size_t kTask = 256 * kBlock;  // numbers of one task: stays in the first cache

using Words = std::array<std::uint32_t, kLanes>;
using Floats = std::array<float, kLanes>;
/// Four 64-bit lanes; the low half of each holds a counter word, the high half is never read.
using Wide = std::uint64_t __attribute__((vector_size(32)));

/// The 64-bit products of the low halves with a constant.
inline Wide multiply_low(Wide lanes, std::uint64_t factor) {
#if defined(__AVX2__)
  return reinterpret_cast<Wide>(
      _mm256_mul_epu32(reinterpret_cast<__m256i>(lanes), _mm256_set1_epi64x(static_cast<long long>(factor))));
#else
  return (lanes & 0xFFFFFFFFu) * factor;
#endif
}

/// First two words of four Philox blocks from `first` on.
inline void philox_lanes(std::uint64_t first, StreamKey key, Wide& word0, Wide& word1) {
  Wide c0 = Wide{0, 1, 2, 3} + static_cast<std::uint32_t>(first);
  Wide c1 = Wide{} + (first >> 32);  // `first` is a multiple of 4: no carry between the lanes
  Wide c2 = Wide{};
  Wide c3 = Wide{} + static_cast<std::uint64_t>(Purpose::noise);
  for (int round = 0; round < 10; ++round) {
    const Wide p0 = multiply_low(c0, 0xD2511F53u);
    const Wide p1 = multiply_low(c2, 0xCD9E8D57u);
    c0 = (p1 >> 32) ^ c1 ^ key.lo;
    c2 = (p0 >> 32) ^ c3 ^ key.hi;
    c1 = p1;
    c3 = p0;
    key.lo += 0x9E3779B9u;
    key.hi += 0xBB67AE85u;
  }
  word0 = c0;
  word1 = c1;
}

/// sum[0 … 31] += weight · ε[2·first … 2·first + 31], `first` a multiple of 16.
void add_block(std::uint64_t first, StreamKey key, float weight, float* sum) {
  Words bits0;
  Words bits1;
  for (std::size_t l = 0; l < kLanes; l += 4) {
    Wide word0;
    Wide word1;
    philox_lanes(first + l, key, word0, word1);
    for (std::size_t i = 0; i < 4; ++i) {
      bits0[l + i] = static_cast<std::uint32_t>(word0[i]);
      bits1[l + i] = static_cast<std::uint32_t>(word1[i]);
    }
  }
  Floats even;
  Floats odd;
  for (std::size_t l = 0; l < kLanes; ++l) {
    const NormalPair normal = box_muller(bits0[l], bits1[l]);
    even[l] = weight * normal.even;
    odd[l] = weight * normal.odd;
  }
  for (std::size_t l = 0; l < kLanes; ++l) {
    sum[2 * l] += even[l];
    sum[2 * l + 1] += odd[l];
  }
}

}  // namespace

void sum_noise(std::span<const StreamKey> keys, std::span<const float> weights, std::span<float> sum,
               const Executor& executor) {
  executor.for_each_range(sum.size(), kTask, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (weights[i] == 0.0f) {
        continue;
      }
      std::size_t p = begin;
      for (; p + kBlock <= end; p += kBlock) {
        add_block(p / 2, keys[i], weights[i], sum.data() + p);
      }
      if (p < end) {
        std::array<float, kBlock> tail{};
        std::copy(sum.data() + p, sum.data() + end, tail.data());
        add_block(p / 2, keys[i], weights[i], tail.data());
        std::copy_n(tail.data(), end - p, sum.data() + p);
      }
    }
  });
}

void Engine::add_noise(std::span<const StreamKey> keys, std::span<const float> weights, std::span<float> sum) {
  ThreadPool pool;
  sum_noise(keys, weights, sum, Executor(pool));
}

}  // namespace moco
