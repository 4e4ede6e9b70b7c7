// Budgets of iterated searches. Where threads share a solution, they do so by number and by time. Where they do not, by
// number one way is gone, so that the result does not depend on the machine; by time, one per thread.
#include "moco/search/kick_phase.h"

#include <atomic>
#include <cmath>
#include <thread>

#include "moco/policy/kicks.h"
#include "moco/problem.h"

namespace moco {

namespace {

/// Streams of kicks lie apart from those of the search's restarts.
constexpr std::uint64_t kFirstStream = std::uint64_t{1} << 32;

}  // namespace

std::int64_t number_of_kicks(const SolveOptions& options, const Instance& instance) {
  return options.kicks == kKicksBySize ? instance.problem().effort(instance).kicks : options.kicks;
}

KickOutcome run_kicks(KickSearch& search, const DecisionGraph& graph, const Solution& from, double cost,
                      std::size_t index, const SolveOptions& options, const Halt& halt, const Executor& executor,
                      WindowKicks* engine, const KickWatch& watch, Incumbents& incumbents, std::size_t own) {
  const Instance& instance = *graph.instance;
  const Problem& problem = instance.problem();
  const bool timed = options.kicks == kKicksUntilTimeLimit;
  const std::int64_t most = number_of_kicks(options, instance);
  const bool divided = search.divides();
  WindowKicks* const windows = divided && engine != nullptr && search.suits(*engine) ? engine : nullptr;
  const std::size_t ways = timed && !divided ? executor.workers() : 1;
  if (ways > 1) {
    search.share();
  }
  const double begin = halt.elapsed();
  const double seconds = halt.seconds() - begin;
  const SolvePhase phase = divided ? SolvePhase::windows : SolvePhase::kicks;
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<bool> target_met = false;
  const KickBudget spent = [&](const KickMoment& moment) {
    const double best = moment.best + graph.cost_offset;
    if (options.target && best <= *options.target) {
      target_met = true;
    }
    const double share =
        timed ? (halt.elapsed() - begin) / seconds : static_cast<double>(moment.kicks) / static_cast<double>(most);
    if (options.improved && moment.items) {
      incumbents.offer(own, best, [&] { return problem.from_search(instance, {moment.items()}); });
    }
    if (std::this_thread::get_id() == caller) {
      incumbents.tell();
      if (watch) {
        watch(phase, best, std::min(share, 1.0));
      }
    }
    return target_met || halt.due() ? 1.0 : share;
  };

  std::vector<Solution> found(ways, problem.to_search(instance, from));
  std::vector<std::int64_t> kicks(ways, 0);
  if (divided) {
    DividedKicks task{timed ? 0 : most, spent, {}, windows, &halt};
    if (options.improved) {
      task.improved = [&](const std::vector<Index>& items, double length) {
        incumbents.offer(own, length + graph.cost_offset, [&] { return problem.from_search(instance, {items}); });
        incumbents.tell();
      };
    }
    kicks[0] = search.run_divided(found[0].items, stream_key(options.seed, index, kFirstStream), task, executor);
  } else {
    executor.for_each(ways, [&](std::size_t way, std::size_t) {
      kicks[way] = search.run(found[way].items, stream_key(options.seed, index, kFirstStream + way), spent);
    });
  }

  KickOutcome outcome{std::nullopt, cost, 0, windows != nullptr, StopReason::kicks};
  for (std::size_t way = 0; way < ways; ++way) {
    Solution solution = problem.from_search(instance, std::move(found[way]));
    const CheckResult check = instance.check(solution);
    outcome.kicks += kicks[way];
    if (check.feasible && check.cost < outcome.cost) {
      outcome.cost = check.cost;
      outcome.better = std::move(solution);
    }
  }
  if (target_met) {
    outcome.stop = StopReason::target;
  } else if (halt.interrupted()) {
    outcome.stop = StopReason::signal;
  } else if (timed || halt.out_of_time()) {
    outcome.stop = StopReason::time_limit;
  }
  return outcome;
}

}  // namespace moco
