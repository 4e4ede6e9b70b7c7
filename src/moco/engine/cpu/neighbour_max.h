// Element-wise maximum over the rows of a node's neighbours, the inner loop of the GCN.
#pragma once

#include <cstddef>
#include <span>

#include "moco/types.h"

namespace moco::cpu {

/// out[c] = max over j in neighbours of rows[j·width + c]; the neighbours must not be empty.
void neighbour_max(const float* rows, std::size_t width, std::span<const Index> neighbours, float* out);

}  // namespace moco::cpu
