// The fixed validation set: how good the current parameters are, on instances that training never sees.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "moco/training/communicator.h"
#include "moco/training/loss_oracle.h"

namespace moco {

struct ValidationResult {
  double cost = 0.0;          ///< mean best cost, in the instances' own metric
  std::optional<double> gap;  ///< mean of (cost − reference)/|reference| over instances with a reference solution
  double entropy = 0.0;       ///< of the policy after the last step, mean, in nats
};

class Validator {
 public:
  /// Reads or generates the set. Instances are shared out over the processes.
  Validator(const TrainConfig& config, Engine& engine, Communicator& communicator);

  /// Collective.
  ValidationResult run(std::span<const float> parameters);

 private:
  struct Member {
    DecisionGraph graph;
    StreamKey stream;
    double reference = 0.0;  ///< 0: unknown
  };

  Communicator& communicator_;
  Unroller unroller_;
  int steps_;
  std::vector<Member> members_;  ///< this process's share
};

}  // namespace moco
