// Building and packing batches.
#include "moco/search/work.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "moco/error.h"
#include "moco/problem.h"

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
  work.warm_starts.reserve(range.end - range.begin);
  for (std::size_t i = range.begin; i < range.end; ++i) {
    work.graphs.push_back(build(instances[i], options.loop.problem));
    const DecisionGraph& graph = work.graphs.back();
    work.spec.graphs.push_back(&graph);
    if (!options.warm_start.empty()) {
      work.warm_starts.push_back(instances[i]->problem().to_search(*instances[i], options.warm_start[i]));
    }
    const std::vector<Index> starts = start_nodes(graph.start_nodes, options.loop.restarts, options.seed, i);
    work.runs.push_back({work.spec.trajectories.size(), starts.size(), graph.cost_offset});
    for (std::size_t r = 0; r < starts.size(); ++r) {
      Trajectory trajectory;
      trajectory.graph = i - range.begin;
      trajectory.stream = stream_key(options.seed, i, r);
      trajectory.start = starts[r];
      trajectory.warm_start = options.warm_start.empty() ? nullptr : &work.warm_starts.back();
      work.spec.trajectories.push_back(trajectory);
    }
  }
  return work;
}

std::uint64_t graph_bytes(const DecisionGraph& graph) {
  const auto nodes = static_cast<std::uint64_t>(graph.nodes);
  if (graph.kind == VariableKind::node) {
    return graph.weighted ? nodes * 12 : 0;
  }
  return static_cast<std::uint64_t>(graph.variables) * 24 + nodes * 24;
}

/// Bytes of the engine's memory and of the host's; for an engine that works in the host's, of the same.
struct Memory {
  std::uint64_t engine = 0;
  std::uint64_t host = 0;

  Memory operator+(const Memory& other) const { return {engine + other.engine, host + other.host}; }
  bool fits(const Memory& available) const { return engine <= available.engine && host <= available.host; }
};

/// What a batch takes, graphs included; without steps there is no batch.
Memory memory_of(const Engine& engine, const Work& shape) {
  const bool searches = shape.spec.loop.steps > 0;
  Memory memory{searches ? engine.batch_bytes(shape.spec) : 0, searches ? engine.host_bytes(shape.spec) : 0};
  for (const DecisionGraph& graph : shape.graphs) {
    memory.host += graph_bytes(graph);
  }
  return memory;
}

/// What one instance adds to a batch.
struct Load {
  Memory memory;
  std::uint64_t variables = 0;  ///< of all trajectories
};

void require_room(std::uint64_t needed, std::uint64_t available, const Instance& instance) {
  if (needed > available) {
    constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
    throw ResourceError(fmt::format(
        "{}: the search needs about {:.1f} GiB and {:.1f} GiB are available; lower the samples, restarts or "
        "neighbours",
        instance.name(), static_cast<double>(needed) / kGiB, static_cast<double>(available) / kGiB));
  }
}

Load load_of(const Engine& engine, std::span<const InstancePtr> instances, const Model& model,
             const SolveOptions& options, std::size_t i, const Memory& available) {
  const Work shape = build_work(instances, model, options, {i, i + 1}, decision_graph_shape);
  const Load load{memory_of(engine, shape),
                  shape.spec.trajectories.size() * static_cast<std::uint64_t>(shape.graphs.front().variables)};
  require_room(load.memory.engine, available.engine, *instances[i]);
  require_room(load.memory.host, available.host, *instances[i]);
  return load;
}

}  // namespace

Work make_work(std::span<const InstancePtr> instances, const Model& model, const SolveOptions& options,
               InstanceRange range, const Executor& executor) {
  Work work = build_work(instances, model, options, range,
                         [&](const InstancePtr& instance, const OptionValues& problem_options) {
                           return decision_graph(instance, problem_options, executor);
                         });
  work.spec.halt = executor.halt();
  return work;
}

std::uint64_t work_bytes(const Engine& engine, std::span<const InstancePtr> instances, const Model& model,
                         const SolveOptions& options, InstanceRange range) {
  const Memory memory = memory_of(engine, build_work(instances, model, options, range, decision_graph_shape));
  return std::max(memory.engine, memory.host);
}

std::vector<InstanceRange> pack(const Engine& engine, std::span<const InstancePtr> instances, const Model& model,
                                const SolveOptions& options) {
  const auto share_of = [](std::uint64_t bytes) {
    return static_cast<std::uint64_t>(kMemoryShare * static_cast<double>(bytes));
  };
  const Memory available{engine.available_bytes(), engine.available_host_bytes()};
  const Memory share{share_of(available.engine), share_of(available.host)};
  const bool single = options.batch == 0 && std::isfinite(options.time_limit);
  std::vector<InstanceRange> ranges;
  Load sum;  // of the last range
  for (std::size_t i = 0; i < instances.size(); ++i) {
    const Load own = load_of(engine, instances, model, options, i, available);
    bool joins = !ranges.empty() && !single && (sum.memory + own.memory).fits(share);
    if (joins && options.batch > 0) {
      joins = ranges.back().end - ranges.back().begin < static_cast<std::size_t>(options.batch);
    } else if (joins) {
      joins = !engine.filled_by(sum.variables);
    }
    if (joins) {
      ranges.back().end = i + 1;
      sum = {sum.memory + own.memory, sum.variables + own.variables};
    } else {
      ranges.push_back({i, i + 1});
      sum = own;
    }
  }
  return ranges;
}

}  // namespace moco
