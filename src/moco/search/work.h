// Instances as batches: what is searched side by side, and what that takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "moco/engine/engine.h"
#include "moco/search/algorithm.h"
#include "moco/search/packing.h"

namespace moco {

/// A batch of consecutive instances with all their restarts.
struct Work {
  std::vector<DecisionGraph> graphs;
  std::vector<Solution> warm_starts;  ///< items of those given, or none
  BatchSpec spec;
  std::vector<InstanceRun> runs;
};

/// The executor's threads build the graphs; its halt is what the batch looks at.
Work make_work(std::span<const InstancePtr> instances, const Model& model, const SolveOptions& options,
               IndexRange range, const Executor& executor = {});

/// Memory that the search of these instances side by side takes, graphs included. Builds no graph.
MemoryNeed work_need(const Engine& engine, std::span<const InstancePtr> instances, const Model& model,
                     const SolveOptions& options, IndexRange range);

/// Cuts the list into batches. At most SolveOptions::batch instances each; without that, as many as fill the engine
/// with their steps or, where there are none, as are soon done by so many threads that each kick one, but a single
/// one under a time limit, which is then that instance's own. Batches shrink until they fit into memory. Throws
/// ResourceError when an instance does not fit alone.
std::vector<IndexRange> pack_instances(const Engine& engine, std::span<const InstancePtr> instances, const Model& model,
                                       const SolveOptions& options, std::size_t threads = 1);

}  // namespace moco
