// One outer step of meta-training: instances, losses of all pairs, gradient, optimizer. Knows no files and no clocks
// but its own stop-watch; the trainer does the rest.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "moco/training/communicator.h"
#include "moco/training/config.h"
#include "moco/training/loss_oracle.h"
#include "moco/training/optimizer.h"
#include "moco/training/tasks.h"

namespace moco {

/// What a step changes.
struct LearnerState {
  int step = 0;  ///< outer steps done
  std::vector<float> parameters;
  AdamState adam;
};

struct StepResult {
  double loss = 0.0;
  double difference = 0.0;  ///< root mean square of the pairs' differences
  double gradient_norm = 0.0;
  double learning_rate = 0.0;
  int search_steps = 0;
  double nodes = 0.0;             ///< mean over this process's instances
  double wait_seconds = 0.0;      ///< for instances
  double evaluate_seconds = 0.0;  ///< losses, with the exchange between processes
  double update_seconds = 0.0;    ///< gradient and optimizer

  double seconds() const { return wait_seconds + evaluate_seconds + update_seconds; }
};

class Learner {
 public:
  Learner(const TrainConfig& config, Engine& engine, Communicator& communicator, int threads);

  /// Does one step. `abandon` is polled during the searches, from any thread; when it says true in any process, nothing
  /// has happened to the state of any of them and the result is empty.
  std::optional<StepResult> step(LearnerState& state, const std::function<bool()>& abandon = {});

 private:
  /// Losses of this process's pairs, then 1 if they were abandoned, else 0.
  std::vector<double> own_losses(const LearnerState& state, const std::vector<TrainingTask>& tasks, int search_steps);

  TrainConfig config_;
  Communicator& communicator_;
  Share pairs_;
  Share instances_;
  TaskPipeline pipeline_;
  EngineOracle oracle_;
  std::vector<float> gradient_;
};

}  // namespace moco
