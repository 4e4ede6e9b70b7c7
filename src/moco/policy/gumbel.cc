// Philox in lanes: a group of counters advances together through the ten rounds, which the compiler turns into vector
// code.
#include "moco/policy/gumbel.h"

#include <algorithm>

#include "moco/core/numeric.h"

namespace moco {

namespace {

constexpr std::size_t kLanes = 16;

struct Lanes {
  std::uint32_t c[4][kLanes];
};

void philox_lanes(std::uint32_t first_block, std::uint32_t sample, std::uint32_t step, Purpose purpose, StreamKey key,
                  Lanes& lanes) {
  for (std::size_t i = 0; i < kLanes; ++i) {
    lanes.c[0][i] = first_block + static_cast<std::uint32_t>(i);
    lanes.c[1][i] = sample;
    lanes.c[2][i] = step;
    lanes.c[3][i] = static_cast<std::uint32_t>(purpose);
  }
  for (int round = 0; round < 10; ++round) {
    for (std::size_t i = 0; i < kLanes; ++i) {
      const std::uint64_t p0 = std::uint64_t{0xD2511F53u} * lanes.c[0][i];
      const std::uint64_t p1 = std::uint64_t{0xCD9E8D57u} * lanes.c[2][i];
      lanes.c[0][i] = static_cast<std::uint32_t>(p1 >> 32) ^ lanes.c[1][i] ^ key.lo;
      lanes.c[2][i] = static_cast<std::uint32_t>(p0 >> 32) ^ lanes.c[3][i] ^ key.hi;
      lanes.c[1][i] = static_cast<std::uint32_t>(p1);
      lanes.c[3][i] = static_cast<std::uint32_t>(p0);
    }
    key.lo += 0x9E3779B9u;
    key.hi += 0xBB67AE85u;
  }
}

}  // namespace

void fill_gumbel(StreamKey key, std::uint32_t step, std::uint32_t sample, std::size_t blocks, float* out,
                 Purpose purpose) {
  Lanes lanes;
  float noise[4][kLanes];
  for (std::size_t first = 0; first < blocks; first += kLanes) {
    philox_lanes(static_cast<std::uint32_t>(first), sample, step, purpose, key, lanes);
    for (std::size_t r = 0; r < 4; ++r) {
      for (std::size_t i = 0; i < kLanes; ++i) {
        noise[r][i] = gumbel(lanes.c[r][i]);
      }
    }
    const std::size_t used = std::min(kLanes, blocks - first);
    float* target = out + 4 * first;
    for (std::size_t i = 0; i < used; ++i) {
      for (std::size_t r = 0; r < 4; ++r) {
        target[4 * i + r] = noise[r][i];
      }
    }
  }
}

}  // namespace moco
