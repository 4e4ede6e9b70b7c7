// Float functions with one exact definition on every engine: built from fused multiply-adds in a fixed order, so that a
// CPU and a GPU that agree on θ agree on every random key, bit for bit.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "moco/core/random.h"

namespace moco {

MOCO_HOST_DEVICE inline std::uint32_t bits_of(float x) {
  std::uint32_t u;
  std::memcpy(&u, &x, sizeof u);
  return u;
}

MOCO_HOST_DEVICE inline float float_of(std::uint32_t u) {
  float x;
  std::memcpy(&x, &u, sizeof x);
  return x;
}

/// Natural logarithm of a positive normal float, to about 2 ulp. log x = e·ln 2 + log m with m in [√½, √2) and
/// log m = 2 atanh(s), s = (m − 1)/(m + 1).
MOCO_HOST_DEVICE inline float fast_log(float x) {
  const std::uint32_t u = bits_of(x) - 0x3F3504F3u;  // √½ moves to the exponent's border
  const auto exponent = static_cast<float>(static_cast<std::int32_t>(u) >> 23);
  const float m = float_of((u & 0x007FFFFFu) + 0x3F3504F3u);
  const float s = (m - 1.0f) / (m + 1.0f);
  const float z = s * s;
  float p = 0.22222222f;
  p = fmaf(p, z, 0.28571429f);
  p = fmaf(p, z, 0.4f);
  p = fmaf(p, z, 0.66666667f);
  p = fmaf(p, z, 2.0f);
  const float tail = exponent * -2.12194440e-4f;  // ln 2 = 0.693359375 − 2.12194440e-4
  return fmaf(exponent, 0.693359375f, fmaf(s, p, tail));
}

/// Standard Gumbel variate from 32 random bits: −log(−log u).
MOCO_HOST_DEVICE inline float gumbel(std::uint32_t bits) {
  return -fast_log(-fast_log(uniform_open(bits)));
}

}  // namespace moco
