// Sizes, items and addresses.
#include "moco/engine/cuda/host/batch_plan.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "moco/engine/cuda/host/device_family.h"
#include "moco/error.h"
#include "moco/problem.h"
#include "moco/problems/tsp/tsp_options.h"

namespace moco::cuda {

namespace {

long long ceil_div(long long a, long long b) {
  return (a + b - 1) / b;
}

/// Appends the items of one trajectory with `rows` rows, `per_item` each.
ItemRange append(std::vector<Item>& items, int trajectory, int rows, int per_item) {
  ItemRange range{static_cast<int>(items.size()), 0};
  for (int first = 0; first < rows; first += per_item) {
    items.push_back({trajectory, first, std::min(per_item, rows - first)});
    ++range.count;
  }
  return range;
}

/// Nodes per item of the passes over edges: those with which the blocks of the device, three per multiprocessor, are
/// through first. A block's warps take a quarter each, 16 edges at a time; its start costs as much as two times 16.
int nodes_of_edge_item(const std::vector<TrajectoryData>& trajectories) {
  constexpr long long kStart = 2;
  constexpr long long kAtOnce = 3 * kMultiprocessors;
  long long best = 1;
  long long least = std::numeric_limits<long long>::max();
  for (long long per_warp = 1; kEdgeWarps * per_warp <= kMostEdgeNodes; ++per_warp) {
    long long items = 0;
    long long steps = 0;
    for (const TrajectoryData& t : trajectories) {
      if (t.variables > 0) {
        items += ceil_div(t.nodes, kEdgeWarps * per_warp);
        steps = std::max(steps, ceil_div(per_warp * t.variables / t.nodes, kWarpRows));
      }
    }
    const long long time = ceil_div(items, kAtOnce) * (steps + kStart);
    if (time < least) {
      least = time;
      best = per_warp;
    }
  }
  return static_cast<int>(kEdgeWarps * best);
}

/// Neighbours per node, over all trajectories (MIS).
double mean_degree(const BatchSpec& spec) {
  double neighbours = 0.0;
  double nodes = 0.0;
  for (const Trajectory& trajectory : spec.trajectories) {
    const DecisionGraph& graph = *spec.graphs[trajectory.graph];
    neighbours += static_cast<double>(graph.targets.size());
    nodes += graph.nodes;
  }
  return nodes > 0.0 ? neighbours / nodes : 0.0;
}

/// Neighbours of the nodes of one of `parts` equal parts of a graph, at most (MIS).
int most_neighbours(const BatchSpec& spec, int parts) {
  std::int64_t most = 0;
  for (const DecisionGraph* graph : spec.graphs) {
    const auto each = static_cast<int>(ceil_div(graph->nodes, parts));
    for (int first = 0; first < graph->nodes; first += each) {
      const int end = std::min(first + each, graph->nodes);
      most = std::max<std::int64_t>(
          most, graph->offsets[static_cast<std::size_t>(end)] - graph->offsets[static_cast<std::size_t>(first)]);
    }
  }
  return static_cast<int>(std::min<std::int64_t>(most, 1 << 24));  // shared memory holds far less
}

bool is_plane(const DecisionGraph* graph) {
  const auto* tsp = dynamic_cast<const TspInstance*>(graph->instance.get());
  return tsp != nullptr && tsp->metric() == Metric::euclidean;
}

}  // namespace

BatchPlan::BatchPlan(const BatchSpec& spec, const CudaOptions& options)
    : weights(spec.config), bf16_(options.precision == CudaPrecision::bf16) {
  batch.trajectories = static_cast<int>(spec.trajectories.size());
  batch.samples = spec.loop.samples;
  batch.steps = spec.loop.steps;
  batch.causal = spec.loop.gradient == GradientKind::causal;
  batch.penalty = tsp_options(spec.loop.problem).dead_end == DeadEnd::penalty;
  batch.pool = pool_rule(spec);
  batch.learned = spec.config.rule == UpdateRule::gnn;
  batch.authors = spec.config.gcn == GcnVariant::authors;
  batch.theta_update = spec.config.theta_update;
  batch.gradient_scale = static_cast<float>(spec.config.gradient_scale);
  batch.is_tsp = device_family(spec.config.family) == DeviceFamily::tours;
  batch.all_plane = std::ranges::all_of(spec.graphs, is_plane);
  batch.weighted = std::ranges::any_of(spec.graphs, &DecisionGraph::weighted);
  batch.node_weights = batch.learned && spec.config.node_weights;
  const bool pool_by_maximum = !batch.is_tsp && batch.authors;
  batch.pooling = static_cast<int>(pool_by_maximum ? GlobalPooling::max : spec.config.global_pooling);
  batch.pools_known = batch.is_tsp && spec.config.global_pooling != GlobalPooling::max && spec.config.blocks > 1;
  batch.learning_rate = spec.config.learning_rate;
  batch.matrix_stride = weights.matrix_stride;
  batch.vector_stride = weights.vector_stride;
  weight_sets = static_cast<int>(spec.weights.size());
  crowding = batch.learned && spec.config.crowding;
  improving = !spec.loop.local_search.name.empty();
  batch.by_improved = improving && spec.loop.advantage == AdvantageKind::improved;
  validate(spec.loop.local_search, find_family(spec.config.family));
  cut(spec, options);
}

void BatchPlan::cut(const BatchSpec& spec, const CudaOptions& options) {
  int max_nodes = 0;
  int max_variables = 0;
  for (const Trajectory& given : spec.trajectories) {
    const DecisionGraph& graph = *spec.graphs[given.graph];
    TrajectoryData t;
    t.graph = static_cast<int>(given.graph);
    t.weights = static_cast<int>(given.weights);
    t.start = given.start;
    t.nodes = graph.nodes;
    t.variables = graph.variables;
    t.stream = given.stream;
    t.weighted = graph.weighted;
    t.node_offset = batch.total_nodes;
    t.variable_offset = batch.total_variables;
    batch.total_nodes += graph.nodes;
    batch.total_variables += graph.variables;
    max_nodes = std::max(max_nodes, graph.nodes);
    max_variables = std::max(max_variables, graph.variables);
    max_degree = std::max(max_degree, graph.degree);
    trajectories.push_back(t);
  }
  const long long samples = static_cast<long long>(batch.trajectories) * batch.samples;
  if (samples > std::numeric_limits<int>::max()) {
    throw ResourceError(
        fmt::format("{} trajectories of {} samples are more than one batch holds", batch.trajectories, batch.samples));
  }
  for (const DecisionGraph* graph : spec.graphs) {
    largest_graph = std::max(largest_graph, graph->nodes);
    bit_words += batch.is_tsp ? 0 : mis_bits_words(graph->nodes);
    near_places += batch.is_tsp ? 0 : near_list_places(graph->nodes, graph->targets.size());
  }
  sampler = batch.is_tsp                     ? tsp_sampler_shape(max_nodes, max_variables, max_degree, samples)
            : largest_graph <= kMostBitNodes ? mis_bits_shape(max_nodes, batch.samples, batch.trajectories)
                                             : mis_sampler_shape(max_nodes);
  search = batch.is_tsp ? tsp_search_shape(max_nodes) : mis_search_shape(max_nodes, batch.weighted);

  const int out_rows = batch.total_nodes > 16 * 8 * kMultiprocessors ? 16 : 8;
  for (int i = 0; i < batch.trajectories; ++i) {
    const TrajectoryData& t = trajectories[static_cast<std::size_t>(i)];
    append(gradient_items, i, t.variables > 0 ? t.nodes : 0, out_rows);
  }
  batch.gradient_blocks = static_cast<int>(gradient_items.size());
  network.bf16 = bf16_;
  if (batch.learned && batch.is_tsp && bf16_) {
    if (options.fused == FusedUse::automatic && spec.config.hidden <= kNarrowHidden) {
      network.narrow = narrow_shape(max_nodes, max_variables);
    } else if (options.fused != FusedUse::never) {
      network.fused = fused_shape(trajectories, options.cluster);
    }
  }
  if (batch.learned && !batch.is_tsp && options.fused != FusedUse::never) {
    network.fused_gcn = fused_gcn_shape(max_nodes, batch.trajectories, options.clusters, bf16_,
                                        [&](int parts) { return most_neighbours(spec, parts); });
  }
  if (batch.learned && !network.one_kernel()) {
    cut_network();
  }
  if (batch.learned && !batch.is_tsp && !network.one_kernel()) {
    network.neighbour_max = neighbour_max_shape(max_nodes, mean_degree(spec), batch.trajectories, bf16_ ? 2 : 4);
  }
}

/// Items of the kernels of one pass each.
void BatchPlan::cut_network() {
  network.node_tile = bf16_ && batch.total_nodes / 32 >= kMultiprocessors ? 32 : 16;
  const int edge_nodes = batch.is_tsp ? nodes_of_edge_item(trajectories) : 1;
  for (int i = 0; i < batch.trajectories; ++i) {
    TrajectoryData& t = trajectories[static_cast<std::size_t>(i)];
    if (t.variables == 0) {
      continue;
    }
    if (batch.is_tsp) {
      t.edge_items = append(edge_items, i, t.nodes, edge_nodes);
    }
    t.node_items = append(node_items, i, t.nodes, network.node_tile);
  }
  network.edge_items = static_cast<int>(edge_items.size());
  network.node_items = static_cast<int>(node_items.size());
}

std::size_t BatchPlan::assign(std::byte* base) {
  Arena arena(base);
  const auto T = static_cast<std::size_t>(batch.trajectories);
  const auto V = static_cast<std::size_t>(batch.total_variables);
  const auto S = static_cast<std::size_t>(batch.total_nodes);
  const auto b = static_cast<std::size_t>(batch.samples);
  const bool learned = batch.learned;
  const bool spilled = !sampler.keys_shared;
  const std::size_t element = bf16_ ? 2 : 4;
  const std::size_t d = kHidden;

  const auto sets = static_cast<std::size_t>(weight_sets);
  arena.place(batch.ring, T * kStatusRing);
  arena.place(batch.arrivals, T * kArrivals);
  arena.place(batch.meetings, network.fused_gcn.parts != 0 ? T : 0);
  if (learned) {
    arena.place_bytes(batch.matrices, sets * static_cast<std::size_t>(weights.matrix_stride) * element);
    arena.place(batch.vectors, sets * static_cast<std::size_t>(weights.vector_stride));
  }
  zero_once = arena.since(0);
  const std::size_t first = arena.bytes();
  arena.place(batch.updated, batch.is_tsp ? 0 : T);
  arena.place(batch.gradient, V);
  arena.place(batch.momenta, kMomenta * V);
  arena.place(batch.membership, V);
  zero_at_begin = arena.since(first);
  arena.place(batch.state, T);
  arena.place(batch.theta, V);
  if (batch.theta_update == ThetaUpdate::anchored) {
    arena.place(batch.first_theta, V);
  }
  arena.place(batch.adam, learned ? 0 : 2 * V);
  if (crowding) {
    arena.place(batch.crowding, V);
  }
  arena.place(batch.items, b * S);
  arena.place(batch.variables, b * S);
  arena.place(batch.lengths, T * b);
  arena.place(batch.costs, T * b);
  arena.place(batch.left_at, b * S);
  arena.place(batch.choice, batch.is_tsp ? b * S : 0);
  arena.place(batch.to_go, (batch.is_tsp || batch.weighted) && batch.causal ? b * S : 0);
  arena.place(batch.mean_to_go, batch.causal ? S : 0);
  arena.place(batch.mass, batch.is_tsp ? 0 : V);
  arena.place(batch.prefix, !batch.is_tsp || spilled ? b * S : 0);
  arena.place(batch.bits, sampler.together > 0 ? bit_words : 0);
  arena.place(batch.spill_keys, !batch.is_tsp && spilled ? b * S : 0);
  arena.place(batch.spill_visited, batch.is_tsp && !sampler.visited_shared ? b * S : 0);
  if (improving) {
    arena.place(batch.found_items, b * S);
    arena.place(batch.found_variables, b * S);
    arena.place(batch.found_lengths, T * b);
    arena.place(batch.found_costs, T * b);
    arena.place(batch.search_integers, static_cast<std::size_t>(search.integers_per_node) * b * S);
    arena.place(batch.search_flags, static_cast<std::size_t>(search.flags_per_node) * b * S);
    arena.place(batch.search_reals, static_cast<std::size_t>(search.reals_per_node) * b * S);
  } else {
    batch.found_items = batch.items;
    batch.found_variables = batch.variables;
    batch.found_lengths = batch.lengths;
    batch.found_costs = batch.costs;
  }
  arena.place(batch.pool_items, kPoolSize * S);
  arena.place(batch.pool_variables, kPoolSize * S);
  if (!learned) {
    return arena.bytes();
  }
  arena.place(batch.h_g, T * d);
  arena.place(batch.edge_constant, T * d);
  arena.place(batch.node_constant, T * d);
  if (const NarrowShape& narrow = network.narrow; narrow.used) {
    arena.place_bytes(batch.h_e, narrow.edges_shared ? 0 : V * kNarrowHidden * element);
    arena.place_bytes(batch.sent, narrow.messages_shared ? 0 : S * kNarrowHidden * element);
    arena.place_bytes(batch.received, narrow.messages_shared ? 0 : S * kNarrowHidden * element);
    arena.place(batch.h_v, S * kNarrowHidden);
    arena.place(batch.u_v, S * kNarrowHidden);
    return arena.bytes();
  }
  arena.place_bytes(batch.sent, S * d * element);
  arena.place_bytes(batch.received, S * d * element);
  if (const FusedShape& fused = network.fused; fused.cluster != 0) {
    const auto units =
        static_cast<std::size_t>(fused.cluster) * static_cast<std::size_t>(fused.units - fused.shared_units);
    arena.place_bytes(batch.u_e, T * units * kUnitBytes);
    arena.place(batch.h_v, S * d);
    return arena.bytes();
  }
  if (network.fused_gcn.parts != 0) {
    arena.place(batch.near, near_places);
    arena.place(batch.partials, T * 2 * static_cast<std::size_t>(network.fused_gcn.parts) * d);
    return arena.bytes();
  }
  if (batch.is_tsp) {
    arena.place_bytes(batch.h_e, V * d * element);
    arena.place(batch.u_v, S * d);
    arena.place(batch.sum_out, S * d);
    arena.place(batch.edge_pools, node_items.size() * d);
  }
  if (network.neighbour_max.width != 0) {
    arena.place_bytes(batch.top, S * d * element);
  }
  arena.place(batch.h_v, S * d);
  arena.place(batch.edge_norm, T * 2 * d);
  arena.place(batch.node_norm, T * 2 * d);
  arena.place(batch.pooled_edges, T * d);
  arena.place(batch.theta_divisor, batch.pools_known ? T : 0);
  const std::size_t items = std::max(edge_items.size(), node_items.size());
  arena.place(batch.partials, items * 2 * d);
  return arena.bytes();
}

std::size_t BatchPlan::constant_bytes(const BatchSpec& spec, const BatchPlan& plan) {
  std::size_t bytes = 0;
  for (const DecisionGraph* graph : spec.graphs) {
    const auto n = static_cast<std::size_t>(graph->nodes);
    if (graph->kind == VariableKind::edge) {
      bytes += static_cast<std::size_t>(graph->variables) * (4 + 8 + 4 + 4 + 4) + n * (4 + 16);
      const auto* tsp = dynamic_cast<const TspInstance*>(graph->instance.get());
      bytes += tsp != nullptr ? tsp->matrix().size() * 8 : 0;
    } else {
      bytes += graph->targets.size() * 4 + n * 8 + (graph->weighted ? n * (8 + 4) : 0);
    }
    bytes += sizeof(GraphData) + 8 * 256;
  }
  bytes += plan.trajectories.size() * sizeof(TrajectoryData);
  bytes += (plan.gradient_items.size() + plan.edge_items.size() + plan.node_items.size()) * sizeof(Item);
  bytes += static_cast<std::size_t>(plan.weights.parameters) * 4 + plan.weights.entries.size() * sizeof(PackEntry);
  return bytes + static_cast<std::size_t>(plan.weight_sets) * 64 + (std::size_t{1} << 20);
}

}  // namespace moco::cuda
