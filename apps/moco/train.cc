// `moco train`: options to a training run, its progress to the terminal.
#include <cmath>

#include <fmt/format.h>
#include <unistd.h>

#include "commands.h"
#include "messages.h"
#include "moco/core/printable.h"
#include "moco/training/config_fields.h"
#include "moco/training/trainer.h"
#include "numbers.h"
#include "output_files.h"
#include "processes.h"
#include "signals.h"

namespace moco::cli {

namespace {

/// Whether the configuration is that of the folder's run, so that options given beside it are meant as changes.
bool goes_on_from_folder(const Arguments& arguments, const std::string& folder) {
  return arguments.flag("resume") && !arguments.given("preset") && !arguments.given("config") && holds_run(folder);
}

TrainConfig base_config(const Arguments& arguments, const std::string& folder) {
  if (arguments.given("preset") && arguments.given("config")) {
    throw UsageError("train: --preset and --config exclude each other; give options to override keys of either");
  }
  if (arguments.given("preset")) {
    const std::string name = arguments.text("preset");
    return parse_train_config(preset_text(name), "preset " + name);
  }
  if (arguments.given("config")) {
    return load_train_config(arguments.text("config"));
  }
  if (goes_on_from_folder(arguments, folder)) {
    return arguments.given("anneal") ? annealed_config_of_run(folder, static_cast<int>(arguments.integer("anneal")))
                                     : config_of_run(folder);
  }
  if (arguments.given("anneal")) {
    throw UsageError("train: --anneal needs --resume and a folder with a run");
  }
  if (!arguments.given("problem")) {
    throw UsageError("train: what is to be trained? Give --preset NAME, --config FILE or --problem NAME");
  }
  return {};
}

TrainConfig requested_config(const Arguments& arguments, const std::string& folder) {
  TrainConfig config = base_config(arguments, folder);
  const bool has_base = arguments.given("preset") || arguments.given("config");
  if (has_base && arguments.given("problem") && arguments.text("problem") != config.problem) {
    throw UsageError(
        fmt::format("train: the configuration is for {}, not for {}", config.problem, arguments.text("problem")));
  }
  for (const ConfigField& field : config_fields()) {
    if (arguments.given(field.option)) {
      set_value(config, field.key, arguments.text(field.option));
    }
  }
  validate(config);
  return config;
}

TrainOptions run_options(const Arguments& arguments, const std::string& folder) {
  TrainOptions options;
  options.folder = folder;
  options.engine = choice_named<EngineKind>("--engine", arguments.text("engine"));
  options.threads = static_cast<int>(arguments.integer("threads"));
  options.resume = arguments.flag("resume");
  options.reschedule = goes_on_from_folder(arguments, folder);
  options.save_every = arguments.real("save-every");
  options.save_every_steps = static_cast<int>(arguments.integer("save-every-steps"));
  if (arguments.given("time-limit")) {
    options.time_limit = arguments.real("time-limit");
  }
  options.interrupted = signal_arrived;
  return options;
}

std::string duration(double seconds) {
  const auto whole = static_cast<long long>(std::min(std::ceil(seconds), 1e15));
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

/// One line that is rewritten on a terminal; elsewhere a line per validation.
class TrainProgress {
 public:
  TrainProgress(bool wanted, const TrainConfig& config)
      : terminal_(wanted && isatty(STDERR_FILENO) == 1), lines_(wanted && !terminal_), config_(config) {}

  void show(const MetricsRow& row) {
    if (row.validation) {
      validation_ = fmt::format("  validation {}",
                                format_objective(find_problem(config_.problem).objective(), row.validation->cost));
      if (row.validation->gap) {
        validation_ += fmt::format(" (gap {:.3f} %)", 100.0 * *row.validation->gap);
      }
    }
    if (terminal_ || (lines_ && row.validation)) {
      draw(fmt::format("{}{}{}", terminal_ ? "\r" : "", line(row), terminal_ ? "\033[K" : "\n"));
    }
  }

  void end() const {
    if (terminal_) {
      draw("\n");
    }
  }

 private:
  std::string line(const MetricsRow& row) {
    std::string text = fmt::format("step {}/{}", row.step, config_.steps);
    if (row.result) {
      const double seconds = row.result->seconds();
      pace_ = pace_ == 0.0 ? seconds : 0.9 * pace_ + 0.1 * seconds;
      text += fmt::format("  loss {:.5g}  K {}  lr {:.2e}  {:.3g} instances/s  {} left", row.result->loss,
                          row.result->search_steps, row.result->learning_rate, row.instances_per_second,
                          duration(pace_ * (config_.steps - row.step)));
    }
    return text + validation_;
  }

  bool terminal_;
  bool lines_;
  TrainConfig config_;
  std::string validation_;
  double pace_ = 0.0;  ///< seconds per step, smoothed
};

std::string summary(const TrainOutcome& outcome, const TrainConfig& config, const std::string& folder) {
  std::string text = outcome.end == TrainEnd::finished ? "finished" : "stopped";
  text += fmt::format("  step {}/{}", outcome.step, config.steps);
  if (outcome.best_validation) {
    text += fmt::format("  best validation {} at step {}",
                        format_objective(find_problem(config.problem).objective(), *outcome.best_validation),
                        outcome.best_step);
  }
  text += fmt::format("  folder {}\n", printable(folder));
  return text;
}

int train_in(const Arguments& arguments, const TrainConfig& config, Communicator& communicator) {
  const std::string folder = arguments.text("output");
  TrainOptions options = run_options(arguments, folder);
  const bool speaks = communicator.rank() == 0;
  TrainProgress progress(speaks && !arguments.flag("quiet"), config);
  options.progress = [&](const MetricsRow& row) { progress.show(row); };
  catch_signals();
  const TrainOutcome outcome = train(config, options, communicator);
  progress.end();
  if (speaks) {
    write_text("-", summary(outcome, config, folder));
  }
  return kExitSuccess;
}

}  // namespace

int run_train(const Arguments& arguments) {
  const std::string folder = arguments.text("output");
  const TrainConfig config = requested_config(arguments, folder);
  if (arguments.flag("print-config")) {
    write_text("-", format_train_config(config));
    return kExitSuccess;
  }
  if (folder.empty()) {
    throw UsageError("train: -o FOLDER is missing");
  }
  return run_in_processes([&](Communicator& communicator) { return train_in(arguments, config, communicator); });
}

}  // namespace moco::cli
