// The description of a training run: everything that decides its result, and nothing else (engine, threads and output
// folder are the caller's). Files are TOML; docs/training.md explains every knob.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "moco/choices.h"
#include "moco/generate.h"
#include "moco/model.h"
#include "moco/solve.h"

namespace moco {

/// Loss of an unroll with best cost f (in the unit square): f, sign(f)·ln|f|, or the mean cost of its 32 best
/// solutions.
enum class LossKind { best, log, elite };
/// What becomes of the differences d of the pairs before they weigh the noise (training/shaping.h).
enum class Shaping { raw, normalised, rank, sign };
enum class OptimizerKind { adam, adamw };
enum class RateSchedule { cosine, constant };
/// Whether the instances of a step share one size or each draws its own from data.nodes.
enum class SizeMix { step, instance };

template <>
std::span<const Choice<LossKind>> choices();
template <>
std::span<const Choice<Shaping>> choices();
template <>
std::span<const Choice<OptimizerKind>> choices();
template <>
std::span<const Choice<RateSchedule>> choices();
template <>
std::span<const Choice<SizeMix>> choices();

/// Point of a piecewise-linear curve over a run.
struct CurvePoint {
  double share = 0.0;  ///< of the outer steps, 0 … 1
  double value = 0.0;

  friend bool operator==(const CurvePoint&, const CurvePoint&) = default;
};
using Curve = std::vector<CurvePoint>;

struct DataConfig {
  GeneratorOptions generator;  ///< `nodes` and `seed` are set per instance
  std::vector<Index> nodes = {100};
  SizeMix mix = SizeMix::step;
  std::vector<std::string> files;  ///< instances to draw from instead of generating; files or folders
};

struct EsConfig {
  int pairs = 128;             ///< antithetic pairs per outer step
  int pairs_per_instance = 1;  ///< divides `pairs`
  double sigma = 0.01;
  LossKind loss = LossKind::best;
  double difference_clip = 0.0;  ///< bound of |L⁺ − L⁻|; 0: none
  Shaping shaping = Shaping::normalised;
};

struct OptimizerConfig {
  OptimizerKind kind = OptimizerKind::adam;
  double learning_rate = 1e-3;
  RateSchedule schedule = RateSchedule::cosine;
  int warmup = 50;           ///< outer steps of linear growth
  int anneal_from = 0;       ///< if > 0: from this outer step on the rate falls from `anneal_rate` to 0 at the end
  double anneal_rate = 0.0;  ///< learning rate of that step
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0.0;
  double gradient_clip = 0.0;  ///< bound of the gradient's norm; 0: none
};

struct ValidationConfig {
  int every = 100;  ///< outer steps; 0: never
  int instances = 128;
  std::uint64_t seed = 1;
  int steps = 0;  ///< K; 0: the largest of search.steps
  std::vector<std::string> files;
};

struct TrainConfig {
  std::uint64_t seed = 1;
  int steps = 1000;    ///< outer steps
  std::string from;    ///< checkpoint to start from; empty: fresh weights
  int first_step = 0;  ///< outer step to begin with: re-enters the schedule of a longer run whose state is lost
  std::string problem = "tsp";  ///< set_problem keeps model and data in step
  ModelConfig model;
  DataConfig data;
  LoopOptions search;  ///< `steps` is set per outer step, `restarts` stays 1
  Curve search_steps = {{0.0, 200.0}};
  int least_search_steps = 0;  ///< if > 0: K is drawn log-uniformly from this to the curve's value
  EsConfig es;
  OptimizerConfig optimizer;
  ValidationConfig validation;
};

/// Makes the configuration one for a problem: its name, the family of its models and its generators.
void set_problem(TrainConfig& config, std::string_view problem);

/// Reads a configuration. Throws InputError ("file:line: …") on syntax errors, unknown keys and values out of range.
TrainConfig parse_train_config(std::string_view text, const std::string& name);
TrainConfig load_train_config(const std::filesystem::path& file);

/// Sets one value as it would stand in a file ("0.01", "[[0, 20], [1, 200]]"); plain words need no quotes and lists of
/// words are separated by commas. `key` is the full key, such as "es.sigma". Throws OptionError.
void set_value(TrainConfig& config, std::string_view key, std::string_view value);

/// Throws OptionError when values do not fit together.
void validate(const TrainConfig& config);

/// The complete configuration as TOML, every key in a fixed order; parse_train_config gives the same configuration
/// back.
std::string format_train_config(const TrainConfig& config);

/// Configurations that come with the program.
std::vector<std::string_view> preset_names();
/// Text of a preset. Throws OptionError naming the known ones.
std::string_view preset_text(std::string_view name);

}  // namespace moco
