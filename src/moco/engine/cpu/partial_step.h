// A step of partial samples.
#pragma once

#include "moco/core/thread_pool.h"
#include "moco/engine/cpu/trajectory.h"

namespace moco::cpu {

/// Draws the samples of a step from the base, sets the gradient, keeps what is good enough in the elite, and moves the
/// base. With `keep_samples` their whole solutions are left in state.kept.
void partial_step(TrajectoryState& state, const LoopOptions& loop, bool keep_samples, WorkerContext& context,
                  const Executor& executor);

}  // namespace moco::cpu
