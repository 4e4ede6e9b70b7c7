// Arrays that every search has, and those of a local search.
#pragma once

#include "moco/engine/cuda/batch/batch_layout.h"
#include "moco/engine/cuda/batch/search_shape.h"
#include "moco/engine/cuda/kit/arena.h"

namespace moco::cuda {

void place_search(Arena& arena, const BatchLayout& layout, DeviceBatch& batch);

/// Samples after local search, beside those before it, and the search's working set; after place_search().
void place_found(Arena& arena, const BatchLayout& layout, const SearchShape& shape, DeviceBatch& batch);

}  // namespace moco::cuda
