// Evaluation: a model with a setting (M, K, b) on a data set, every solution checked, costs compared with references.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "moco/references.h"
#include "moco/solver.h"

namespace moco {

/// Budget of a search.
struct Setting {
  int restarts = 1;  ///< M
  int steps = 200;   ///< K
  int samples = 32;  ///< b

  friend bool operator==(const Setting&, const Setting&) = default;
};

/// Mean of some values with its standard error, which needs two of them: s/√count, s² with count − 1.
struct Estimate {
  std::size_t count = 0;
  double mean = 0.0;
  std::optional<double> standard_error;
};
/// Nothing when there are no values.
std::optional<Estimate> estimate(std::span<const double> values);

/// Instances with what is known about them.
struct DataSet {
  std::string description;   ///< one line: the files or the generator
  std::string distribution;  ///< kind of the generator; empty when not known
  std::vector<InstancePtr> instances;
  ReferenceCosts references;     ///< as many as instances
  std::string reference_source;  ///< one line; empty when there is none
};

/// The first `count` instances (all of them if there are fewer).
void keep_first(DataSet& data, std::size_t count);

/// What came out for one instance.
struct InstanceScore {
  std::string instance;
  Index nodes = 0;
  double cost = 0.0;  ///< recomputed by the checker
  std::optional<double> reference;
  std::optional<double> gap;  ///< (cost − reference)/|reference|; negative when better than the reference
  double seconds = 0.0;       ///< search only; of a batch of instances each has its equal share
};

/// The score of a solution. Throws InfeasibleSolution when the checker refuses it.
InstanceScore score_of(const Instance& instance, const Solution& solution, std::optional<double> reference);

/// Likewise of a solution of this cost, which was checked before.
InstanceScore score_of_cost(const Instance& instance, double cost, std::optional<double> reference);

/// Means over the instances after a step.
struct StepMean {
  int step = 0;
  double best = 0.0;     ///< best cost so far
  double seconds = 0.0;  ///< since the search began
};

struct Evaluation {
  Setting setting;
  int episode_steps = 0;              ///< of the searches; 0: in one piece
  std::size_t asked = 0;              ///< instances of the data set
  std::vector<InstanceScore> scores;  ///< of those that were searched to the end, in order
  double whole_seconds = 0.0;         ///< everything but reading: graphs, uploads, search, checks; total
  std::string engine;
  int batch = 1;                ///< instances searched side by side
  std::vector<StepMean> curve;  ///< when asked for

  bool complete() const { return scores.size() == asked; }
};

/// The numbers that are reported of an evaluation that has at least one score.
struct Summary {
  Estimate cost;
  std::optional<Estimate> gap;  ///< over the instances with a reference
  double reference_mean = 0.0;  ///< over the same instances
  std::size_t better = 0;       ///< instances on which the reference was beaten, ties not among them
  double search_seconds = 0.0;  ///< per instance
  double whole_seconds = 0.0;   ///< per instance
};
Summary summarise(const Evaluation& evaluation);

/// What to do besides the setting. `options.loop` gives everything but M, K and b; `options.batch` 0 lets the engine be
/// filled: as many instances side by side as it has use for and memory allows.
struct EvaluationOptions {
  SolveOptions search;
  bool curve = false;
  /// Called with each score as soon as it is there, in the order of the instances.
  std::function<void(const InstanceScore&)> scored;
};

/// Runs a setting. When `options.search.interrupted` becomes true the evaluation ends early; the instance in work is
/// dropped.
Evaluation evaluate(const DataSet& data, Solver& solver, const Setting& setting, const EvaluationOptions& options);

}  // namespace moco
