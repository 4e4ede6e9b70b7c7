// One batch of instances from candidate graphs to checked solutions, under one clock.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "moco/core/thread_pool.h"
#include "moco/engine/engine.h"
#include "moco/search/packing.h"
#include "moco/solve.h"

namespace moco {

/// The local search that a result is polished by.
LocalSearchOptions polish_options(const SolveOptions& options);

/// A model and the number by which an engine knows its weights (BatchSpec::base_weights).
struct NumberedModel {
  Model model;
  std::uint64_t number = 0;
};

/// Solves the instances of a range side by side. `options.loop` has no episodes.
std::vector<SolveResult> solve_range(std::span<const InstancePtr> instances, const NumberedModel& model,
                                     const SolveOptions& options, IndexRange range, Engine& engine, ThreadPool& pool);

}  // namespace moco
