// Standard normal noise regenerated from a key: element i of the vector depends on (key, i) alone, and is the same
// float on every engine (core/numeric.h says why).
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "moco/core/numeric.h"
#include "moco/core/random.h"

namespace moco {

/// Two independent standard normal numbers.
struct NormalPair {
  float even;
  float odd;
};

/// Box–Muller on two random words: radius √(−2 ln u), angle 2πv. Whole quarter turns are taken off the angle, which is
/// exact for the 24-bit numbers here; what is left lies in [−π/4, π/4], where the Taylor polynomials are good to 3e-8.
MOCO_HOST_DEVICE inline NormalPair box_muller(std::uint32_t word0, std::uint32_t word1) {
  const float radius = sqrtf(-2.0f * fast_log(uniform_open(word0)));
  const float turns = 4.0f * uniform_open(word1);
  const auto quarter = static_cast<std::int32_t>(turns + 0.5f);
  const float x = 1.5707963f * (turns - static_cast<float>(quarter));
  const float z = x * x;
  float s = fmaf(z, 2.7557319e-6f, -1.9841270e-4f);
  s = fmaf(s, z, 8.3333333e-3f);
  s = fmaf(s, z, -0.16666667f);
  s = fmaf(s * z, x, x);
  float c = fmaf(z, 2.4801587e-5f, -1.3888889e-3f);
  c = fmaf(c, z, 4.1666667e-2f);
  c = fmaf(c, z, -0.5f);
  c = fmaf(c, z, 1.0f);
  const bool swapped = (quarter & 1) != 0;
  const float cosine = swapped ? s : c;
  const float sine = swapped ? c : s;
  return {radius * (((quarter + 1) & 2) != 0 ? -cosine : cosine), radius * ((quarter & 2) != 0 ? -sine : sine)};
}

/// Elements 2·pair and 2·pair + 1 of the noise vector of `key`, from one Philox block.
MOCO_HOST_DEVICE inline NormalPair noise_pair(StreamKey key, std::uint64_t pair) {
  const Philox4 block = philox(static_cast<std::uint32_t>(pair), static_cast<std::uint32_t>(pair >> 32), 0u,
                               static_cast<std::uint32_t>(Purpose::noise), key);
  return box_muller(block.v[0], block.v[1]);
}

/// Element `index` of the noise vector of `key`.
MOCO_HOST_DEVICE inline float normal_noise(StreamKey key, std::uint64_t index) {
  const NormalPair normal = noise_pair(key, index >> 1);
  return (index & 1u) != 0 ? normal.odd : normal.even;
}

}  // namespace moco
