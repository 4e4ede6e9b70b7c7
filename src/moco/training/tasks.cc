// Instances for training steps.
#include "moco/training/tasks.h"

#include <algorithm>
#include <system_error>

#include "moco/core/cpus.h"
#include "moco/data_set.h"
#include "moco/generate.h"
#include "moco/training/schedules.h"
#include "moco/training/streams.h"

namespace moco {

namespace {

/// Half of the cores unless told otherwise: generating must keep up with a search on a device, and hardly matters
/// beside one on the same cores.
int preparation_threads(int threads) {
  return std::max(1, (threads > 0 ? threads : usable_cpus()) / 2);
}

}  // namespace

GeneratorOptions generator_for(const TrainConfig& config, Index nodes, std::uint64_t seed) {
  GeneratorOptions options = config.data.generator;
  options.nodes = nodes;
  options.seed = seed;
  return options;
}

TaskSource::TaskSource(const TrainConfig& config) : config_(config) {
  if (!config.data.files.empty()) {
    data_set_ = read_data_set(config.data.files, {.problem = config.problem});
  }
}

InstancePtr TaskSource::instance(int step, std::uint64_t index) const {
  const auto outer = static_cast<std::uint64_t>(step);
  if (!data_set_.empty()) {
    RandomSequence random(training_key(config_.seed, TrainingDraw::instance, outer, index), Purpose::generator);
    return data_set_[random.next_below(static_cast<std::uint32_t>(data_set_.size()))];
  }
  const Index nodes = config_.data.nodes[size_choice(config_, step, index)];
  const auto instances = static_cast<std::uint64_t>(config_.es.pairs / config_.es.pairs_per_instance);
  return generate(generator_for(config_, nodes, training_seed(config_.seed, TrainingDraw::instance)),
                  outer * instances + index);
}

std::vector<TrainingTask> TaskSource::make(int step, Share share, const Executor& executor) const {
  std::vector<TrainingTask> tasks(share.size());
  executor.for_each(tasks.size(), [&](std::size_t i, std::size_t) {
    const std::uint64_t index = share.begin + i;
    tasks[i].graph = decision_graph(instance(step, index), config_.search.problem);
    tasks[i].stream = training_key(config_.seed, TrainingDraw::search, static_cast<std::uint64_t>(step), index);
  });
  return tasks;
}

TaskPipeline::TaskPipeline(const TrainConfig& config, Share share, int threads)
    : source_(config), share_(share), steps_(config.steps), pool_(preparation_threads(threads)) {}

void TaskPipeline::prepare(int step) {
  prepared_ = step;
  const auto make = [this, step] { return source_.make(step, share_, Executor(pool_)); };
  try {
    next_ = std::async(std::launch::async, make);
  } catch (const std::system_error&) {  // no more threads: made when they are taken
    next_ = std::async(std::launch::deferred, make);
  }
}

std::vector<TrainingTask> TaskPipeline::take(int step) {
  if (prepared_ != step || !next_.valid()) {
    if (next_.valid()) {
      next_.get();
    }
    prepare(step);
  }
  std::vector<TrainingTask> tasks = next_.get();
  if (step + 1 < steps_) {
    prepare(step + 1);
  }
  return tasks;
}

}  // namespace moco
