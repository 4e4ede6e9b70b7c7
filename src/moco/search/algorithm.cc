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
    if (status[t].best_cost + run.cost_offset < progress.best) {
      progress.best = status[t].best_cost + run.cost_offset;
      live.outcome.best = t;
    }
    progress.mean += (status[t].mean_cost + run.cost_offset) / static_cast<double>(run.count);
    progress.entropy += status[t].entropy / static_cast<double>(run.count);
  }
  return progress;
}

/// The runs of a batch and what has become of them.
class Search {
 public:
  Search(Batch& batch, std::span<const InstanceRun> runs, const StopRules& rules,
         const std::function<void(const RunProgress&)>& watch, bool keep_theta, std::optional<RoundClock> clock)
      : batch_(batch),
        runs_(runs),
        rules_(rules),
        watch_(watch),
        keep_theta_(keep_theta),
        clock_(clock),
        live_(runs.size()) {}

  std::vector<RunOutcome> go() {
    try {
      take_steps();
    } catch (const Halted&) {
      give_up_step();
    }
    std::vector<RunOutcome> outcomes;
    for (LiveRun& run : live_) {
      outcomes.push_back(std::move(run.outcome));
    }
    return outcomes;
  }

 private:
  void take_steps() {
    batch_.begin();
    batch_.sample();
    const std::vector<TrajectoryStatus> first = batch_.status();
    look_at_clock(1);
    finish_step(1, first, elapsed());
    stop_runs();
    for (int step = 1; remaining_ > 0;) {
      const int count = steps_ahead(step);
      const double before = elapsed();
      const std::vector<std::vector<TrajectoryStatus>> all = batch_.advance(count);
      const double each = (elapsed() - before) / count;
      look_at_clock(step + count);
      for (int i = 0; i < count; ++i) {
        finish_step(++step, all[static_cast<std::size_t>(i)], before + each * (i + 1));
      }
      stop_runs();
    }
  }

  /// What the step under way had found already counts, the step itself does not.
  void give_up_step() {
    const std::vector<TrajectoryStatus> status = batch_.status();
    const StopReason reason = rules_.interrupted() ? StopReason::signal : StopReason::time_limit;
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      if (!live_[r].done) {
        summarise(runs_[r], status, live_[r]);
        live_[r].outcome.stop = reason;
        live_[r].outcome.seconds = elapsed();
      }
    }
  }

  void look_at_clock(int step) {
    if (clock_) {
      clock_->see(step, elapsed());
      batch_.set_budget(clock_->budget());
    }
  }

  double elapsed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

  /// How many steps to run after `step` before looking again.
  int steps_ahead(int step) const {
    if (keep_theta_ || rules_.judges_results()) {
      return 1;
    }
    const double seconds = elapsed();
    const double end = clock_ ? clock_->end() : rules_.time_limit();
    const double ahead = std::min(kLookEvery, end - seconds) * step / std::max(seconds, 1e-9);
    const int most = std::min(rules_.steps() - step, batch_.steps_at_once());
    return std::clamp(static_cast<int>(std::min(ahead, 1e6)), 1, most);
  }

  void finish_step(int step, std::span<const TrajectoryStatus> status, double seconds) {
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      LiveRun& run = live_[r];
      if (run.done) {
        continue;
      }
      RunProgress progress = summarise(runs_[r], status, run);
      progress.run = r;
      progress.trajectory = run.outcome.best.value_or(runs_[r].first);
      progress.step = step;
      progress.steps = clock_ ? clock_->expected_steps() : rules_.steps();
      progress.seconds = seconds;
      if (progress.best < run.best) {
        run.best = progress.best;
        run.improved_at = step;
        if (keep_theta_) {
          run.outcome.theta = batch_.theta(*run.outcome.best);
        }
      }
      if (watch_) {
        watch_(progress);
      }
      run.outcome.steps = step;
      run.outcome.seconds = seconds;
    }
  }

  /// Ends the runs that have a reason to stop after the last finished step. Their trajectories are retired if others go
  /// on.
  void stop_runs() {
    std::vector<std::size_t> stopped;
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      LiveRun& run = live_[r];
      const int step = run.outcome.steps;
      auto reason =
          run.done ? std::nullopt : rules_.check({step, run.best, step - run.improved_at, run.outcome.seconds});
      if (!run.done && !reason && clock_ && run.outcome.seconds >= clock_->end()) {
        reason = StopReason::time_limit;
      }
      if (!reason) {
        continue;
      }
      run.outcome.stop = *reason;
      run.done = true;
      --remaining_;
      stopped.push_back(r);
    }
    for (std::size_t i = 0; remaining_ > 0 && i < stopped.size(); ++i) {
      const InstanceRun& run = runs_[stopped[i]];
      for (std::size_t t = run.first; t < run.first + run.count; ++t) {
        batch_.retire(t);
      }
    }
  }

  static constexpr double kLookEvery = 0.03;  ///< seconds

  Batch& batch_;
  std::span<const InstanceRun> runs_;
  const StopRules& rules_;
  const std::function<void(const RunProgress&)>& watch_;
  bool keep_theta_;
  std::optional<RoundClock> clock_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::vector<LiveRun> live_;
  std::size_t remaining_ = live_.size();
};

}  // namespace

std::vector<RunOutcome> run_algorithm(Batch& batch, std::span<const InstanceRun> runs, const StopRules& rules,
                                      const std::function<void(const RunProgress&)>& watch, bool keep_theta,
                                      std::optional<RoundClock> clock) {
  return Search(batch, runs, rules, watch, keep_theta, clock).go();
}

std::vector<Index> start_nodes(Index n, int restarts, std::uint64_t seed, std::uint64_t instance) {
  RandomSequence random(stream_key(seed, instance, 0), Purpose::start_node);
  std::vector<Index> nodes(static_cast<std::size_t>(n));
  std::iota(nodes.begin(), nodes.end(), 0);
  std::vector<Index> starts;
  std::size_t taken = 0;  // nodes[0 … taken−1] are used up
  for (int r = 0; r < restarts; ++r) {
    if (taken == nodes.size()) {
      taken = 0;
    }
    const std::size_t pick = taken + random.next_below(static_cast<std::uint32_t>(nodes.size() - taken));
    std::swap(nodes[taken], nodes[pick]);
    starts.push_back(nodes[taken++]);
  }
  return starts;
}

}  // namespace moco
