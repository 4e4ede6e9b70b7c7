// LIBXSMM is column-major: yᵀ [out × rows] = wᵀ [out × in] · xᵀ [in × rows] is the same memory.
#include "moco/engine/cpu/gemm.h"

#include <algorithm>
#include <cstddef>

#include <libxsmm.h>

namespace moco::cpu {

void multiply(Index rows, Index in, Index out, const float* x, const float* w, float* y, bool accumulate) {
  if (rows == 0) {
    return;
  }
  const float alpha = 1.0f;
  const float beta = accumulate ? 1.0f : 0.0f;
  const int flags = LIBXSMM_GEMM_FLAG_NONE;
  const libxsmm_smmfunction kernel =
      libxsmm_smmdispatch(out, rows, in, nullptr, nullptr, nullptr, &alpha, &beta, &flags, nullptr);
  if (kernel != nullptr) {
    kernel(w, x, y);
  } else {
    multiply_plain(rows, in, out, x, w, y, accumulate);
  }
}

void multiply_plain(Index rows, Index in, Index out, const float* x, const float* w, float* y, bool accumulate) {
  const auto width = static_cast<std::size_t>(out);
  const auto depth = static_cast<std::size_t>(in);
  for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) {
    float* target = y + i * width;
    if (!accumulate) {
      std::fill_n(target, width, 0.0f);
    }
    for (std::size_t j = 0; j < depth; ++j) {
      const float factor = x[i * depth + j];
      for (std::size_t o = 0; o < width; ++o) {
        target[o] += factor * w[j * width + o];
      }
    }
  }
}

}  // namespace moco::cpu
