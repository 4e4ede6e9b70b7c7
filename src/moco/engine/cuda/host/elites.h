// Solutions on their way to and from the elites on the device. What a solution's items are is the problem's business
// (policy/construction.h).
#pragma once

#include <vector>

#include "moco/engine/cuda/batch/batch_layout.h"
#include "moco/engine/cuda/kit/device.h"
#include "moco/engine/engine.h"

namespace moco::cuda {

/// States of trajectories before the first step: with empty elites, or elites of the warm starts, whose items go to the
/// device here.
std::vector<SearchState> first_states(const BatchSpec& spec, const BatchLayout& layout, const DeviceBatch& batch,
                                      DeviceContext& context);

/// The best solutions in a trajectory's elite, best first, `most` of them or as many as there are.
std::vector<Solution> best_of_elite(const BatchSpec& spec, const BatchLayout& layout, const DeviceBatch& batch,
                                    std::size_t trajectory, int most, DeviceContext& context);

}  // namespace moco::cuda
