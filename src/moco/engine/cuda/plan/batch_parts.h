// How a batch is cut into parts that step side by side (split_batch.h).
#pragma once

#include <vector>

#include "moco/engine/cuda/cuda_engine.h"

namespace moco::cuda {

/// Into how many parts: what the options say or, if they do not, what suits the batch.
int parts_of(const BatchSpec& spec, const CudaOptions& options);

/// Consecutive trajectories, as many in each part; a part has only the graphs and weights that it needs.
std::vector<BatchSpec> split(const BatchSpec& spec, int parts);

}  // namespace moco::cuda
