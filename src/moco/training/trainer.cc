// State and best checkpoint are written between outer steps, so that a killed run goes on from the last whole one.
#include "moco/training/trainer.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "moco/core/cpus.h"
#include "moco/core/files.h"
#include "moco/engine/registry.h"
#include "moco/error.h"
#include "moco/model/parameters.h"
#include "moco/models.h"
#include "moco/training/schedules.h"
#include "moco/training/state.h"

namespace moco {

namespace {

namespace fs = std::filesystem;

fs::path state_file(const fs::path& folder) {
  return folder / "state.safetensors";
}

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Threads of this process: all cores are shared among the processes on a machine.
int threads_of(const TrainOptions& options, const Communicator& communicator) {
  if (options.threads > 0) {
    return options.threads;
  }
  return usable_cpus(communicator.local_size());
}

/// Parameters and configuration at the start of a new run.
TrainState fresh_state(const TrainConfig& config) {
  TrainState state;
  state.config = format_train_config(config);
  if (config.from.empty()) {
    state.learner.parameters = random_model(config.model, config.seed).weights;
  } else {
    Model model = ModelStore().load(config.from);
    if (model.config.family == config.model.family) {  // its networks may be more than are to be trained
      model = changed_model(std::move(model), {.init = config.model.init, .rule = config.model.rule});
    }
    if (model.config != config.model) {
      throw OptionError(fmt::format(
          "{}: the model's problem, width, blocks or variants differ from the configuration's", config.from));
    }
    state.learner.parameters = std::move(model.weights);
    state.learner.step = config.first_step;
  }
  state.learner.adam = AdamState(state.learner.parameters.size());
  return state;
}

/// What a run may change when it is resumed: where it ends, and how its learning rate gets there.
void take_schedule(TrainConfig& config, const TrainConfig& from) {
  config.steps = from.steps;
  config.optimizer.learning_rate = from.optimizer.learning_rate;
  config.optimizer.schedule = from.optimizer.schedule;
  config.optimizer.anneal_from = from.optimizer.anneal_from;
  config.optimizer.anneal_rate = from.optimizer.anneal_rate;
}

/// Names the first line in which two configurations differ.
void require_same_config(const std::string& stored, const std::string& given, const fs::path& folder) {
  if (stored == given) {
    return;
  }
  const auto [a, b] = std::ranges::mismatch(stored, given);
  const auto line_at = [](const std::string& text, std::string::const_iterator at) {
    const auto position = static_cast<std::size_t>(at - text.begin());
    const std::size_t begin = position == 0 ? 0 : text.rfind('\n', position - 1) + 1;
    return text.substr(begin, text.find('\n', position) - begin);
  };
  throw OptionError(
      fmt::format("the run in '{}' has '{}', not '{}': resume it without changes, or start another run "
                  "with --from",
                  folder.string(), line_at(stored, a), line_at(given, b)));
}

/// Only the first process writes files.
class Run {
 public:
  Run(const TrainConfig& config, const TrainOptions& options, Communicator& communicator);

  TrainOutcome go();

 private:
  bool writes() const { return communicator_.rank() == 0; }
  bool resuming() const { return options_.resume && holds_run(options_.folder); }
  void load_or_begin();
  void require_same_state();
  bool validate_start();
  bool validation_due(int step) const;
  std::optional<ValidationResult> validate_parameters();
  std::optional<MetricsRow> step();
  void record(const MetricsRow& row);
  void save();
  void save_checkpoint(const char* name) const;
  bool told_to_stop(double seconds_ahead) const;
  bool interrupted() const { return options_.interrupted && options_.interrupted(); }
  double elapsed() const { return now() - begin_; }

  TrainConfig config_;
  TrainOptions options_;
  Communicator& communicator_;
  double begin_ = now();
  int threads_;
  std::shared_ptr<Engine> engine_;
  Learner learner_;
  Validator validator_;
  TrainState state_;
  std::optional<MetricsLog> metrics_;
  double seconds_before_ = 0.0;  ///< of work in earlier parts of the run
  double saved_at_ = 0.0;
  int saved_step_ = -1;
  double save_seconds_ = 0.0;        ///< longest so far
  double validation_seconds_ = 0.0;  ///< longest so far
};

Run::Run(const TrainConfig& config, const TrainOptions& options, Communicator& communicator)
    : config_(config),
      options_(options),
      communicator_(communicator),
      threads_(threads_of(options, communicator)),
      engine_(make_engine(options.engine, threads_, communicator.local_rank())),
      learner_(config, *engine_, communicator, threads_),
      validator_(config, engine_, threads_, communicator) {}

void Run::load_or_begin() {
  const bool resumes = resuming();
  if (!resumes && holds_run(options_.folder)) {
    throw OptionError(
        fmt::format("'{}' holds a run already; resume it or take another folder", options_.folder.string()));
  }
  if (resumes) {
    state_ = load_state(state_file(options_.folder));
    TrainConfig stored = parse_train_config(state_.config, state_file(options_.folder).string());
    if (options_.reschedule) {
      take_schedule(stored, config_);
    }
    // Written anew: a state from before a key was added means that key's default.
    state_.config = format_train_config(stored);
    require_same_config(state_.config, format_train_config(config_), options_.folder);
    if (config_.steps < state_.learner.step) {
      throw OptionError(fmt::format("the run in '{}' stands at step {}: it cannot end at step {}",
                                    options_.folder.string(), state_.learner.step, config_.steps));
    }
    if (state_.learner.parameters.size() != ParameterLayout(config_.model).size()) {
      throw InputError(state_file(options_.folder).string(),
                       fmt::format("holds {} parameters, its model has {}", state_.learner.parameters.size(),
                                   ParameterLayout(config_.model).size()));
    }
    seconds_before_ = state_.seconds;
    saved_step_ = state_.learner.step;
  } else {
    state_ = fresh_state(config_);
  }
  require_same_state();
  if (!writes()) {
    return;
  }
  if (!resumes) {
    std::error_code error;
    fs::create_directories(options_.folder, error);
    if (error) {
      throw IoError(fmt::format("cannot create '{}': {}", options_.folder.string(), error.message()));
    }
  }
  write_file(options_.folder / "config.toml", state_.config);
  const bool nothing_done = state_.learner.step == config_.first_step && !state_.best_validation;
  metrics_.emplace(options_.folder / "metrics.jsonl", options_.folder / "metrics.csv",
                   nothing_done ? -1 : state_.learner.step);
  if (!resumes) {
    save();
  }
}

/// All processes must have begun or resumed the same run. Nobody writes before everybody has looked.
void Run::require_same_state() {
  const std::array mine = {static_cast<double>(state_.learner.step), norm_of(state_.learner.parameters)};
  const std::vector<double> all = communicator_.gather(mine);
  for (std::size_t i = 0; i < all.size(); i += mine.size()) {
    if (all[i] != mine[0] || all[i + 1] != mine[1]) {
      throw OptionError(
          fmt::format("process {} stands at step {:.0f}, this one at step {:.0f}: all processes must see "
                      "the same folder '{}'",
                      i / mine.size(), all[i], mine[0], options_.folder.string()));
    }
  }
}

bool Run::validation_due(int step) const {
  return config_.validation.every > 0 && (step % config_.validation.every == 0 || step == config_.steps);
}

/// Nothing when told to stop.
std::optional<ValidationResult> Run::validate_parameters() {
  const double begin = now();
  const std::optional<ValidationResult> result =
      validator_.run(state_.learner.parameters, [&] { return told_to_stop(0.0); });
  if (!result) {
    return std::nullopt;
  }
  if (!state_.best_validation || result->cost < *state_.best_validation) {
    state_.best_validation = result->cost;
    state_.best_step = state_.learner.step;
    if (writes()) {
      save_checkpoint("best.safetensors");
    }
  }
  validation_seconds_ = std::max(validation_seconds_, now() - begin);
  return result;
}

/// The start is validated once: a state that was saved before that has no best validation. False when told to stop.
bool Run::validate_start() {
  if (config_.validation.every > 0 && state_.learner.step == config_.first_step && !state_.best_validation) {
    MetricsRow row;
    row.validation = validate_parameters();
    if (!row.validation) {
      return false;
    }
    record(row);
  }
  return true;
}

/// One outer step and the validation that is due after it. When told to stop before both are done, neither has
/// happened.
std::optional<MetricsRow> Run::step() {
  const bool validates = validation_due(state_.learner.step + 1);
  const LearnerState before = validates ? state_.learner : LearnerState();
  const double validation = validates ? 1.5 * validation_seconds_ : 0.0;
  MetricsRow row;
  row.result = learner_.step(state_.learner, [&] { return told_to_stop(validation); });
  if (row.result && validates) {
    row.validation = validate_parameters();
    if (!row.validation) {
      state_.learner = before;
      return std::nullopt;
    }
  }
  return row.result ? std::optional(row) : std::nullopt;
}

void Run::record(const MetricsRow& given) {
  state_.seconds = seconds_before_ + elapsed();
  MetricsRow row = given;
  row.step = state_.learner.step;
  row.sigma = config_.es.sigma;
  row.seconds = state_.seconds;
  if (row.result) {
    row.instances_per_second = config_.es.pairs / config_.es.pairs_per_instance / row.result->seconds();
  }
  if (metrics_) {
    metrics_->append(row);
  }
  if (options_.progress) {
    options_.progress(row);
  }
}

void Run::save_checkpoint(const char* name) const {
  Model model;
  model.config = config_.model;
  model.weights = state_.learner.parameters;
  model.search = trained_search(config_);
  model.metadata["training.config"] = state_.config;
  model.metadata["training.step"] = fmt::format("{}", state_.learner.step);
  if (state_.best_validation) {
    model.metadata["training.best_validation"] = fmt::format("{}", *state_.best_validation);
    model.metadata["training.best_step"] = fmt::format("{}", state_.best_step);
  }
  save_model(options_.folder / name, model);
}

void Run::save() {
  if (!writes() || saved_step_ == state_.learner.step) {
    return;
  }
  const double begin = now();
  state_.seconds = seconds_before_ + elapsed();
  save_checkpoint("last.safetensors");  // before the state: a run that is killed in between repeats both
  save_state(state_file(options_.folder), state_);
  saved_at_ = now();
  saved_step_ = state_.learner.step;
  save_seconds_ = std::max(save_seconds_, saved_at_ - begin);
}

/// Whether to give up what is under way and save: so that all is over by `time_limit` with so many seconds still ahead.
bool Run::told_to_stop(double seconds_ahead) const {
  const double reserve = 2.0 * save_seconds_ + 0.2;
  return interrupted() || elapsed() + seconds_ahead + reserve >= options_.time_limit;
}

TrainOutcome Run::go() {
  load_or_begin();
  bool stopped = !validate_start();
  while (!stopped && state_.learner.step < config_.steps) {
    const std::optional<MetricsRow> row = step();
    if (!row) {
      stopped = true;
      break;
    }
    record(*row);
    const int steps_since = state_.learner.step - saved_step_;
    if (now() - saved_at_ >= options_.save_every ||
        (options_.save_every_steps > 0 && steps_since >= options_.save_every_steps)) {
      save();
    }
  }
  // What another process was told, it does not say: one with a time limit will have reached it.
  const bool late = !interrupted() && std::isfinite(options_.time_limit);
  const TrainEnd end = !stopped ? TrainEnd::finished : late ? TrainEnd::time : TrainEnd::interrupted;
  save();
  return {end, state_.learner.step, state_.best_validation, state_.best_step};
}

}  // namespace

bool holds_run(const fs::path& folder) {
  std::error_code error;
  return fs::exists(state_file(folder), error);
}

TrainConfig config_of_run(const fs::path& folder) {
  return parse_train_config(load_state(state_file(folder)).config, state_file(folder).string());
}

TrainConfig annealed_config_of_run(const fs::path& folder, int steps) {
  const TrainState state = load_state(state_file(folder));
  TrainConfig config = parse_train_config(state.config, state_file(folder).string());
  const int step = state.learner.step;
  const double rate = learning_rate(config.optimizer, step, config.steps);
  if (!(rate > 0.0) || step == 0) {
    throw OptionError(fmt::format("the run in '{}' stands at step {} with a learning rate of {}: nothing to anneal",
                                  folder.string(), step, rate));
  }
  config.optimizer.anneal_from = step;
  config.optimizer.anneal_rate = rate;
  config.steps = step + steps;
  return config;
}

TrainOutcome train(const TrainConfig& config, const TrainOptions& options, Communicator& communicator) {
  validate(config);
  return Run(config, options, communicator).go();
}

}  // namespace moco
