// The instances of training: generated from the seed or drawn from a data set, ready for the search.
#pragma once

#include <future>
#include <vector>

#include "moco/core/random.h"
#include "moco/core/thread_pool.h"
#include "moco/problems/decision_graph.h"
#include "moco/training/communicator.h"
#include "moco/training/config.h"

namespace moco {

/// An instance of an outer step with the random stream of the searches on it.
struct TrainingTask {
  DecisionGraph graph;
  StreamKey stream;
};

/// Options that generate an instance of the configuration's family with this number of nodes.
GeneratorOptions generator_for(const TrainConfig& config, Index nodes, std::uint64_t seed);

class TaskSource {
 public:
  /// Reads the data set if the configuration names one.
  explicit TaskSource(const TrainConfig& config);

  /// Instances `share` of an outer step: the same whatever the share and the executor.
  std::vector<TrainingTask> make(int step, Share share, const Executor& executor) const;

 private:
  InstancePtr instance(int step, std::uint64_t index) const;

  TrainConfig config_;
  std::vector<InstancePtr> data_set_;
};

/// Prepares the tasks of the next step in the background while the current ones are being searched.
class TaskPipeline {
 public:
  /// `threads` threads work on the preparation; 0: half of the cores.
  TaskPipeline(const TrainConfig& config, Share share, int threads);

  /// The tasks of a step; starts on those of the next one.
  std::vector<TrainingTask> take(int step);

 private:
  void prepare(int step);

  TaskSource source_;
  Share share_;
  int steps_;
  ThreadPool pool_;
  int prepared_ = -1;
  std::future<std::vector<TrainingTask>> next_;  ///< last member: its thread ends before what it works with
};

}  // namespace moco
