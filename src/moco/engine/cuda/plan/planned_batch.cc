// Base weights are shared by the parts; everything else is each part's own.
#include "moco/engine/cuda/plan/planned_batch.h"

#include <cstdint>
#include <set>
#include <utility>

#include "moco/engine/cuda/plan/batch_parts.h"

namespace moco::cuda {

namespace {

std::uint64_t base_weight_bytes(const BatchSpec& spec) {
  std::set<const float*> seen;
  std::uint64_t bytes = 0;
  for (const WeightSet& set : spec.weights) {
    bytes += seen.insert(set.base.data()).second ? aligned(set.base.size_bytes()) : 0;
  }
  return bytes;
}

}  // namespace

PlannedBatch::PlannedBatch(BatchSpec spec, const CudaOptions& options, const Occupancy& occupancy) {
  const std::uint64_t bases = base_weight_bytes(spec);
  const int count = parts_of(spec, options);
  std::vector<BatchSpec> specs;
  if (count == 1) {
    specs.push_back(std::move(spec));
  } else {
    specs = split(spec, count);
  }
  need = {bases, bases};  // the weights pass through page-locked memory
  for (BatchSpec& part : specs) {
    BatchPlan plan(part, options, occupancy, count == 1);
    need.engine += plan.array_bytes() + plan.constant_bytes();
    need.host += plan.host_bytes();
    parts.push_back({std::move(part), std::move(plan)});
  }
}

}  // namespace moco::cuda
