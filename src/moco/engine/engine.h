// The contract between the search and an engine, at the level of a batch.
//
// A trajectory is (weights, instance, random stream): one run of Algorithm 1. A batch is any number of trajectories
// that step together; their instances may differ in size, their weights may be shared (solving) or their own
// (training). Everything inside a step — sampling, gradient, elite, features, networks — is the engine's business; the
// search only says when to step and when to stop. Engines are interchangeable: the same batch gives the same solutions
// up to the rounding of θ. docs/architecture.md says how to add one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "moco/core/halt.h"
#include "moco/core/random.h"
#include "moco/engine/array_view.h"
#include "moco/model.h"
#include "moco/policy/plane_windows.h"
#include "moco/problems/decision_graph.h"
#include "moco/solve.h"

namespace moco {

/// Parameters of a trajectory: base + sigma·ε, where ε is the standard normal vector of the noise key (core/noise.h).
/// The noise is regenerated wherever it is needed and never stored or sent.
struct WeightSet {
  std::span<const float> base;  ///< flat parameters (model/parameters.h); empty for rule adam
  float sigma = 0.0f;           ///< negative for the second half of an antithetic pair
  StreamKey noise{};
};

struct Trajectory {
  std::size_t graph = 0;                 ///< index into BatchSpec::graphs
  std::size_t weights = 0;               ///< index into BatchSpec::weights
  StreamKey stream;                      ///< all random draws of the run
  Index start = 0;                       ///< first city (TSP)
  const Solution* warm_start = nullptr;  ///< enters the elite before the first step
};

struct BatchSpec {
  ModelConfig config;
  LoopOptions loop;
  /// Asked inside steps where an engine can: it then ends the step, begin() or create() under way by throwing Halted.
  /// What the batch has found before stays. May be null.
  const Halt* halt = nullptr;
  bool track_entropy = false;  ///< fill TrajectoryStatus::entropy
  bool keep_samples = false;   ///< keep every step's samples for snapshot()
  std::vector<const DecisionGraph*> graphs;
  std::vector<WeightSet> weights;
  /// Batches of an engine with the same number, other than 0, have their base weights in the same arrays, which have
  /// not changed since the first of them: one copy on a device will do for all.
  std::uint64_t base_weights = 0;
  std::vector<Trajectory> trajectories;
};

/// How the 32 best solutions are kept: as the search says or, if it does not, the model.
inline EliteRule elite_rule(const BatchSpec& spec) {
  return spec.loop.elite.value_or(spec.config.elite);
}

/// The reverse edges that a solution's membership marks too; empty where it marks none.
inline std::span<const Index> shown_reverse(const ModelConfig& config, const DecisionGraph& graph) {
  const bool both = config.membership == Membership::undirected && graph.symmetric;
  return both ? std::span<const Index>(graph.reverse) : std::span<const Index>();
}

/// What the last completed sampling step left behind; costs in the instance's metric.
struct TrajectoryStatus {
  double best_cost = 0.0;   ///< of all solutions so far; infinite before the first
  double elite_cost = 0.0;  ///< mean of the 32 best so far
  double mean_cost = 0.0;   ///< of the last b samples, after local search
  double entropy = 0.0;     ///< of the policy's choices, mean over rows (TSP) or of the first choice (MIS), in nats
};

/// Full state of a trajectory after sample(), for tests and for the side-by-side check of two engines.
struct TrajectorySnapshot {
  std::vector<float> theta;                 ///< [N]
  std::vector<float> gradient;              ///< [N]
  std::vector<float> momenta;               ///< [6 × N]
  std::vector<std::uint32_t> membership;    ///< [N] bit l: variable, or its reverse, is part of the l-th best
  std::vector<double> elite_costs;          ///< best first
  std::vector<float> global_features;       ///< [45]
  std::vector<double> sample_costs;         ///< [b], after local search; with keep_samples
  std::vector<std::vector<Index>> samples;  ///< [b] items in order of choice; with keep_samples
};

class Batch {
 public:
  virtual ~Batch() = default;

  /// θ⁰ from the instance alone; elites hold nothing but the warm starts.
  virtual void begin() = 0;
  /// Draws b solutions per trajectory from its θ and improves them if asked to; updates elite, gradient and momenta.
  virtual void sample() = 0;
  /// Features of the search state → network (or Adam) → next θ.
  virtual void update() = 0;

  /// update() and sample() `steps` times; the status after each. An engine that can do without the host in between
  /// overrides this, and says how many steps at a time it gains by.
  virtual std::vector<std::vector<TrajectoryStatus>> advance(int steps);
  virtual int steps_at_once() const { return 1; }
  /// From the next update on the networks take so many steps, at least 1, for the budget, in place of told_budget().
  virtual void set_budget(int steps) = 0;

  /// One entry per trajectory.
  virtual std::vector<TrajectoryStatus> status() = 0;
  virtual Solution best_solution(std::size_t trajectory) = 0;
  /// The solutions of the elite, best first.
  virtual std::vector<Solution> elite(std::size_t trajectory) = 0;
  virtual std::vector<float> theta(std::size_t trajectory) = 0;
  /// The θ that the next samples are drawn from, one value per variable: what an update rule of the caller's own came
  /// to. Throws OptionError unless the values are as many as the variables, or where the engine cannot.
  virtual void set_theta(std::size_t trajectory, std::span<const float> theta);
  /// Likewise with values in the memory of the engine's device, which may be changed or freed afterwards. They are not
  /// looked at before the stream of array() gets there.
  virtual void set_theta_from_device(std::size_t trajectory, std::span<const float> theta);
  /// Where an array of a trajectory lies, after everything that was asked for has been done. It stays there as long as
  /// the batch; begin(), sample(), update() and set_theta() change what is in it. Throws OptionError where the engine
  /// shows none.
  virtual ArrayView array(SearchArray which, std::size_t trajectory);
  /// Updates are from here on by another model, of the same family and for all trajectories; elites are kept as before.
  /// Throws OptionError where the engine cannot.
  virtual void set_model(const ModelConfig& config, std::span<const float> weights);
  virtual TrajectorySnapshot snapshot(std::size_t trajectory) = 0;
  /// The trajectory may be skipped from now on; its best solution stays.
  virtual void retire(std::size_t trajectory) = 0;
};

/// The batch with another model's weights for all trajectories; elites are kept by the rule that they were. Throws
/// OptionError when the model is of another family.
BatchSpec with_model(const BatchSpec& before, const ModelConfig& config, std::span<const float> weights);

/// Throws OptionError for rules with pheromones and partial samples: pheromones are what whole solutions leave, and of
/// a partial sample there is only what it changed.
void require_fitting_rule(const ModelConfig& config, const LoopOptions& loop);

/// Throws OptionError unless θ has as many values as there are variables.
void require_theta_size(std::size_t values, std::size_t variables);

/// Bytes of the engine's memory and of the host's; for an engine that works in the host's, of the same.
struct MemoryNeed {
  std::uint64_t engine = 0;
  std::uint64_t host = 0;
};

class Engine {
 public:
  virtual ~Engine() = default;

  virtual std::string_view name() const = 0;
  /// The memory that a batch would take, its graphs on the host not counted, and what is there. An engine without
  /// memory of its own works in the host's.
  virtual MemoryNeed memory_need(const BatchSpec& spec) const = 0;
  virtual std::uint64_t available_bytes() const = 0;
  virtual std::uint64_t available_host_bytes() const;
  /// Whether trajectories beside others that have these variables in all no longer save time.
  virtual bool filled_by(std::uint64_t variables) const = 0;
  /// The graphs and base weights must outlive the batch.
  virtual std::unique_ptr<Batch> create(BatchSpec spec) = 0;
  /// sum[p] += Σ_i weights[i] · ε_i[p], ε_i the noise vector of keys[i] (core/noise.h): the parameter update of
  /// training.
  virtual void add_noise(std::span<const StreamKey> keys, std::span<const float> weights, std::span<float> sum);
  /// Small searches side by side, which belong to the engine; null where it has none.
  virtual WindowKicks* window_kicks() { return nullptr; }
};

}  // namespace moco
