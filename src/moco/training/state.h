// The resume state of a run: all that is needed to go on as if it had never stopped. Random streams are functions of
// the step, so the step stands for all of them. The file is a safetensors container of its own kind, not a checkpoint:
//   tensors  parameters, adam.first, adam.second   F32 [number of parameters]
//   metadata moco.train.format "1", moco.train.config (TOML), moco.train.state (JSON: step, adam_steps,
//   best_validation,
//            best_step, seconds, crc32 of the tensors' bytes in the order above)
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "moco/training/learner.h"

namespace moco {

struct TrainState {
  LearnerState learner;
  std::optional<double> best_validation;  ///< mean cost; empty before the first validation
  int best_step = 0;
  double seconds = 0.0;  ///< of work so far, over all resumes
  std::string config;    ///< the run's configuration as TOML
};

/// Writes the state atomically and keeps the one before it as FILE.bak. Throws IoError; the old state is then intact.
void save_state(const std::filesystem::path& file, const TrainState& state);

/// Throws InputError when the file is damaged (naming FILE.bak if there is one) and IoError when it cannot be read.
TrainState load_state(const std::filesystem::path& file);

}  // namespace moco
