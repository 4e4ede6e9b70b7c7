// Building and packing batches.
#include "moco/search/work.h"

#include <cmath>

#include <fmt/format.h>

#include "moco/error.h"

namespace moco {

namespace {

constexpr double kMemoryShare = 0.9;  // estimates leave out what allocators and drivers add

template <typename GraphBuilder>
Work build_work(std::span<const InstancePtr> instances, const Model& model, const SolveOptions& options,
                InstanceRange range, const GraphBuilder& build) {
  Work work;
  work.spec.config = model.config;
  work.spec.loop = options.loop;
  work.spec.track_entropy = static_cast<bool>(options.progress);
  work.spec.weights = {{model.weights, 0.0f, {}}};
  work.spec.base_weights = 1;  // an engine of a search sees one model
  work.graphs.reserve(range.end - range.begin);
  for (std::size_t i = range.begin; i < range.end; ++i) {
    work.graphs.push_back(build(instances[i], options.loop.neighbours));
    work.spec.graphs.push_back(&work.graphs.back());
    const std::vector<Index> starts = instances[i]->problem() == "tsp"
                                          ? start_nodes(instances[i]->size(), options.loop.restarts, options.seed, i)
                                          : std::vector<Index>(static_cast<std::size_t>(options.loop.restarts), 0);
    work.runs.push_back({work.spec.trajectories.size(), starts.size()});
    for (std::size_t r = 0; r < starts.size(); ++r) {
      Trajectory trajectory;
      trajectory.graph = i - range.begin;
      trajectory.stream = stream_key(options.seed, i, r);
      trajectory.start = starts[r];
      trajectory.warm_start = options.warm_start.empty() ? nullptr : &options.warm_start[i];
      work.spec.trajectories.push_back(trajectory);
    }
  }
  return work;
}

std::uint64_t graph_bytes(const DecisionGraph& graph) {
  const bool edges = graph.kind == VariableKind::edge;
  return edges ? static_cast<std::uint64_t>(graph.variables) * 24 + static_cast<std::uint64_t>(graph.nodes) * 24 : 0;
}

std::uint64_t bytes_of(const Engine& engine, const Work& shape) {
  std::uint64_t bytes = shape.spec.loop.steps > 0 ? engine.batch_bytes(shape.spec) : 0;
  for (const DecisionGraph& graph : shape.graphs) {
    bytes += graph_bytes(graph);
  }
  return bytes;
}

/// What one instance adds to a batch.
struct Load {
  std::uint64_t bytes = 0;
  std::uint64_t variables = 0;  ///< of all trajectories
};

Load load_of(const Engine& engine, std::span<const InstancePtr> instances, const Model& model,
             const SolveOptions& options, std::size_t i, std::uint64_t available) {
  const Work shape = build_work(instances, model, options, {i, i + 1}, decision_graph_shape);
  const Load load{bytes_of(engine, shape),
                  shape.spec.trajectories.size() * static_cast<std::uint64_t>(shape.graphs.front().variables)};
  if (load.bytes > available) {
    constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
    throw ResourceError(fmt::format(
        "{}: the search needs about {:.1f} GiB and {:.1f} GiB are available; lower the samples, restarts or "
        "neighbours",
        instances[i]->name(), static_cast<double>(load.bytes) / kGiB, static_cast<double>(available) / kGiB));
  }
  return load;
}

}  // namespace

Work make_work(std::span<const InstancePtr> instances, const Model& model, const SolveOptions& options,
               InstanceRange range, const Executor& executor) {
  Work work = build_work(instances, model, options, range,
                         [&](const InstancePtr& instance, Index k) { return decision_graph(instance, k, executor); });
  work.spec.halt = executor.halt();
  return work;
}

std::uint64_t work_bytes(const Engine& engine, std::span<const InstancePtr> instances, const Model& model,
                         const SolveOptions& options, InstanceRange range) {
  return bytes_of(engine, build_work(instances, model, options, range, decision_graph_shape));
}

std::vector<InstanceRange> pack(const Engine& engine, std::span<const InstancePtr> instances, const Model& model,
                                const SolveOptions& options) {
  const std::uint64_t available = engine.available_bytes();
  const auto share = static_cast<std::uint64_t>(kMemoryShare * static_cast<double>(available));
  const bool single = options.batch == 0 && std::isfinite(options.time_limit);
  std::vector<InstanceRange> ranges;
  Load sum;  // of the last range
  for (std::size_t i = 0; i < instances.size(); ++i) {
    const Load own = load_of(engine, instances, model, options, i, available);
    bool joins = !ranges.empty() && !single && sum.bytes + own.bytes <= share;
    if (joins && options.batch > 0) {
      joins = ranges.back().end - ranges.back().begin < static_cast<std::size_t>(options.batch);
    } else if (joins) {
      joins = !engine.filled_by(sum.variables);
    }
    if (joins) {
      ranges.back().end = i + 1;
      sum = {sum.bytes + own.bytes, sum.variables + own.variables};
    } else {
      ranges.push_back({i, i + 1});
      sum = own;
    }
  }
  return ranges;
}

}  // namespace moco
