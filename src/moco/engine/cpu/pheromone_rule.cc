// The elitist ant system and the max–min ant system, in units that no instance has a say in: a solution as good as the
// best of the first step has quality 1, and a variable that every solution deposits on at quality 1 has τ = 1, where
// all of them begin.
#include "moco/engine/cpu/pheromone_rule.h"

#include <algorithm>

#include "moco/engine/pheromones.h"

namespace moco::cpu {

namespace {

class PheromoneRule : public CpuUpdateRule {
 public:
  explicit PheromoneRule(const ModelConfig& config)
      : kept_(static_cast<float>(1.0 - config.evaporation)),
        trail_weight_(static_cast<float>(config.trail_weight)),
        visibility_weight_(static_cast<float>(config.visibility_weight)) {}

  void begin(TrajectoryState& state) const override {
    for (float& theta : state.theta) {
      theta = bounded_theta(visibility_weight_ * theta);
    }
    take_over(state);
  }

  void take_over(TrajectoryState& state) const override {
    state.first_theta = state.theta;
    state.pheromones.assign(state.variables(), 1.0f);
    state.unit_cost = 0.0;
  }

  void remember(TrajectoryState& state, const SampleSet& samples) const override {
    if (state.unit_cost == 0.0) {
      state.unit_cost = state.elite.cost(0);
    }
    for (float& pheromone : state.pheromones) {
      pheromone *= kept_;
    }
    deposit(state, samples);
  }

  void update(TrajectoryState& state, WorkerContext&, const Executor&) const override {
    for (std::size_t v = 0; v < state.theta.size(); ++v) {
      state.theta[v] = theta_of_pheromone(state.pheromones[v], trail_weight_, state.first_theta[v]);
    }
  }

 protected:
  /// What the solutions of a step add, and bounds of what is then there.
  virtual void deposit(TrajectoryState& state, const SampleSet& samples) const = 0;

  /// Adds to the variables of a solution; where both directions are as long, to those of the other one too.
  static void add(TrajectoryState& state, std::span<const Index> variables, double amount) {
    const auto added = static_cast<float>(amount);
    const bool both = state.graph->symmetric && !state.graph->reverse.empty();
    for (const Index variable : variables) {
      if (variable < 0) {
        continue;
      }
      state.pheromones[static_cast<std::size_t>(variable)] += added;
      if (const Index reverse = both ? state.graph->reverse[static_cast<std::size_t>(variable)] : -1; reverse >= 0) {
        state.pheromones[static_cast<std::size_t>(reverse)] += added;
      }
    }
  }
  static std::span<const Index> variables_of(const SampleSet& samples, Index sample) {
    return {samples.variables.data() + samples.row(sample),
            static_cast<std::size_t>(samples.lengths[static_cast<std::size_t>(sample)])};
  }

  float kept_;  ///< share of the pheromone that evaporation leaves

 private:
  float trail_weight_;
  float visibility_weight_;
};

class AntSystemRule final : public PheromoneRule {
 public:
  explicit AntSystemRule(const ModelConfig& config)
      : PheromoneRule(config),
        of_samples_(config.evaporation / (1.0 + config.elitist_weight)),
        of_best_(of_samples_ * config.elitist_weight) {}

 protected:
  void deposit(TrajectoryState& state, const SampleSet& samples) const override {
    for (Index s = 0; s < samples.samples; ++s) {
      const double good = solution_quality(samples.costs[static_cast<std::size_t>(s)], state.unit_cost);
      add(state, variables_of(samples, s), of_samples_ * good / samples.samples);
    }
    if (of_best_ > 0.0) {
      add(state, state.elite.variables(0), of_best_ * solution_quality(state.elite.cost(0), state.unit_cost));
    }
  }

 private:
  double of_samples_;  ///< what all of them deposit together at quality 1
  double of_best_;     ///< what the best one so far does
};

class MaxMinRule final : public PheromoneRule {
 public:
  explicit MaxMinRule(const ModelConfig& config) : PheromoneRule(config), evaporation_(config.evaporation) {}

 protected:
  void deposit(TrajectoryState& state, const SampleSet& samples) const override {
    const double most = solution_quality(state.elite.cost(0), state.unit_cost);
    if ((state.step + 1) % kBestSoFarEvery == 0) {
      add(state, state.elite.variables(0), evaporation_ * most);
    } else {
      const auto best = std::ranges::min_element(samples.costs);
      add(state, variables_of(samples, static_cast<Index>(best - samples.costs.begin())),
          evaporation_ * solution_quality(*best, state.unit_cost));
    }
    const auto high = static_cast<float>(most);
    const auto low = static_cast<float>(most * least_share(state));
    for (float& pheromone : state.pheromones) {
      pheromone = std::clamp(pheromone, low, high);
    }
  }

 private:
  static double least_share(const TrajectoryState& state) {
    const DecisionGraph& graph = *state.graph;
    const Index choices = state.construction->choices(static_cast<Index>(state.elite.items(0).size()));
    const Index most_options = graph.kind == VariableKind::edge ? graph.degree : graph.nodes;
    return least_pheromone_share(choices, most_options);
  }

  double evaporation_;
};

}  // namespace

std::unique_ptr<CpuUpdateRule> make_pheromone_rule(const ModelConfig& config) {
  if (config.rule == UpdateRule::max_min) {
    return std::make_unique<MaxMinRule>(config);
  }
  return std::make_unique<AntSystemRule>(config);
}

}  // namespace moco::cpu
