// Shapes by the largest instance, and the kernels in their order.
#include "moco/engine/cuda/tsp/tour_program.h"

#include <algorithm>

#include <fmt/format.h>

#include "moco/engine/cuda/step/search_arrays.h"
#include "moco/error.h"
#include "moco/problems/tsp/tsp_local_search.h"
#include "moco/problems/tsp/tsp_options.h"

namespace moco::cuda {

namespace {

const TspInstance& instance_of(const DecisionGraph* graph) {
  return dynamic_cast<const TspInstance&>(*graph->instance);
}

bool is_plane(const DecisionGraph* graph) {
  return instance_of(graph).metric() == Metric::euclidean;
}

/// Kernels know distances in the plane and matrices, and tours that may have any edge.
void require_known_kind(const TspInstance& instance) {
  if (is_spatial(instance.metric())) {
    throw OptionError(fmt::format(
        "the CUDA engine knows no distances in three dimensions, which '{}' has; use the CPU engine", instance.name()));
  }
  if (!instance.fixed_partners().empty()) {
    throw OptionError(
        fmt::format("the CUDA engine knows no fixed edges, which '{}' has; use the CPU engine", instance.name()));
  }
}

/// Partial samples are mended by moves that reverse paths.
void require_both_directions(const DecisionGraph& graph) {
  if (!graph.symmetric) {
    throw OptionError(
        fmt::format("the CUDA engine knows no partial samples (rebuild) of asymmetric distances, which '{}' has; use "
                    "the CPU engine",
                    graph.instance->name()));
  }
}

}  // namespace

TourProgram::TourProgram(const BatchSpec& spec, const BatchLayout& layout, bool use_bf16)
    : config_(spec.config),
      sampler_(tsp_sampler_shape(layout.max_nodes, layout.max_variables, layout.max_degree,
                                 static_cast<long long>(layout.per_sample()))),
      search_(tsp_search_shape(layout.max_nodes)),
      bf16_(use_bf16),
      penalty_(tsp_options(spec.loop.problem).dead_end == DeadEnd::penalty),
      all_plane_(std::ranges::all_of(spec.graphs, is_plane)),
      improves_(!spec.loop.local_search.name.empty()),
      max_degree_(layout.max_degree),
      change_(tsp_change_shape(layout.max_nodes)),
      most_choices_(spec.loop.rebuild == 0 ? 0 : std::max(std::min(spec.loop.rebuild, layout.max_nodes - 1), 1)) {
  for (const DecisionGraph* graph : spec.graphs) {
    require_known_kind(instance_of(graph));
    if (most_choices_ > 0) {
      require_both_directions(*graph);
    }
  }
  require_at_most("samples per step (-b)", layout.samples, tsp_most_samples());
  require_at_most("candidate neighbours (-k)", layout.max_degree, tsp_most_neighbours());
  if (most_choices_ > 0) {
    require_at_most("samples per step (-b)", layout.samples, tsp_most_changes(layout.max_nodes));
  }
  if (improves_) {
    moves_ = tour_move_kinds(spec.loop.local_search.name);
    first_ = tsp_options(spec.loop.problem).move_rule == MoveRule::first;
    move_limit_ = spec.loop.local_search.move_limit;
  }
}

std::size_t TourProgram::graph_bytes(const DecisionGraph& graph) const {
  const auto n = static_cast<std::size_t>(graph.nodes);
  const std::size_t per_edge = sizeof(double) + sizeof(float) + 3 * sizeof(int);
  return static_cast<std::size_t>(graph.variables) * per_edge + (n + 1) * sizeof(int) + n * sizeof(Point) +
         instance_of(&graph).matrix().size() * sizeof(double);
}

void TourProgram::add_graph(ConstantData& data, const DecisionGraph& graph, GraphData& out) const {
  const TspInstance& instance = instance_of(&graph);
  out.metric = static_cast<int>(instance.metric());
  out.symmetric = graph.symmetric;
  out.targets = data.add(graph.targets);
  out.length = data.add(graph.length);
  out.feature = data.add(graph.feature);
  out.in_offsets = data.add_narrowed(graph.in_offsets);
  out.in_edges = data.add(graph.in_edges);
  const std::span<const Index> shown = shown_reverse(config_, graph);
  out.reverse = data.add(shown);
  if (has_pheromones(config_.rule) && graph.symmetric) {
    out.deposits = shown.empty() ? data.add(graph.reverse) : out.reverse;
  }
  if (instance.metric() == Metric::matrix) {
    out.matrix = data.add(std::span<const double>(instance.matrix()));
  } else {
    static_assert(sizeof(Point) == 2 * sizeof(double));
    out.points = reinterpret_cast<const double*>(data.add(std::span<const Point>(instance.points())));
  }
}

void TourProgram::place(Arena& arena, const BatchLayout& layout, DeviceBatch& batch) const {
  TourData& tours = batch.tours;
  tours.penalty = penalty_;
  tours.all_plane = all_plane_;
  arena.place(tours.choice, layout.per_step());
  arena.place(tours.visited, sampler_.visited_shared ? 0 : layout.per_step());
  SearchData& search = batch.search;
  arena.place(search.to_go, search.causal ? layout.per_step() : 0);
  arena.place(search.prefix, sampler_.keys_shared ? 0 : layout.per_step());
  if (improves_) {
    place_found(arena, layout, search_, batch);
  }
  place_changes(arena, layout, tours.changes);
}

void TourProgram::promise(const DeviceBatch& batch, Initialisation init, KernelQueue& queue) const {
  queue.run("tsp_promise", [&](cudaStream_t stream) { tsp_promise(batch, init, stream); });
}

void TourProgram::place_changes(Arena& arena, const BatchLayout& layout, TourChanges& changes) const {
  changes.most = most_choices_;
  if (most_choices_ > 0) {
    arena.place(changes.base, layout.per_trajectory(), Cleared::at_begin);
    arena.place(changes.order, layout.nodes);
    arena.place(changes.walked, layout.per_sample() * static_cast<std::size_t>(most_choices_));
    arena.place(changes.made, layout.per_sample());
    arena.place(changes.chosen, layout.per_sample());
    arena.place(changes.mended, layout.per_sample());
    arena.place(changes.identity, layout.per_sample());
    arena.place(changes.copies, layout.per_step() * static_cast<std::size_t>(change_.spilled_per_city));
  }
}

void TourProgram::sample(const DeviceBatch& batch, const NetworkOffsets& next, SamplesOf which,
                         KernelQueue& queue) const {
  if (most_choices_ > 0) {
    change_bases(batch, next, queue);
  }
  if (most_choices_ == 0 || which == SamplesOf::all) {
    sample_whole(batch, next, queue);
  }
}

void TourProgram::sample_whole(const DeviceBatch& batch, const NetworkOffsets& next, KernelQueue& queue) const {
  queue.run("tsp_sample", [&](cudaStream_t stream) { tsp_sample(batch, sampler_, stream); });
  if (improves_) {
    queue.run("tsp_local_search",
              [&](cudaStream_t stream) { tsp_local_search(batch, search_, moves_, first_, move_limit_, stream); });
  }
  queue.run("tsp_gradient", [&](cudaStream_t stream) { tsp_gradient(batch, next, bf16_, max_degree_, stream); });
}

void TourProgram::change_bases(const DeviceBatch& batch, const NetworkOffsets& next, KernelQueue& queue) const {
  queue.run("tsp_base", [&](cudaStream_t stream) { tsp_base(batch, change_, stream); });
  queue.run("tsp_change", [&](cudaStream_t stream) { tsp_change(batch, change_, stream); });
  queue.run("tsp_change_gradient", [&](cudaStream_t stream) { tsp_change_gradient(batch, max_degree_, stream); });
  queue.run("tsp_move_base", [&](cudaStream_t stream) { tsp_move_base(batch, change_, next, bf16_, stream); });
}

void TourProgram::show_elites(const DeviceBatch& batch, const NetworkOffsets& next, KernelQueue& queue) const {
  queue.run("tsp_elite", [&](cudaStream_t stream) { tsp_elite(batch, next, bf16_, stream); });
}

}  // namespace moco::cuda
