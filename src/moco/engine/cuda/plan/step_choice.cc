// The TSP's network, by what was measured on an H200 (docs/performance.md):
//
//   narrow   hidden sizes up to 32, in bf16: one thread block per trajectory. An ES step of TSP100 takes 0.33 of what
//            128 columns take, of TSP200 0.41, 32 searches 0.55. (One search alone loses: TSP100 0.0375 against 0.0327
//            s.)
//   fused    one cluster per trajectory, in bf16, where h_e fits into shared memory and all clusters run in one round:
//            its time is latency. TSP100 M=1 takes 0.0270 s for 200 steps instead of 0.0378; with 256 trajectories it
//            took nine rounds of 190 µs, and the passes are faster there.
//   passes   everything else.
//
// The GCN:
//
//   fused    where the device runs all clusters of the batch at once. It must, for they wait for each other; seconds of
//            200 steps, fused and pass by pass: n=750 M=1 0.0110 and 0.0129, n=100 M=7 0.00892 and 0.00974, n=400 M=2
//            0.01010 and 0.01086.
//   passes   everything else.
#include "moco/engine/cuda/plan/step_choice.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "moco/engine/cuda/gcn/fused/fused_gcn_program.h"
#include "moco/engine/cuda/gcn/passes/gcn_program.h"
#include "moco/engine/cuda/graph_network/fused/fused_kernel.h"
#include "moco/engine/cuda/graph_network/fused/fused_program.h"
#include "moco/engine/cuda/graph_network/narrow/narrow_program.h"
#include "moco/engine/cuda/graph_network/passes/passes_program.h"
#include "moco/engine/cuda/mis/set_program.h"
#include "moco/engine/cuda/plan/device_family.h"
#include "moco/engine/cuda/rules/adam_program.h"
#include "moco/engine/cuda/rules/mlp_program.h"
#include "moco/engine/cuda/rules/pheromone_program.h"
#include "moco/engine/cuda/tsp/tour_program.h"
#include "moco/error.h"
#include "moco/local_search.h"
#include "moco/problem.h"

namespace moco::cuda {

namespace {

using Network = std::unique_ptr<NetworkProgram>;

/// Neighbours of the nodes of one of `parts` equal parts of a graph, at most (MIS).
int most_neighbours(const BatchSpec& spec, int parts) {
  std::int64_t most = 0;
  for (const DecisionGraph* graph : spec.graphs) {
    const int each = (graph->nodes + parts - 1) / parts;
    for (int first = 0; first < graph->nodes; first += each) {
      const int end = std::min(first + each, graph->nodes);
      most = std::max<std::int64_t>(
          most, graph->offsets[static_cast<std::size_t>(end)] - graph->offsets[static_cast<std::size_t>(first)]);
    }
  }
  return static_cast<int>(std::min<std::int64_t>(most, 1 << 24));  // shared memory holds far less
}

Network graph_network(const BatchSpec& spec, const CudaOptions& options, const Occupancy& occupancy,
                      const WeightSets& weights, BatchLayout& layout) {
  const bool bf16 = weights.bf16();
  if (bf16 && options.fused == FusedUse::automatic && spec.config.hidden <= kNarrowHidden) {
    return std::make_unique<NarrowProgram>(spec, weights, layout);
  }
  if (bf16 && options.fused != FusedUse::never) {
    const FusedShape shape = fused_shape(layout.trajectories, options.cluster);
    const int at_once = shape.cluster != 0 ? occupancy.fused_networks(shape) : 0;
    if (at_once > 0 && (options.fused == FusedUse::always || layout.count() <= at_once)) {
      return std::make_unique<FusedProgram>(spec, weights, shape);
    }
  }
  return std::make_unique<PassesProgram>(spec, weights, layout);
}

Network gcn(const BatchSpec& spec, const CudaOptions& options, const Occupancy& occupancy, const WeightSets& weights,
            BatchLayout& layout) {
  const bool bf16 = weights.bf16();
  if (options.fused != FusedUse::never) {
    const int clusters = std::min(options.clusters, occupancy.fused_gcns(bf16));
    const FusedGcnShape shape = fused_gcn_shape(layout.max_nodes, layout.count(), clusters, bf16,
                                                [&](int parts) { return most_neighbours(spec, parts); });
    if (shape.parts != 0) {
      return std::make_unique<FusedGcnProgram>(spec, weights, layout, shape);
    }
  }
  return std::make_unique<GcnProgram>(spec, weights, layout);
}

/// Rules without a network on the graph.
std::unique_ptr<UpdateProgram> simple_rule(const ModelConfig& config, const WeightSets& weights, BatchLayout& layout) {
  switch (config.rule) {
    case UpdateRule::gnn:
      break;
    case UpdateRule::mlp:
      return std::make_unique<MlpProgram>(config, weights, layout);
    case UpdateRule::adam:
      return std::make_unique<AdamProgram>(config, layout);
    case UpdateRule::ant_system:
    case UpdateRule::max_min:
      return std::make_unique<PheromoneProgram>(config, layout);
  }
  return nullptr;
}

}  // namespace

int DeviceOccupancy::fused_networks(const FusedShape& shape) const {
  return fused_networks_at_once(shape);
}

int DeviceOccupancy::fused_gcns(bool bf16) const {
  return fused_gcn_clusters(bf16);
}

Step choose_step(const BatchSpec& spec, const CudaOptions& options, const Occupancy& occupancy, BatchLayout& layout) {
  const bool tours = device_family(spec.config.family) == DeviceFamily::tours;
  const bool bf16 = options.precision == CudaPrecision::bf16;
  validate(spec.loop.local_search, find_family(spec.config.family));
  for (const LocalSearchKind& kind : find_family(spec.config.family).local_searches()) {
    if (kind.cpu_only && kind.name == spec.loop.local_search.name) {
      throw OptionError(fmt::format("local search '{}' runs on the CPU engine only", kind.name));
    }
  }
  require_fitting_rule(spec.config, spec.loop);
  WeightSets weights(spec.config, layout.weight_sets, bf16);
  Step::Programs programs;
  if (tours) {
    programs.problem = std::make_unique<TourProgram>(spec, layout, bf16);
  } else {
    programs.problem = std::make_unique<SetProgram>(spec, layout, bf16);
  }
  if (spec.config.init == Initialisation::learned || spec.config.rule == UpdateRule::gnn) {
    programs.network = tours ? graph_network(spec, options, occupancy, weights, layout)
                             : gcn(spec, options, occupancy, weights, layout);
  }
  programs.rule = simple_rule(spec.config, weights, layout);
  return {spec.config, std::move(weights), std::move(programs)};
}

}  // namespace moco::cuda
