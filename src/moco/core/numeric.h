// Float functions with one exact definition on every engine: built from fused multiply-adds in a fixed order, so that a
// CPU and a GPU that agree on θ agree on every random key, bit for bit.
#pragma once

#include <cmath>
#include <cstdint>

#include "moco/core/random.h"

namespace moco {

/// Natural logarithm of a positive normal float, to about 2 ulp. log x = e·ln 2 + log(1 + f) with 1 + f in [√½, √2) and
/// the polynomial of Cephes' logf (S. L. Moshier) for log(1 + f). No division: this runs once per random key.
MOCO_HOST_DEVICE inline float fast_log(float x) {
  const std::uint32_t u = bits_of(x) - 0x3F3504F3u + (128u << 23);  // √½ moves to an exponent's border, of 128
  const float exponent = float_of(0x4B000000u + (u >> 23)) - (0x1p23f + 128.0f);  // the integer as a float, exactly
  const float f = float_of((u & 0x007FFFFFu) + 0x3F3504F3u) - 1.0f;
  const float z = f * f;
  float p = 7.0376836292e-2f;
  p = fmaf(p, f, -1.1514610310e-1f);
  p = fmaf(p, f, 1.1676998740e-1f);
  p = fmaf(p, f, -1.2420140846e-1f);
  p = fmaf(p, f, 1.4249322787e-1f);
  p = fmaf(p, f, -1.6668057665e-1f);
  p = fmaf(p, f, 2.0000714765e-1f);
  p = fmaf(p, f, -2.4999993993e-1f);
  p = fmaf(p, f, 3.3333331174e-1f);
  const float cubed = f * z;
  const float tail = exponent * -2.12194440e-4f;  // ln 2 = 0.693359375 − 2.12194440e-4
  const float y = fmaf(-0.5f, z, fmaf(p, cubed, tail)) + f;
  return fmaf(exponent, 0.693359375f, y);
}

/// Standard Gumbel variate from 32 random bits: −log(−log u).
MOCO_HOST_DEVICE inline float gumbel(std::uint32_t bits) {
  return -fast_log(-fast_log(uniform_open(bits)));
}

}  // namespace moco
