// Instances for training steps.
#include "moco/training/tasks.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "moco/error.h"
#include "moco/generate.h"
#include "moco/io.h"
#include "moco/training/schedules.h"
#include "moco/training/streams.h"

namespace moco {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(const fs::path& path) {
  if (!fs::is_directory(path)) {
    return {path};
  }
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
    if (entry.is_regular_file() && !entry.path().filename().string().starts_with('.')) {
      files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  return files;
}

/// Half of the cores unless told otherwise: generating must keep up with a search on a device, and hardly matters
/// beside one on the same cores.
int preparation_threads(int threads) {
  const auto cores = static_cast<int>(std::thread::hardware_concurrency());
  return std::max(1, (threads > 0 ? threads : cores) / 2);
}

}  // namespace

std::vector<InstancePtr> read_data_set(const std::vector<std::string>& files, const std::string& problem) {
  std::vector<InstancePtr> instances;
  ReadOptions options;
  options.problem = problem;
  for (const std::string& path : files) {
    for (const fs::path& file : files_of(path)) {
      for (InstancePtr& instance : read_instances(file, options)) {
        if (instance->problem() != problem) {
          throw InputError(file.string(),
                           fmt::format("holds {}, the training is for {}", instance->problem(), problem));
        }
        instances.push_back(std::move(instance));
      }
    }
    if (instances.empty()) {
      throw InputError(path, "no instance found");
    }
  }
  return instances;
}

GeneratorOptions generator_for(const TrainConfig& config, Index nodes, std::uint64_t seed) {
  GeneratorOptions options = config.data.generator;
  if (options.kind.empty()) {
    options.kind = config.model.problem == "tsp" ? "uniform" : "er";
  }
  options.nodes = nodes;
  options.seed = seed;
  return options;
}

TaskSource::TaskSource(const TrainConfig& config) : config_(config) {
  if (!config.data.files.empty()) {
    data_set_ = read_data_set(config.data.files, config.model.problem);
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
    tasks[i].graph = decision_graph(instance(step, index), config_.search.neighbours);
    tasks[i].stream = training_key(config_.seed, TrainingDraw::search, static_cast<std::uint64_t>(step), index);
  });
  return tasks;
}

TaskPipeline::TaskPipeline(const TrainConfig& config, Share share, int threads)
    : source_(config), share_(share), steps_(config.steps), pool_(preparation_threads(threads)) {}

void TaskPipeline::prepare(int step) {
  prepared_ = step;
  next_ = std::async(std::launch::async, [this, step] { return source_.make(step, share_, Executor(pool_)); });
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
