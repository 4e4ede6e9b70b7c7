// Bytes are counted by placing every array in an arena without memory.
#include "moco/engine/cuda/plan/batch_plan.h"

#include <algorithm>

#include "moco/engine/cuda/plan/device_family.h"
#include "moco/engine/cuda/step/search_arrays.h"

namespace moco::cuda {

namespace {

constexpr std::size_t kGap = 256;              // between arrays, at most
constexpr std::size_t kArraysOfGraph = 8;      // at most
constexpr std::size_t kArraysOfBatch = 8;      // tables
constexpr std::size_t kLeastStaged = 4 << 20;  // page-locked bytes that a context takes at least (kit/device.cc)

std::size_t table_bytes(const BatchLayout& layout, const WeightPlan& weights) {
  const std::size_t chunks = layout.gradient_chunks.size() + layout.variable_chunks.size() + layout.edge_chunks.size() +
                             layout.node_chunks.size();
  return layout.trajectories.size() * sizeof(TrajectoryData) + chunks * sizeof(RowChunk) +
         weights.entries.size() * sizeof(PackEntry) +
         static_cast<std::size_t>(layout.weight_sets) * sizeof(WeightSource) + kArraysOfBatch * kGap;
}

}  // namespace

BatchPlan::BatchPlan(const BatchSpec& spec, const CudaOptions& options, const Occupancy& occupancy, bool alone)
    : layout_(spec), step_(choose_step(spec, options, occupancy, layout_)) {
  switches_.trajectories = layout_.count();
  switches_.samples = layout_.samples;
  switches_.is_tsp = device_family(spec.config.family) == DeviceFamily::tours;
  switches_.alone = alone;
  switches_.total_variables = static_cast<long long>(layout_.variables);
  SearchData& search = switches_.search;
  search.gradient_blocks = static_cast<int>(layout_.gradient_chunks.size());
  search.variable_blocks = static_cast<int>(layout_.variable_chunks.size());
  search.elite = elite_rule(spec);
  search.causal = spec.loop.gradient == GradientKind::causal;
  const bool improves = !spec.loop.local_search.name.empty() || spec.loop.rebuild > 0;
  search.by_improved = improves && spec.loop.advantage == AdvantageKind::improved;

  place(lasting_, of_update_);
  const std::size_t tables = table_bytes(layout_, step_.weights());
  std::size_t narrowed = 0;
  constant_bytes_ = tables;
  for (const DecisionGraph* graph : spec.graphs) {
    constant_bytes_ += step_.problem().graph_bytes(*graph) + sizeof(GraphData) + kArraysOfGraph * kGap;
    narrowed += graph->kind == VariableKind::edge ? (static_cast<std::size_t>(graph->nodes) + 1) * sizeof(int) : 0;
  }
  const std::size_t staged_status = layout_.per_trajectory() * sizeof(StatusEntry) * kStatusRing;
  host_bytes_ = tables + narrowed + std::max(constant_bytes_ + staged_status, kLeastStaged);
}

DeviceBatch BatchPlan::place(Arena& lasting, Arena& of_update) const {
  DeviceBatch batch = switches_;
  place_search(lasting, layout_, batch);
  step_.place(lasting, of_update, layout_, batch);
  return batch;
}

}  // namespace moco::cuda
