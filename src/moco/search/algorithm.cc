// The loop itself, and nothing else: engines do the work of a step, stop rules decide when to end.
#include "moco/search/algorithm.h"

#include <algorithm>
#include <chrono>
#include <numeric>

namespace moco {

namespace {

/// A run while it is being searched.
struct LiveRun {
  RunOutcome outcome;
  double best = std::numeric_limits<double>::infinity();
  int improved_at = 0;
  bool done = false;
};

RunProgress summarise(const InstanceRun& run, std::span<const TrajectoryStatus> status, LiveRun& live) {
  RunProgress progress;
  progress.best = std::numeric_limits<double>::infinity();
  for (std::size_t t = run.first; t < run.first + run.count; ++t) {
    if (status[t].best_cost < progress.best) {
      progress.best = status[t].best_cost;
      live.outcome.best = t;
    }
    progress.mean += status[t].mean_cost / static_cast<double>(run.count);
    progress.entropy += status[t].entropy / static_cast<double>(run.count);
  }
  return progress;
}

}  // namespace

std::vector<RunOutcome> run_algorithm(Batch& batch, std::span<const InstanceRun> runs, const StopRules& rules,
                                      const std::function<void(const RunProgress&)>& watch, bool keep_theta) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<LiveRun> live(runs.size());
  std::size_t remaining = runs.size();
  batch.begin();
  for (int step = 1; remaining > 0; ++step) {
    batch.sample();
    const std::vector<TrajectoryStatus> status = batch.status();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    for (std::size_t r = 0; r < runs.size(); ++r) {
      LiveRun& run = live[r];
      if (run.done) {
        continue;
      }
      RunProgress progress = summarise(runs[r], status, run);
      progress.run = r;
      progress.step = step;
      progress.seconds = seconds;
      if (progress.best < run.best) {
        run.best = progress.best;
        run.improved_at = step;
        if (keep_theta) {
          run.outcome.theta = batch.theta(run.outcome.best);
        }
      }
      if (watch) {
        watch(progress);
      }
      if (const auto reason = rules.check({step, run.best, step - run.improved_at, seconds})) {
        run.done = true;
        --remaining;
        run.outcome.steps = step;
        run.outcome.seconds = seconds;
        run.outcome.stop = *reason;
        for (std::size_t t = runs[r].first; t < runs[r].first + runs[r].count; ++t) {
          batch.retire(t);
        }
      }
    }
    if (remaining > 0) {
      batch.update();
    }
  }
  std::vector<RunOutcome> outcomes;
  for (LiveRun& run : live) {
    outcomes.push_back(std::move(run.outcome));
  }
  return outcomes;
}

bool unroll(Batch& batch, int steps, const std::function<bool()>& abandon) {
  batch.begin();
  for (int step = 1;; ++step) {
    if (abandon && abandon()) {
      return false;
    }
    batch.sample();
    if (step >= steps) {
      return true;
    }
    batch.update();
  }
}

std::vector<Index> start_nodes(Index n, int restarts, std::uint64_t seed, std::uint64_t instance) {
  RandomSequence random(stream_key(seed, instance, 0), Purpose::start_node);
  std::vector<Index> cities(static_cast<std::size_t>(n));
  std::iota(cities.begin(), cities.end(), 0);
  std::vector<Index> starts;
  std::size_t taken = 0;  // cities[0 … taken−1] are used up
  for (int r = 0; r < restarts; ++r) {
    if (taken == cities.size()) {
      taken = 0;
    }
    const std::size_t pick = taken + random.next_below(static_cast<std::uint32_t>(cities.size() - taken));
    std::swap(cities[taken], cities[pick]);
    starts.push_back(cities[taken++]);
  }
  return starts;
}

}  // namespace moco
