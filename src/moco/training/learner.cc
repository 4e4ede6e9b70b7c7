// The next instances are prepared while an engine works on these; the stop-watch says what each part took.
#include "moco/training/learner.h"

#include <chrono>

#include "moco/core/halt.h"
#include "moco/training/estimator.h"
#include "moco/training/schedules.h"
#include "moco/training/streams.h"

namespace moco {

namespace {

/// Seconds since the last call.
class StopWatch {
 public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// The instances that a range of pairs is tried on.
Share instances_of(Share pairs, int pairs_per_instance) {
  const auto per = static_cast<std::size_t>(pairs_per_instance);
  return {pairs.begin / per, pairs.size() == 0 ? pairs.begin / per : (pairs.end - 1) / per + 1};
}

StreamKey noise_key(const TrainConfig& config, int step, std::size_t pair) {
  return training_key(config.seed, TrainingDraw::noise, static_cast<std::uint64_t>(step), pair);
}

/// Takes the abandon flags, which follow each process's losses, out of the gathered values. Returns whether one is set.
bool take_flags(std::vector<double>& gathered, const Communicator& communicator, std::size_t pairs) {
  bool any = false;
  std::vector<double> losses;
  std::size_t position = 0;
  for (int rank = 0; rank < communicator.size(); ++rank) {
    const std::size_t count = 2 * communicator.share(pairs, rank).size();
    const auto first = gathered.begin() + static_cast<std::ptrdiff_t>(position);
    losses.insert(losses.end(), first, first + static_cast<std::ptrdiff_t>(count));
    position += count;
    any = any || gathered[position++] != 0.0;
  }
  gathered = std::move(losses);
  return any;
}

}  // namespace

Learner::Learner(const TrainConfig& config, Engine& engine, Communicator& communicator, int threads)
    : config_(config),
      communicator_(communicator),
      pairs_(communicator.share(static_cast<std::size_t>(config.es.pairs))),
      instances_(instances_of(pairs_, config.es.pairs_per_instance)),
      pipeline_(config, instances_, threads),
      oracle_(engine, config) {}

std::vector<double> Learner::own_losses(const LearnerState& state, const std::vector<TrainingTask>& tasks,
                                        int search_steps) {
  std::vector<Pair> pairs;
  for (std::size_t i = pairs_.begin; i < pairs_.end; ++i) {
    const TrainingTask& task = tasks[i / static_cast<std::size_t>(config_.es.pairs_per_instance) - instances_.begin];
    pairs.push_back({noise_key(config_, state.step, i), &task.graph, task.stream});
  }
  try {
    std::vector<double> losses = pair_losses(oracle_, state.parameters, config_.es.sigma, pairs, search_steps);
    losses.push_back(0.0);
    return losses;
  } catch (const Halted&) {
    std::vector<double> losses(2 * pairs.size(), 0.0);
    losses.push_back(1.0);
    return losses;
  }
}

std::optional<StepResult> Learner::step(LearnerState& state, const std::function<bool()>& abandon) {
  StepResult result;
  StopWatch watch;
  const std::vector<TrainingTask> tasks = pipeline_.take(state.step);
  for (const TrainingTask& task : tasks) {
    result.nodes += static_cast<double>(task.graph.nodes) / static_cast<double>(tasks.size());
  }
  result.wait_seconds = watch.lap();

  result.search_steps = search_steps(config_, state.step);
  oracle_.abandon = abandon;
  std::vector<double> losses = communicator_.gather(own_losses(state, tasks, result.search_steps));
  if (take_flags(losses, communicator_, static_cast<std::size_t>(config_.es.pairs))) {
    return std::nullopt;
  }
  result.evaluate_seconds = watch.lap();

  std::vector<StreamKey> noise;
  for (std::size_t i = 0; i < static_cast<std::size_t>(config_.es.pairs); ++i) {
    noise.push_back(noise_key(config_, state.step, i));
  }
  gradient_.resize(state.parameters.size());
  const EsStatistics statistics = es_gradient(oracle_, losses, noise, config_.es, gradient_);
  result.loss = statistics.mean_loss;
  result.difference = statistics.difference;
  result.gradient_norm = clip_gradient(gradient_, config_.optimizer.gradient_clip);
  result.learning_rate = learning_rate(config_.optimizer, state.step, config_.steps);
  adam_step(config_.optimizer, result.learning_rate, gradient_, state.adam, state.parameters);
  ++state.step;
  result.update_seconds = watch.lap();
  return result;
}

}  // namespace moco
