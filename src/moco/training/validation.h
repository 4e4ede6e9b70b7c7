// The fixed validation set: how good the current parameters are, on instances that training never sees.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "moco/solver.h"
#include "moco/training/communicator.h"
#include "moco/training/config.h"

namespace moco {

struct ValidationResult {
  double cost = 0.0;          ///< mean best cost, in the instances' own metric
  std::optional<double> gap;  ///< mean of (cost − reference)/|reference| over instances with a reference solution
  double entropy = 0.0;       ///< of the policy after the last step, mean, in nats
};

class Validator {
 public:
  /// Reads or generates the set. Instances are shared out over the processes.
  Validator(const TrainConfig& config, std::shared_ptr<Engine> engine, int threads, Communicator& communicator);

  /// Collective. `abandon` is polled during the searches, from any thread; nothing is returned when it says true in any
  /// process before all of them are through.
  std::optional<ValidationResult> run(std::span<const float> parameters, const std::function<bool()>& abandon = {});

 private:
  Communicator& communicator_;
  Solver solver_;
  SolveOptions options_;
  std::vector<InstancePtr> instances_;  ///< this process's share
  std::vector<double> references_;      ///< 0: unknown
};

}  // namespace moco
