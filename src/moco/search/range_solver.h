// One batch of instances from candidate graphs to checked solutions, under one clock.
#pragma once

#include <span>
#include <vector>

#include "moco/core/thread_pool.h"
#include "moco/engine/engine.h"
#include "moco/search/packing.h"
#include "moco/solve.h"

namespace moco {

/// The local search that a result is polished by.
LocalSearchOptions polish_options(const SolveOptions& options);

/// Solves the instances of a range side by side. `options.loop` has no episodes.
std::vector<SolveResult> solve_range(std::span<const InstancePtr> instances, const Model& model,
                                     const SolveOptions& options, IndexRange range, Engine& engine, ThreadPool& pool);

}  // namespace moco
