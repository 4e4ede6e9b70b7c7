// Building and packing batches of instances.
#include "moco/search/work.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "moco/problem.h"
#include "moco/search/batch_request.h"
#include "moco/search/kick_phase.h"

namespace moco {

namespace {

/// Kicks for every thread after which results are shown: a second or so. A thread's only instance may need more of
/// them, but not so many that there is no hurry: what is large takes memory, too.
constexpr double kWorkAtOnce = 500'000.0;
constexpr double kWorkOfOne = 1'500'000.0;

template <typename GraphBuilder>
Work build_work(std::span<const InstancePtr> instances, const Model& model, const SolveOptions& options,
                IndexRange range, const Executor& executor, const GraphBuilder& build) {
  Work work;
  work.graphs.resize(range.size());
  executor.for_each_task(range.size(), [&](std::size_t r, std::size_t, const Executor& own) {
    work.graphs[r] = build(instances[range.begin + r], options.loop.problem, own);
  });
  work.warm_starts.reserve(range.size());
  std::vector<TrajectoryRequest> wanted;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const DecisionGraph& graph = work.graphs[i - range.begin];
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

/// Kicks of every instance; a greedy solution counts as some.
std::vector<double> single_thread_work(std::span<const InstancePtr> instances, const SolveOptions& options) {
  constexpr double kKicksPerNode = 10.0;
  std::vector<double> work;
  for (const InstancePtr& instance : instances) {
    const auto kicks = static_cast<double>(std::max<std::int64_t>(number_of_kicks(options, *instance), 0));
    work.push_back(kicks + kKicksPerNode * instance->size());
  }
  return work;
}

/// Whether the work of these instances is soon done by so many threads, each with one of them at a time.
bool soon_done(std::span<const double> work, std::size_t threads) {
  return (work.size() <= threads && *std::ranges::max_element(work) <= kWorkOfOne) ||
         std::accumulate(work.begin(), work.end(), 0.0) <= kWorkAtOnce * static_cast<double>(threads);
}

Work work_shape(std::span<const InstancePtr> instances, const Model& model, const SolveOptions& options,
                IndexRange range) {
  return build_work(instances, model, options, range, Executor(),
                    [](const InstancePtr& instance, const OptionValues& problem_options, const Executor&) {
                      return decision_graph_shape(instance, problem_options);
                    });
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
  Work work = build_work(instances, model, options, range, executor, decision_graph);
  work.spec.halt = executor.halt();
  return work;
}

MemoryNeed work_need(const Engine& engine, std::span<const InstancePtr> instances, const Model& model,
                     const SolveOptions& options, IndexRange range) {
  return need_of(engine, work_shape(instances, model, options, range));
}

std::vector<IndexRange> pack_instances(const Engine& engine, std::span<const InstancePtr> instances, const Model& model,
                                       const SolveOptions& options, std::size_t threads) {
  BatchRoom room(engine);
  const std::vector<std::uint64_t> variables = variables_before(instances, options);
  const std::vector<double> work = single_thread_work(instances, options);
  const auto wanted = [&](IndexRange range) {
    if (options.batch > 0) {
      return range.size() <= static_cast<std::size_t>(options.batch);
    }
    if (std::isfinite(options.time_limit)) {
      return false;
    }
    if (options.loop.steps > 0) {
      return !engine.filled_by(variables[range.end - 1] - variables[range.begin]);
    }
    return soon_done(std::span(work).subspan(range.begin, range.size()), threads);
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
