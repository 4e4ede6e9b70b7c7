// A float as its bits and back, for host and device.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__CUDACC__)
#define MOCO_HOST_DEVICE __host__ __device__
#else
#define MOCO_HOST_DEVICE
#endif

namespace moco {

MOCO_HOST_DEVICE inline std::uint32_t bits_of(float x) {
  std::uint32_t u = 0;
  std::memcpy(&u, &x, sizeof u);
  return u;
}

MOCO_HOST_DEVICE inline float float_of(std::uint32_t u) {
  float x = 0.0f;
  std::memcpy(&x, &u, sizeof x);
  return x;
}

}  // namespace moco
