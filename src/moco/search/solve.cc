// From instances to checked solutions.
#include "moco/solve.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "moco/engine/registry.h"
#include "moco/error.h"
#include "moco/policy/kicks.h"
#include "moco/problem.h"
#include "moco/problems/improve.h"
#include "moco/search/kick_phase.h"
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
  if (options.loop.steps < 0 || (options.loop.steps == 0 && !options.greedy_start)) {
    throw OptionError(fmt::format("steps {}: a search has at least 1, or a greedy start and none", options.loop.steps));
  }
  if (options.kicks < 0 && options.kicks != kKicksUntilTimeLimit && options.kicks != kKicksBySize) {
    throw OptionError(fmt::format("kicks {} are negative", options.kicks));
  }
  if (options.kicks == kKicksUntilTimeLimit && !std::isfinite(options.time_limit)) {
    throw OptionError("kicks until the time limit need a time limit");
  }
  at_least_one(options.loop.samples, "samples");
  at_least_one(options.loop.restarts, "restarts");
  if (options.loop.episode_steps < 0) {
    throw OptionError(fmt::format("episode steps {} are negative", options.loop.episode_steps));
  }
  for (const InstancePtr& instance : instances) {
    const Problem& problem = instance->problem();
    if (&problem != &instances.front()->problem()) {
      throw OptionError(fmt::format("{} is a {} instance, {} a {} instance: solve one problem at a time",
                                    instance->name(), problem.name(), instances.front()->name(),
                                    instances.front()->problem().name()));
    }
    if (problem.family() != model.config.family) {
      throw OptionError(fmt::format("{} is a {} instance, the model is for {}", instance->name(), problem.name(),
                                    model.config.family));
    }
    validate(options.loop.problem, problem.options(), problem.name());
    validate(options.loop.local_search, *instance);
    validate(polish_options(options), *instance);
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

/// Softmax over the edges that leave a node, or over all nodes with the largest scaled to 1.
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

/// Takes over a solution if it is better than the result's.
void take_if_better(SolveResult& result, const Instance& instance, Solution solution) {
  const CheckResult check = instance.check(solution);
  if (check.feasible && (!result.feasible || check.cost < result.cost)) {
    result.solution = std::move(solution);
    result.cost = check.cost;
    result.feasible = true;
  }
}

/// One batch of instances from candidate graphs to checked solutions, under one clock.
class RangeSolver {
 public:
  RangeSolver(std::span<const InstancePtr> instances, const Model& model, const SolveOptions& options,
              InstanceRange range, Engine& engine, ThreadPool& pool)
      : instances_(instances),
        model_(model),
        options_(options),
        range_(range),
        engine_(engine),
        pool_(pool),
        results_(range.end - range.begin),
        refused_(range.end - range.begin, false),
        halt_(Halt::Clock::now(), options.time_limit, options.interrupted),
        search_halt_(Halt::Clock::now(), search_share(options) * options.time_limit, options.interrupted) {}

  std::vector<SolveResult> go() {
    for (std::size_t r = 0; r < results_.size(); ++r) {
      results_[r].side_by_side = static_cast<int>(results_.size());
      results_[r].engine = engine_.name();
      results_[r].stop = options_.loop.steps == 0 ? StopReason::kicks : StopReason::steps;
      if (!options_.warm_start.empty()) {
        take_if_better(results_[r], instance(r), options_.warm_start[range_.begin + r]);
      }
    }
    try {
      work_ = make_work(instances_, model_, options_, range_, Executor(pool_, &halt_));
      start_greedily();
      search();
    } catch (const Halted&) {  // before the first step: what is there counts
      for (SolveResult& result : results_) {
        result.stop = halt_.interrupted() ? StopReason::signal : StopReason::time_limit;
      }
    }
    for (std::size_t r = 0; r < results_.size(); ++r) {
      if (!refused_[r]) {
        finish(r);
      }
    }
    return std::move(results_);
  }

 private:
  /// Kicks that are to fill the time get some.
  static double search_share(const SolveOptions& options) { return options.kicks == kKicksUntilTimeLimit ? 0.5 : 1.0; }

  const Instance& instance(std::size_t r) const { return *instances_[range_.begin + r]; }
  const Problem& problem() const { return instance(0).problem(); }

  void start_greedily() {
    for (std::size_t r = 0; options_.greedy_start && r < results_.size(); ++r) {
      Solution start = problem().greedy_items(work_.graphs[r], halt_);
      take_if_better(results_[r], instance(r), problem().from_search(instance(r), start));
      if (const auto kicks = problem().kicks(work_.graphs[r])) {
        kicks->run(start.items, {},
                   [&](const KickMoment& moment) { return moment.settled || halt_.due() ? 1.0 : 0.0; });
        take_if_better(results_[r], instance(r), problem().from_search(instance(r), std::move(start)));
      }
    }
  }

  void search() {
    if (options_.loop.steps == 0) {
      return;
    }
    work_.spec.halt = &search_halt_;
    for (std::uint64_t round = 0; round == 0 || goes_on(); ++round) {
      for (std::size_t r = 0; r < work_.runs.size(); ++r) {
        const InstanceRun& run = work_.runs[r];
        for (std::size_t i = 0; i < run.count; ++i) {
          work_.spec.trajectories[run.first + i].stream =
              stream_key(options_.seed, range_.begin + r, round * run.count + i);
        }
      }
      search_once();
    }
    for (SolveResult& result : results_) {
      if (options_.repeat && result.stop == StopReason::steps) {  // of a round
        result.stop = search_halt_.interrupted() ? StopReason::signal : StopReason::time_limit;
      }
    }
  }

  /// Whether another round of the search is wanted.
  bool goes_on() const {
    return options_.repeat && !search_halt_.due() &&
           std::ranges::none_of(results_, [](const SolveResult& r) { return r.stop == StopReason::target; });
  }

  void search_once() {
    const std::unique_ptr<Batch> batch = engine_.create(work_.spec);
    std::function<void(const RunProgress&)> watch;
    if (options_.progress) {
      watch = [&, begin = halt_.elapsed()](const RunProgress& p) {
        Progress progress = progress_of(p.run, std::min(p.best, best_before(p.run)), begin + p.seconds);
        progress.step = p.step;
        progress.mean = p.mean;
        progress.entropy = p.entropy;
        options_.progress(progress);
      };
    }
    SolveOptions limits = options_;
    limits.time_limit = search_halt_.seconds() - search_halt_.elapsed();
    const auto outcomes = run_algorithm(*batch, work_.runs, StopRules(limits), watch, options_.keep_heatmap);
    for (std::size_t r = 0; r < outcomes.size(); ++r) {
      const RunOutcome& outcome = outcomes[r];
      SolveResult& result = results_[r];
      const double before = best_before(r);
      if (outcome.best) {
        take_found(r, problem().from_search(instance(r), batch->best_solution(*outcome.best)));
      }
      result.steps += outcome.steps;
      result.seconds += outcome.seconds;
      result.stop = outcome.stop;
      if (options_.keep_heatmap && !outcome.theta.empty() && (!result.heatmap || result.cost < before)) {
        result.heatmap = make_heatmap(work_.graphs[r], outcome.theta);
      }
    }
  }

  /// A solution that the checker refuses is a fault of the program: it is what the caller gets to see.
  void take_found(std::size_t r, Solution solution) {
    if (!instance(r).check(solution).feasible) {
      refused_[r] = true;
      results_[r].solution = std::move(solution);
      results_[r].feasible = false;
    } else if (!refused_[r]) {
      take_if_better(results_[r], instance(r), std::move(solution));
    }
  }

  double best_before(std::size_t r) const {
    return results_[r].feasible ? results_[r].cost : std::numeric_limits<double>::infinity();
  }

  void finish(std::size_t r) {
    SolveResult& result = results_[r];
    const double begin = options_.greedy_start && results_.size() == 1 ? result.seconds : halt_.elapsed();
    if (!result.feasible) {
      take_if_better(result, instance(r), problem().instant_solution(instances_[range_.begin + r]));
    }
    result.unpolished_cost = result.cost;
    const bool graph_there = r < work_.graphs.size();
    if (graph_there && !options_.polish.empty() && !halt_.due()) {
      take_if_better(result, instance(r),
                     improve(work_.graphs[r], result.solution, polish_options(options_), options_.loop.problem, [&] {
                       return halt_.due();
                     }).solution);
    }
    const bool unfinished = result.stop == StopReason::kicks || result.stop == StopReason::steps;
    if (options_.kicks != 0 && unfinished && halt_.due()) {
      result.stop = halt_.interrupted() ? StopReason::signal : StopReason::time_limit;
    }
    const bool over = result.stop == StopReason::target || result.stop == StopReason::signal ||
                      result.stop == StopReason::no_improvement;
    if (graph_there && options_.kicks != 0 && !over && !halt_.due()) {
      kick(r);
    }
    result.seconds += halt_.elapsed() - begin;
  }

  void kick(std::size_t r) {
    SolveResult& result = results_[r];
    // Instances that share a time limit share what is left of it.
    const double left = halt_.seconds() - halt_.elapsed();
    const Halt halt(Halt::Clock::now(), left / static_cast<double>(results_.size() - r), options_.interrupted);
    std::function<void(double, double)> watch;
    if (options_.progress) {
      watch = [&](double best, double spent) {
        Progress progress = progress_of(r, std::min(best, result.cost), halt_.elapsed());
        progress.phase = SolvePhase::kicks;
        progress.step = result.steps;
        progress.spent = spent;
        options_.progress(progress);
      };
    }
    KickOutcome outcome = run_kicks(work_.graphs[r], result.solution, range_.begin + r, options_, halt, pool_, watch);
    take_if_better(result, instance(r), std::move(outcome.solution));
    result.kicks = outcome.kicks;
    result.stop = outcome.stop;
  }

  Progress progress_of(std::size_t r, double best, double seconds) const {
    Progress progress;
    progress.instance = range_.begin + r;
    progress.steps = options_.loop.steps;
    progress.best = best;
    progress.seconds = seconds;
    progress.side_by_side = static_cast<int>(results_.size());
    return progress;
  }

  std::span<const InstancePtr> instances_;
  const Model& model_;
  const SolveOptions& options_;
  InstanceRange range_;
  Engine& engine_;
  ThreadPool& pool_;
  std::vector<SolveResult> results_;
  std::vector<bool> refused_;  ///< the checker did not accept what the engine found
  Halt halt_;
  Halt search_halt_;
  Work work_;
};

}  // namespace

LoopOptions episode_loop(const LoopOptions& loop) {
  LoopOptions episode = loop;
  episode.episode_steps = 0;
  if (loop.episode_steps > 0 && loop.steps > 0) {
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
  ThreadPool pool(options.threads);
  std::vector<SolveResult> results;
  const std::vector<InstanceRange> ranges = pack(*engine, instances, model, options);
  if (options.begun) {
    options.begun();
  }
  for (const InstanceRange range : ranges) {
    if (range.begin > 0 && options.interrupted && options.interrupted()) {
      break;
    }
    for (SolveResult& result : RangeSolver(instances, model, options, range, *engine, pool).go()) {
      result.steps *= episodes;
      results.push_back(std::move(result));
      if (options.finished) {
        options.finished(results.size() - 1, results.back());
      }
    }
  }
  return results;
}

}  // namespace moco
