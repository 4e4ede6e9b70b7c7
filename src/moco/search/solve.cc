// From instances to checked solutions.
#include "moco/solve.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "moco/engine/registry.h"
#include "moco/error.h"
#include "moco/problems/local_search.h"
#include "moco/search/work.h"

namespace moco {

namespace {

LocalSearchOptions polish_options(const SolveOptions& options) {
  LocalSearchOptions polish = options.loop.local_search;
  polish.name = options.polish;
  return polish;
}

void validate(std::span<const InstancePtr> instances, const Model& model, const SolveOptions& options) {
  const auto at_least_one = [](int value, const char* name) {
    if (value < 1) {
      throw OptionError(fmt::format("{} {} is not at least 1", name, value));
    }
  };
  at_least_one(options.loop.steps, "steps");
  at_least_one(options.loop.samples, "samples");
  at_least_one(options.loop.restarts, "restarts");
  at_least_one(options.loop.neighbours, "neighbours");
  if (options.loop.episode_steps < 0) {
    throw OptionError(fmt::format("episode steps {} are negative", options.loop.episode_steps));
  }
  validate(options.loop.local_search, model.config.problem);
  validate(polish_options(options), model.config.problem);
  for (const InstancePtr& instance : instances) {
    if (instance->problem() != model.config.problem) {
      throw OptionError(fmt::format("{} is a {} instance, the model is for {}", instance->name(), instance->problem(),
                                    model.config.problem));
    }
  }
  if (!options.warm_start.empty() && options.warm_start.size() != instances.size()) {
    throw OptionError(
        fmt::format("{} warm-start solutions for {} instances", options.warm_start.size(), instances.size()));
  }
  for (std::size_t i = 0; i < options.warm_start.size(); ++i) {
    const CheckResult check = instances[i]->check(options.warm_start[i]);
    if (!check.feasible) {
      throw OptionError(fmt::format("warm start for {}: {}", instances[i]->name(), check.violation));
    }
  }
}

/// Softmax per city (TSP), or over all nodes with the largest scaled to 1 (MIS).
Heatmap make_heatmap(const DecisionGraph& graph, const std::vector<float>& theta) {
  Heatmap map;
  const bool edges = graph.kind == VariableKind::edge;
  const std::size_t row = edges ? static_cast<std::size_t>(graph.degree) : theta.size();
  map.probability.resize(theta.size());
  for (std::size_t first = 0; first < theta.size(); first += row) {
    const float top = *std::max_element(theta.begin() + static_cast<std::ptrdiff_t>(first),
                                        theta.begin() + static_cast<std::ptrdiff_t>(first + row));
    float total = edges ? 0.0f : 1.0f;
    for (std::size_t v = first; v < first + row; ++v) {
      map.probability[v] = std::exp(theta[v] - top);
      total += edges ? map.probability[v] : 0.0f;
    }
    for (std::size_t v = first; v < first + row; ++v) {
      map.probability[v] /= total;
      map.from.push_back(static_cast<Index>(edges ? v / row : v));
    }
  }
  if (edges) {
    map.to.assign(graph.targets.begin(), graph.targets.end());
  }
  return map;
}

/// Improves a result by local search within what the time limit leaves, or a tenth of it if that is more.
void polish(const DecisionGraph& graph, const SolveOptions& options, SolveResult& result) {
  const auto begin = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  const double allowed = std::max(options.time_limit - result.seconds, 0.1 * options.time_limit);
  ImprovedSolution improved = improve(graph, result.solution, polish_options(options), [&] {
    return (options.interrupted && options.interrupted()) || elapsed() > allowed;
  });
  result.solution = std::move(improved.solution);
  result.cost = improved.cost;
  result.seconds += elapsed();
}

SolveResult make_result(Batch& batch, const DecisionGraph& graph, const RunOutcome& outcome, const Engine& engine,
                        const SolveOptions& options) {
  SolveResult result;
  result.solution = batch.best_solution(outcome.best);
  const CheckResult check = graph.instance->check(result.solution);
  result.cost = check.cost;
  result.unpolished_cost = check.cost;
  result.feasible = check.feasible;
  result.steps = outcome.steps;
  result.seconds = outcome.seconds;
  result.stop = outcome.stop;
  result.engine = engine.name();
  if (options.keep_heatmap) {
    result.heatmap = make_heatmap(graph, outcome.theta);
  }
  if (!options.polish.empty() && result.feasible) {
    polish(graph, options, result);
  }
  return result;
}

}  // namespace

LoopOptions episode_loop(const LoopOptions& loop) {
  LoopOptions episode = loop;
  episode.episode_steps = 0;
  if (loop.episode_steps > 0) {
    const double wanted = std::round(static_cast<double>(loop.steps) / loop.episode_steps);
    const auto count = static_cast<int>(std::clamp(wanted, 1.0, static_cast<double>(kMostEpisodes)));
    episode.steps = loop.steps / count;
    episode.restarts = loop.restarts * count;
  }
  return episode;
}

std::uint64_t estimate_memory(std::span<const InstancePtr> instances, const Model& model, const SolveOptions& given) {
  SolveOptions options = given;
  options.loop = episode_loop(given.loop);
  const std::unique_ptr<Engine> engine = make_engine(options.engine, options.threads);
  std::uint64_t most = 0;
  for (const InstanceRange range : pack(*engine, instances, model, options)) {
    most = std::max(most, work_bytes(*engine, instances, model, options, range));
  }
  return most;
}

std::vector<SolveResult> solve(std::span<const InstancePtr> instances, const Model& model, const SolveOptions& given) {
  validate(instances, model, given);
  SolveOptions options = given;
  options.loop = episode_loop(given.loop);
  const int episodes = options.loop.restarts / given.loop.restarts;
  const std::unique_ptr<Engine> engine = make_engine(options.engine, options.threads);
  const StopRules rules(options);
  std::vector<SolveResult> results;
  for (const InstanceRange range : pack(*engine, instances, model, options)) {
    if (range.begin > 0 && options.interrupted && options.interrupted()) {
      break;
    }
    const Work work = make_work(instances, model, options, range);
    const auto side_by_side = static_cast<int>(range.end - range.begin);
    const std::unique_ptr<Batch> batch = engine->create(work.spec);
    std::function<void(const RunProgress&)> watch;
    if (options.progress) {
      watch = [&](const RunProgress& p) {
        options.progress({range.begin + p.run, p.step * episodes, options.loop.steps * episodes, p.best, p.mean,
                          p.entropy, p.seconds, side_by_side});
      };
    }
    const std::vector<RunOutcome> outcomes = run_algorithm(*batch, work.runs, rules, watch, options.keep_heatmap);
    for (std::size_t r = 0; r < outcomes.size(); ++r) {
      results.push_back(make_result(*batch, work.graphs[r], outcomes[r], *engine, options));
      results.back().side_by_side = side_by_side;
      results.back().steps *= episodes;
      if (options.finished) {
        options.finished(results.size() - 1, results.back());
      }
    }
  }
  return results;
}

}  // namespace moco
