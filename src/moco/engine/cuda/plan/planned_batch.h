// The plan of a whole batch: its parts, which step side by side on streams of their own, each with its own plan.
#pragma once

#include <vector>

#include "moco/engine/cuda/plan/batch_plan.h"

namespace moco::cuda {

struct PlannedPart {
  BatchSpec spec;
  BatchPlan plan;
};

struct PlannedBatch {
  /// Throws OptionError for what the device has no kernels for, or cannot hold.
  PlannedBatch(BatchSpec spec, const CudaOptions& options, const Occupancy& occupancy);

  std::vector<PlannedPart> parts;
  MemoryNeed need;
};

}  // namespace moco::cuda
