// Greedy start, search, polish and kicks of a batch.
#include "moco/search/range_solver.h"

#include <algorithm>
#include <limits>
#include <thread>

#include "moco/policy/kicks.h"
#include "moco/problem.h"
#include "moco/problems/improve.h"
#include "moco/search/heatmap.h"
#include "moco/search/incumbents.h"
#include "moco/search/kick_phase.h"
#include "moco/search/kick_tasks.h"
#include "moco/search/progress_relay.h"
#include "moco/search/work.h"

namespace moco {

namespace {

/// A solution that has been checked.
void keep(SolveResult& result, Solution solution, double cost) {
  result.solution = std::move(solution);
  result.cost = cost;
  result.feasible = true;
}

/// Takes over a solution if it is better than the result's.
void take_if_better(SolveResult& result, const Instance& instance, Solution solution) {
  const CheckResult check = instance.check(solution);
  if (check.feasible && (!result.feasible || check.cost < result.cost)) {
    keep(result, std::move(solution), check.cost);
  }
}

double mean_entropy(Batch& batch, const InstanceRun& run) {
  double sum = 0.0;
  const auto status = batch.status();
  for (std::size_t i = 0; i < run.count; ++i) {
    sum += status[run.first + i].entropy;
  }
  return sum / static_cast<double>(run.count);
}

class RangeSolver {
 public:
  RangeSolver(std::span<const InstancePtr> instances, const NumberedModel& model, const SolveOptions& options,
              IndexRange range, Engine& engine, ThreadPool& pool)
      : instances_(instances),
        model_(model),
        options_(options),
        range_(range),
        engine_(engine),
        pool_(pool),
        results_(range.size()),
        refused_(range.size(), false),
        halt_(Halt::Clock::now(), options.time_limit, options.interrupted),
        search_halt_(Halt::Clock::now(), search_share(options) * options.time_limit, options.interrupted),
        incumbents_(options, instances.subspan(range.begin, results_.size()), range.begin, halt_) {}

  std::vector<SolveResult> go() {
    for (std::size_t r = 0; r < results_.size(); ++r) {
      results_[r].side_by_side = static_cast<int>(results_.size());
      results_[r].engine = engine_.name();
      results_[r].stop = options_.loop.steps == 0 ? StopReason::kicks : StopReason::steps;
      if (!options_.warm_start.empty()) {
        take_if_better(results_[r], instance(r), options_.warm_start[range_.begin + r]);
      }
    }
    if (options_.greedy_start && !start_alone()) {  // there is an answer from the beginning
      for (std::size_t r = 0; r < results_.size(); ++r) {
        take(r, problem().instant_solution(instances_[range_.begin + r]));
      }
    }
    try {
      announce(SolvePhase::neighbours);
      work_ = make_work(instances_, model_.model, options_, range_, Executor(pool_, &halt_));
      work_.spec.base_weights = model_.number;
      start_greedily();
      search();
    } catch (const Halted&) {  // before the first step: what is there counts
      for (SolveResult& result : results_) {
        result.stop = halt_.interrupted() ? StopReason::signal : StopReason::time_limit;
      }
    }
    finish();
    return std::move(results_);
  }

 private:
  /// Kicks that are to fill the time get some.
  static double search_share(const SolveOptions& options) { return options.kicks == kKicksUntilTimeLimit ? 0.5 : 1.0; }

  const Instance& instance(std::size_t r) const { return *instances_[range_.begin + r]; }
  /// Place of an instance in the whole list.
  std::size_t number_of(std::size_t r) const { return options_.first_instance + range_.begin + r; }
  const Problem& problem() const { return instance(0).problem(); }

  /// Whether what the greedy construction gives is all that is asked for.
  bool start_alone() const { return !options_.improve_start && options_.loop.steps == 0 && options_.kicks == 0; }

  void start_greedily() {
    if (options_.greedy_start) {
      Executor(pool_, &halt_).for_each(results_.size(), [&](std::size_t r, std::size_t) { start_greedily(r); });
    }
  }

  void start_greedily(std::size_t r) {
    announce(SolvePhase::greedy, r);
    Solution start = problem().greedy_items(work_.graphs[r], options_.loop.problem, halt_);
    take(r, problem().from_search(instance(r), start));
    if (!options_.improve_start || (options_.loop.steps == 0 && options_.kicks != 0)) {
      return;  // kicks begin with the local search
    }
    announce(SolvePhase::local_search, r);
    if (const auto kicks = problem().kicks(work_.graphs[r])) {
      kicks->run(start.items, {}, [&](const KickMoment& moment) {
        offer(r, moment);
        return moment.settled || halt_.due() ? 1.0 : 0.0;
      });
      take(r, problem().from_search(instance(r), std::move(start)));
    }
  }

  void announce(SolvePhase phase, std::size_t r = 0) const {
    if (options_.began && std::this_thread::get_id() == caller_) {
      options_.began(range_.begin + r, phase);
    }
  }

  void take(std::size_t r, Solution solution) {
    take_if_better(results_[r], instance(r), std::move(solution));
    tell(r);
  }

  void tell(std::size_t r) {
    incumbents_.offer(r, results_[r].cost, [&] { return results_[r].solution; });
    incumbents_.tell();
  }

  void offer(std::size_t r, const KickMoment& moment) {
    if (moment.items) {
      incumbents_.offer(r, moment.best + work_.graphs[r].cost_offset,
                        [&] { return problem().from_search(instance(r), {moment.items()}); });
      incumbents_.tell();
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
              stream_key(options_.seed, number_of(r), round * run.count + i);
        }
      }
      search_once();
    }
    for (SolveResult& result : results_) {
      if (options_.fill_time && result.stop == StopReason::steps) {  // of a round
        result.stop = search_halt_.interrupted() ? StopReason::signal : StopReason::time_limit;
      }
    }
  }

  /// Whether another round of the search is wanted.
  bool goes_on() const {
    return options_.fill_time && !search_halt_.due() &&
           std::ranges::none_of(results_, [](const SolveResult& r) { return r.stop == StopReason::target; });
  }

  void search_once() {
    const std::unique_ptr<Batch> batch = engine_.create(work_.spec);
    std::function<void(const RunProgress&)> watch;
    if (options_.progress || options_.improved) {
      watch = [&, begin = halt_.elapsed()](const RunProgress& p) {
        incumbents_.offer(p.run, std::min(p.best, best_before(p.run)), [&] {
          return p.best < best_before(p.run)
                     ? problem().from_search(instance(p.run), batch->best_solution(p.trajectory))
                     : results_[p.run].solution;
        });
        incumbents_.tell();
        if (!options_.progress) {
          return;
        }
        Progress progress = progress_of(p.run, std::min(p.best, best_before(p.run)), begin + p.seconds);
        progress.step = p.step;
        progress.steps = p.steps;
        progress.mean = p.mean;
        progress.entropy = p.entropy;
        options_.progress(progress);
      };
    }
    SolveOptions limits = options_;
    limits.time_limit = search_halt_.seconds() - search_halt_.elapsed();
    std::optional<RoundClock> clock;
    if (options_.fill_time) {
      clock.emplace(limits.time_limit, options_.loop.steps, options_.loop.budget_steps);
    }
    const auto outcomes = run_algorithm(*batch, work_.runs, StopRules(limits), watch, options_.keep_heatmap, clock);
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
      if (options_.track_entropy) {
        result.entropy = mean_entropy(*batch, work_.runs[r]);
      }
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
      take(r, std::move(solution));
    }
  }

  double best_before(std::size_t r) const {
    return results_[r].feasible ? results_[r].cost : std::numeric_limits<double>::infinity();
  }

  /// What comes after the steps: polish, then kicks. Instances that share a range share its time.
  void finish() {
    const double begin = halt_.elapsed();
    Executor(pool_).for_each(results_.size(), [&](std::size_t r, std::size_t) {
      if (!refused_[r]) {
        polish(r);
      }
    });
    kick();
    for (std::size_t r = 0; r < results_.size(); ++r) {
      if (!refused_[r]) {
        incumbents_.finish(r, results_[r].solution, results_[r].cost);
      }
      const double shared = options_.greedy_start ? halt_.elapsed() : results_[r].seconds + halt_.elapsed() - begin;
      results_[r].seconds = shared / static_cast<double>(results_.size());
    }
  }

  bool graph_there(std::size_t r) const { return r < work_.graphs.size(); }

  void polish(std::size_t r) {
    SolveResult& result = results_[r];
    if (!result.feasible) {
      take(r, problem().instant_solution(instances_[range_.begin + r]));
    }
    result.unpolished_cost = result.cost;
    if (graph_there(r) && !options_.polish.empty() && !halt_.due()) {
      take(r, improve(work_.graphs[r], result.solution, polish_options(options_), options_.loop.problem, [&] {
                return halt_.due();
              }).solution);
    }
    const bool unfinished = result.stop == StopReason::kicks || result.stop == StopReason::steps;
    if (options_.kicks != 0 && unfinished && halt_.due()) {
      result.stop = halt_.interrupted() ? StopReason::signal : StopReason::time_limit;
    }
  }

  bool wants_kicks(std::size_t r) const {
    const StopReason stop = results_[r].stop;
    const bool over = stop == StopReason::target || stop == StopReason::signal || stop == StopReason::no_improvement;
    return graph_there(r) && options_.kicks != 0 && !refused_[r] && !over && !halt_.due();
  }

  void kick() {
    std::vector<KickTask> tasks;
    for (std::size_t r = 0; r < results_.size(); ++r) {
      if (std::unique_ptr<KickSearch> search = wants_kicks(r) ? problem().kicks(work_.graphs[r]) : nullptr) {
        tasks.push_back({r, std::move(search)});
      }
    }
    const bool joinable = options_.kicks == kKicksUntilTimeLimit;
    do_kick_tasks(tasks, joinable, halt_, options_.interrupted, pool_,
                  [&](KickTask& task, const Halt& halt, const Executor& executor) { kick(task, halt, executor); });
    progress_.forward();
  }

  void kick(const KickTask& task, const Halt& halt, const Executor& executor) {
    const std::size_t r = task.instance;
    SolveResult& result = results_[r];
    KickWatch watch;
    if (progress_.wanted()) {
      watch = [&](SolvePhase phase, double best, double spent) {
        Progress progress = progress_of(r, std::min(best, result.cost), halt_.elapsed());
        progress.phase = phase;
        progress.step = result.steps;
        progress.spent = spent;
        progress_.tell(progress);
      };
    }
    KickOutcome outcome = run_kicks(*task.search, work_.graphs[r], result.solution, result.cost, number_of(r), options_,
                                    halt, executor, engine_.window_kicks(), watch, incumbents_, r);
    if (outcome.better) {
      keep(result, std::move(*outcome.better), outcome.cost);
      tell(r);
    }
    result.kicks = outcome.kicks;
    result.kicks_engine = outcome.on_engine ? engine_.name() : "cpu";
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
  const NumberedModel& model_;
  const SolveOptions& options_;
  IndexRange range_;
  Engine& engine_;
  ThreadPool& pool_;
  std::vector<SolveResult> results_;
  std::vector<bool> refused_;  ///< the checker did not accept what the engine found
  Halt halt_;
  Halt search_halt_;
  Incumbents incumbents_;
  Work work_;
  ProgressRelay progress_{options_.progress};
  const std::thread::id caller_ = std::this_thread::get_id();
};

}  // namespace

LocalSearchOptions polish_options(const SolveOptions& options) {
  LocalSearchOptions polish = options.loop.local_search;
  polish.name = options.polish;
  return polish;
}

std::vector<SolveResult> solve_range(std::span<const InstancePtr> instances, const NumberedModel& model,
                                     const SolveOptions& options, IndexRange range, Engine& engine, ThreadPool& pool) {
  return RangeSolver(instances, model, options, range, engine, pool).go();
}

}  // namespace moco
