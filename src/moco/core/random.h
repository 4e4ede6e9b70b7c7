// Counter-based random numbers: Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2,
// 3", SC 2011). A number is a pure function of its key and counter, so the same stream comes out on every engine, for
// any number of threads and any batch size.
//
// Header-only and free of the standard library's generators, so that device code can include it as it is.
#pragma once

#include <cstdint>

#include "moco/core/float_bits.h"

namespace moco {

/// Key of one random stream. Derived from (seed, instance, run); never reused for two purposes.
struct StreamKey {
  std::uint32_t lo = 0;
  std::uint32_t hi = 0;
};

/// Which draw of a run a counter belongs to; the last word of the counter, so that purposes never share numbers.
enum class Purpose : std::uint32_t {
  sample = 0,
  start_node = 1,
  generator = 2,
  weights = 3,
  noise = 4,
  kick = 5,
  rebuild = 6,     ///< what a partial sample chooses
  place = 7,       ///< where a partial sample begins
  acceptance = 8,  ///< whether it is gone on with
  cover = 9,       ///< which uncovered edge
};

struct Philox4 {
  std::uint32_t v[4];
};

/// The Philox4x32-10 block function.
MOCO_HOST_DEVICE inline Philox4 philox(std::uint32_t c0, std::uint32_t c1, std::uint32_t c2, std::uint32_t c3,
                                       StreamKey key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xD2511F53u} * c0;
    const std::uint64_t p1 = std::uint64_t{0xCD9E8D57u} * c2;
    const auto hi0 = static_cast<std::uint32_t>(p0 >> 32);
    const auto hi1 = static_cast<std::uint32_t>(p1 >> 32);
    c0 = hi1 ^ c1 ^ key.lo;
    c2 = hi0 ^ c3 ^ key.hi;
    c1 = static_cast<std::uint32_t>(p1);
    c3 = static_cast<std::uint32_t>(p0);
    key.lo += 0x9E3779B9u;
    key.hi += 0xBB67AE85u;
  }
  return {{c0, c1, c2, c3}};
}

/// SplitMix64 finaliser: mixes a 64-bit word well enough to derive keys from small consecutive numbers.
MOCO_HOST_DEVICE inline std::uint64_t mix64(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

/// Key of run `run` on instance `instance` under the user's seed.
MOCO_HOST_DEVICE inline StreamKey stream_key(std::uint64_t seed, std::uint64_t instance, std::uint64_t run) {
  const std::uint64_t k = mix64(mix64(mix64(seed) ^ instance) ^ run);
  return {static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(k >> 32)};
}

/// Uniform in (0, 1) with 23 bits; never 0 and never 1. The bits m become the float 1 + m·2⁻²³, from which subtracting
/// 1 − 2⁻²⁴ leaves (m + ½)·2⁻²³ exactly: conversions from integers are slow on devices.
MOCO_HOST_DEVICE inline float uniform_open(std::uint32_t bits) {
  return float_of(0x3F800000u + (bits >> 9)) - 0x1.FFFFFEp-1f;
}

/// Sequential draws from one stream, for generators and set-up code that is not time-critical.
class RandomSequence {
 public:
  RandomSequence(StreamKey key, Purpose purpose) : key_(key), purpose_(purpose) {}

  std::uint32_t next_u32() {
    const auto lane = static_cast<std::uint32_t>(position_ & 3u);
    if (lane == 0) {
      const std::uint64_t block_index = position_ >> 2;
      block_ = philox(static_cast<std::uint32_t>(block_index), static_cast<std::uint32_t>(block_index >> 32), 0u,
                      static_cast<std::uint32_t>(purpose_), key_);
    }
    ++position_;
    return block_.v[lane];
  }

  /// Uniform in [0, 1) with 53 bits.
  double next_double() {
    const std::uint64_t hi = next_u32();
    const std::uint64_t lo = next_u32();
    return static_cast<double>(((hi << 32) | lo) >> 11) * 0x1p-53;
  }

  /// Uniform in 0 … bound−1 without bias; bound ≥ 1.
  std::uint32_t next_below(std::uint32_t bound) {
    const std::uint32_t threshold = (0u - bound) % bound;
    for (;;) {
      const std::uint64_t product = std::uint64_t{next_u32()} * bound;
      if (static_cast<std::uint32_t>(product) >= threshold) {
        return static_cast<std::uint32_t>(product >> 32);
      }
    }
  }

 private:
  StreamKey key_;
  Purpose purpose_;
  std::uint64_t position_ = 0;
  Philox4 block_{};
};

}  // namespace moco
