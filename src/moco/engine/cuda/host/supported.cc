// Refusals of the device.
#include "moco/engine/cuda/host/supported.h"

#include <fmt/format.h>

#include "moco/error.h"

namespace moco::cuda {

void require_supported(const BatchSpec& spec) {
  for (const DecisionGraph* graph : spec.graphs) {
    const auto* tsp = dynamic_cast<const TspInstance*>(graph->instance.get());
    if (tsp != nullptr && is_spatial(tsp->metric())) {
      throw OptionError(fmt::format(
          "the CUDA engine knows no distances in three dimensions, which '{}' has; use --engine cpu", tsp->name()));
    }
  }
}

}  // namespace moco::cuda
