// Building and packing batches of instances.
#include "moco/search/work.h"

#include <algorithm>
#include <cmath>

#include "moco/problem.h"
#include "moco/search/batch_request.h"

namespace moco {

namespace {

template <typename GraphBuilder>
Work build_work(std::span<const InstancePtr> instances, const Model& model, const SolveOptions& options,
                IndexRange range, const GraphBuilder& build) {
  Work work;
  work.graphs.reserve(range.size());
  work.warm_starts.reserve(range.size());
  std::vector<TrajectoryRequest> wanted;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    work.graphs.push_back(build(instances[i], options.loop.problem));
    const DecisionGraph& graph = work.graphs.back();
    if (!options.warm_start.empty()) {
      work.warm_starts.push_back(instances[i]->problem().to_search(*instances[i], options.warm_start[i]));
    }
    const Solution* warm_start = options.warm_start.empty() ? nullptr : &work.warm_starts.back();
    const std::uint64_t number = options.first_instance + i;
    const std::vector<Index> starts = start_nodes(graph.start_nodes, options.loop.restarts, options.seed, number);
    work.runs.push_back({wanted.size(), starts.size(), graph.cost_offset});
    for (std::size_t r = 0; r < starts.size(); ++r) {
      wanted.push_back({&graph, 0, stream_key(options.seed, number, r), starts[r], warm_start});
    }
  }
  const WeightSet weights{model.weights, 0.0f, {}};
  work.spec = batch_of(model.config, options.loop, {&weights, 1}, wanted);
  work.spec.track_entropy = options.track_entropy || options.progress;
  return work;
}

std::uint64_t graph_bytes(const DecisionGraph& graph) {
  const auto nodes = static_cast<std::uint64_t>(graph.nodes);
  if (graph.kind == VariableKind::node) {
    return graph.weighted ? nodes * 12 : 0;
  }
  return static_cast<std::uint64_t>(graph.variables) * 24 + nodes * 24;
}

/// What a batch takes, graphs included; without steps there is no batch.
MemoryNeed need_of(const Engine& engine, const Work& shape) {
  MemoryNeed need = shape.spec.loop.steps > 0 ? engine.memory_need(shape.spec) : MemoryNeed{};
  for (const DecisionGraph& graph : shape.graphs) {
    need.host += graph_bytes(graph);
  }
  return need;
}

Work work_shape(std::span<const InstancePtr> instances, const Model& model, const SolveOptions& options,
                IndexRange range) {
  return build_work(instances, model, options, range, decision_graph_shape);
}

/// Variables of all trajectories of the instances before each one, and of all.
std::vector<std::uint64_t> variables_before(std::span<const InstancePtr> instances, const SolveOptions& options) {
  std::vector<std::uint64_t> sums = {0};
  for (const InstancePtr& instance : instances) {
    const auto own = static_cast<std::uint64_t>(decision_graph_shape(instance, options.loop.problem).variables);
    sums.push_back(sums.back() + own * static_cast<std::uint64_t>(options.loop.restarts));
  }
  return sums;
}

}  // namespace

Work make_work(std::span<const InstancePtr> instances, const Model& model, const SolveOptions& options,
               IndexRange range, const Executor& executor) {
  Work work = build_work(instances, model, options, range,
                         [&](const InstancePtr& instance, const OptionValues& problem_options) {
                           return decision_graph(instance, problem_options, executor);
                         });
  work.spec.halt = executor.halt();
  return work;
}

MemoryNeed work_need(const Engine& engine, std::span<const InstancePtr> instances, const Model& model,
                     const SolveOptions& options, IndexRange range) {
  return need_of(engine, work_shape(instances, model, options, range));
}

std::vector<IndexRange> pack_instances(const Engine& engine, std::span<const InstancePtr> instances, const Model& model,
                                       const SolveOptions& options) {
  BatchRoom room(engine);
  const std::vector<std::uint64_t> variables = variables_before(instances, options);
  const bool single = options.batch == 0 && std::isfinite(options.time_limit);
  const auto wanted = [&](IndexRange range) {
    if (single) {
      return false;
    }
    return options.batch > 0 ? range.size() <= static_cast<std::size_t>(options.batch)
                             : !engine.filled_by(variables[range.end - 1] - variables[range.begin]);
  };
  const std::vector<IndexRange> ranges = pack(instances.size(), [&](IndexRange range) {
    return wanted(range) && room.fits(work_need(engine, instances, model, options, range));
  });
  for (const IndexRange range : ranges) {
    if (range.size() == 1) {
      room.require(work_need(engine, instances, model, options, range), instances[range.begin]->name());
    }
  }
  return ranges;
}

}  // namespace moco
