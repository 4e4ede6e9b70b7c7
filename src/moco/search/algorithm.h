// Algorithm 1 of the paper, the one inner loop for all problems and engines: θ⁰, then K times sample and update.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "moco/engine/engine.h"
#include "moco/search/round_clock.h"
#include "moco/search/stop.h"

namespace moco {

/// The restarts of one instance: a range of a batch's trajectories.
struct InstanceRun {
  std::size_t first = 0;
  std::size_t count = 0;
  double cost_offset = 0.0;  ///< added to the batch's costs (DecisionGraph::cost_offset)
};

struct RunOutcome {
  int steps = 0;         ///< sampling steps done
  double seconds = 0.0;  ///< from the beginning of the batch to this run's end
  StopReason stop = StopReason::steps;
  std::optional<std::size_t> best;  ///< trajectory that holds the best solution; empty when there is none yet
  std::vector<float> theta;         ///< θ that the best solution was drawn from, when asked for
};

/// What a watcher is told after each step of a run.
struct RunProgress {
  std::size_t run = 0;
  std::size_t trajectory = 0;  ///< that holds the best solution
  int step = 0;
  int steps = 0;  ///< of the run; by the clock: about
  double best = 0.0;
  double mean = 0.0;
  double entropy = 0.0;
  double seconds = 0.0;
};

/// Runs the batch until every run has a reason to stop. A run that stops early is retired from the batch. `keep_theta`
/// fills RunOutcome::theta. Several steps at a time are left to the engine where no rule needs to see each one's
/// results; clock and signals are looked at every few hundredths of a second, and inside a step where the batch can
/// (BatchSpec::halt): the step under way is then given up. With a clock this is a round of a search without a number of
/// steps: it ends by the clock too, with StopReason::time_limit, and the batch is told the budget as the time goes by.
std::vector<RunOutcome> run_algorithm(Batch& batch, std::span<const InstanceRun> runs, const StopRules& rules,
                                      const std::function<void(const RunProgress&)>& watch = {},
                                      bool keep_theta = false, std::optional<RoundClock> clock = {});

/// Where M restarts begin among n nodes: drawn without replacement, again from all once each was taken.
std::vector<Index> start_nodes(Index n, int restarts, std::uint64_t seed, std::uint64_t instance);

}  // namespace moco
