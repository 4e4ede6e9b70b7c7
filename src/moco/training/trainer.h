// A whole training run with its files: resume, validation, metrics, checkpoints.
//
// Files of a run's folder: config.toml, state.safetensors (+ .bak), best.safetensors (checkpoint of the best
// validation), last.safetensors (checkpoint of the last saved step), metrics.jsonl, metrics.csv.
#pragma once

#include <filesystem>
#include <functional>
#include <limits>
#include <optional>

#include "moco/training/communicator.h"
#include "moco/training/config.h"
#include "moco/training/metrics.h"

namespace moco {

/// How to run, as opposed to what: nothing here changes the result.
struct TrainOptions {
  std::filesystem::path folder;
  EngineKind engine = EngineKind::automatic;
  int threads = 0;           ///< per process; 0: the machine's cores, shared among its processes
  bool resume = false;       ///< go on where the folder's run stopped, if there is one
  bool reschedule = false;   ///< a resumed run takes its end and its learning rates from the configuration given
  double save_every = 60.0;  ///< seconds between saved states
  int save_every_steps = 0;  ///< also after this many outer steps; 0: by time alone
  double time_limit = std::numeric_limits<double>::infinity();  ///< seconds after which everything is saved and over
  /// Polled often, from any thread; true ends the run with a saved state. The step under way, its validation included,
  /// is given up.
  std::function<bool()> interrupted;
  std::function<void(const MetricsRow&)> progress;  ///< called after every row
};

enum class TrainEnd { finished, interrupted, time };

struct TrainOutcome {
  TrainEnd end = TrainEnd::finished;
  int step = 0;  ///< outer steps done
  std::optional<double> best_validation;
  int best_step = 0;
};

/// The configuration a folder's run was started with. Throws IoError when there is none.
TrainConfig config_of_run(const std::filesystem::path& folder);
/// The same, with the learning rate falling to 0 over the next `steps` outer steps, which are then the last. Throws
/// OptionError when the rate is 0 already.
TrainConfig annealed_config_of_run(const std::filesystem::path& folder, int steps);
/// Whether a folder holds a run that can be resumed.
bool holds_run(const std::filesystem::path& folder);

/// Trains to the end, or until told to stop. Collective over the communicator's processes. Throws OptionError when the
/// folder holds a run and `resume` is not set, or when its run has another configuration (with `reschedule`: one that
/// differs in more than its schedule).
TrainOutcome train(const TrainConfig& config, const TrainOptions& options, Communicator& communicator);

}  // namespace moco
