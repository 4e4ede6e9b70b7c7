// Strips of columns are kept in registers while the neighbours stream by.
//
// Compiled with -ffinite-math-only -fno-signed-zeros, which lets the compiler use the hardware's maximum instruction.
#include "moco/engine/cpu/neighbour_max.h"

#include <cstring>

namespace moco::cpu {

namespace {

constexpr std::size_t kLanes = 8;
using Vector = float __attribute__((vector_size(kLanes * sizeof(float))));

Vector load(const float* source) {
  Vector v;
  std::memcpy(&v, source, sizeof v);
  return v;
}

template <std::size_t Vectors>
void strip_max(const float* rows, std::size_t stride, std::span<const Index> neighbours, float* out) {
  Vector top[Vectors];
  const float* first = rows + static_cast<std::size_t>(neighbours[0]) * stride;
#pragma GCC unroll 8
  for (std::size_t v = 0; v < Vectors; ++v) {
    top[v] = load(first + v * kLanes);
  }
  for (std::size_t j = 1; j < neighbours.size(); ++j) {
    const float* row = rows + static_cast<std::size_t>(neighbours[j]) * stride;
#pragma GCC unroll 8
    for (std::size_t v = 0; v < Vectors; ++v) {
      const Vector other = load(row + v * kLanes);
      top[v] = top[v] > other ? top[v] : other;
    }
  }
#pragma GCC unroll 8
  for (std::size_t v = 0; v < Vectors; ++v) {
    std::memcpy(out + v * kLanes, &top[v], sizeof top[v]);
  }
}

}  // namespace

void neighbour_max(const float* rows, std::size_t width, std::span<const Index> neighbours, float* out) {
  constexpr std::size_t kStrip = 8;  // vectors
  std::size_t c = 0;
  for (; c + kStrip * kLanes <= width; c += kStrip * kLanes) {
    strip_max<kStrip>(rows + c, width, neighbours, out + c);
  }
  for (; c < width; c += kLanes) {
    strip_max<1>(rows + c, width, neighbours, out + c);
  }
}

}  // namespace moco::cpu
