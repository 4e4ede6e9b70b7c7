// Row-major matrix products of the network layers. Small tiles of rows against a weight matrix, called from many
// threads at once; LIBXSMM generates the kernel for the CPU at hand (AVX2 or AVX-512) the first time a shape is seen.
#pragma once

#include "moco/types.h"

namespace moco::cpu {

/// y = x·w (or y += x·w): x [rows × in], w [in × out], y [rows × out], all dense and row-major.
void multiply(Index rows, Index in, Index out, const float* x, const float* w, float* y, bool accumulate);

/// The same in plain loops: what `multiply` falls back to where code cannot be generated, and what tests compare with.
void multiply_plain(Index rows, Index in, Index out, const float* x, const float* w, float* y, bool accumulate);

}  // namespace moco::cpu
