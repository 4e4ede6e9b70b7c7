// A batch on the CPU. With at least as many trajectories as threads, whole trajectories run in parallel, each in one
// thread and in its caches; with fewer, they run one after the other and the threads share the samples and tiles of
// each.
#include "moco/engine/cpu/cpu_engine.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "moco/core/memory.h"
#include "moco/core/thread_pool.h"
#include "moco/engine/cpu/cpu_model.h"
#include "moco/engine/cpu/partial_step.h"
#include "moco/engine/features.h"
#include "moco/engine/noise_sum.h"
#include "moco/error.h"
#include "moco/problem.h"

namespace moco {

namespace cpu {

namespace {

constexpr std::size_t kGradientNodes = 64;  // nodes per task of the gradient

std::vector<float> materialise(const WeightSet& set) {
  std::vector<float> weights(set.base.begin(), set.base.end());
  sum_noise({&set.noise, 1}, {&set.sigma, 1}, weights);
  return weights;
}

class CpuBatch final : public Batch {
 public:
  CpuBatch(BatchSpec spec, ThreadPool& pool);

  void begin() override;
  void sample() override;
  void update() override;
  void set_budget(int steps) override;
  std::vector<TrajectoryStatus> status() override;
  Solution best_solution(std::size_t trajectory) override { return elite_solution(trajectory, 0); }
  std::vector<Solution> elite(std::size_t trajectory) override;
  std::vector<float> theta(std::size_t trajectory) override { return states_[trajectory].theta; }
  void set_theta(std::size_t trajectory, std::span<const float> theta) override;
  ArrayView array(SearchArray which, std::size_t trajectory) override;
  void set_model(const ModelConfig& config, std::span<const float> weights) override;
  TrajectorySnapshot snapshot(std::size_t trajectory) override;
  void retire(std::size_t trajectory) override { states_[trajectory].active = false; }

 private:
  template <typename Body>
  void for_trajectories(const Body& body);
  void begin(std::size_t trajectory, WorkerContext& context, const Executor& executor);
  void sample(std::size_t trajectory, WorkerContext& context, const Executor& executor);
  void whole_step(std::size_t trajectory, WorkerContext& context, const Executor& executor);
  void set_gradient(TrajectoryState& state, WorkerContext& context, const Executor& executor);
  Solution elite_solution(std::size_t trajectory, int rank) const;

  BatchSpec spec_;
  ThreadPool& pool_;
  std::vector<std::unique_ptr<CpuModel>> models_;  ///< one per weight set
  std::vector<TrajectoryState> states_;
  std::vector<WorkerContext> contexts_;
};

CpuBatch::CpuBatch(BatchSpec spec, ThreadPool& pool) : spec_(std::move(spec)), pool_(pool), contexts_(pool.size()) {
  require_fitting_rule(spec_.config, spec_.loop);
  for (const WeightSet& weights : spec_.weights) {
    models_.push_back(std::make_unique<CpuModel>(spec_.config, materialise(weights)));
  }
  states_.reserve(spec_.trajectories.size());
  for (const Trajectory& trajectory : spec_.trajectories) {
    if (spec_.halt != nullptr) {
      spec_.halt->check();
    }
    states_.emplace_back(*spec_.graphs[trajectory.graph], spec_.loop, elite_rule(spec_), trajectory.stream,
                         trajectory.start);
    states_.back().shows_weights = spec_.config.node_weights;
  }
}

/// Calls body(trajectory, context, executor) for every active trajectory.
template <typename Body>
void CpuBatch::for_trajectories(const Body& body) {
  std::vector<std::size_t> active;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    if (states_[i].active) {
      active.push_back(i);
    }
  }
  Executor(pool_, spec_.halt)
      .for_each_task(active.size(), [&](std::size_t i, std::size_t worker, const Executor& executor) {
        body(active[i], contexts_[worker], executor);
      });
}

void CpuBatch::begin() {
  for_trajectories(
      [&](std::size_t i, WorkerContext& context, const Executor& executor) { begin(i, context, executor); });
}

void CpuBatch::begin(std::size_t trajectory, WorkerContext& context, const Executor& executor) {
  TrajectoryState& state = states_[trajectory];
  const Trajectory& given = spec_.trajectories[trajectory];
  state.step = 0;
  state.elite.clear();
  std::ranges::fill(state.gradient, 0.0f);
  std::ranges::fill(state.momenta, 0.0f);
  std::ranges::fill(state.membership, 0u);
  if (state.partial != nullptr) {
    state.partial->forget();
  }
  if (given.warm_start != nullptr) {
    context.samples.reshape(1, state.construction->stride(), state.graph->nodes, false);
    state.construction->encode(*given.warm_start, state.start, 0, context.samples);
    state.elite.insert(context.samples, 1);
    if (state.partial != nullptr) {
      state.partial->begin_with(state.elite.items(0));
    }
  }
  models_[given.weights]->begin(state, context, executor);
}

void CpuBatch::set_budget(int steps) {
  for (TrajectoryState& state : states_) {
    state.budget = steps;
  }
}

void CpuBatch::sample() {
  for_trajectories(
      [&](std::size_t i, WorkerContext& context, const Executor& executor) { sample(i, context, executor); });
}

void CpuBatch::sample(std::size_t trajectory, WorkerContext& context, const Executor& executor) {
  TrajectoryState& state = states_[trajectory];
  if (state.partial != nullptr && state.partial->has_base()) {
    partial_step(state, spec_.loop, spec_.keep_samples, context, executor);
  } else {
    whole_step(trajectory, context, executor);
  }
  for (std::size_t m = 0; m < kMomenta; ++m) {
    float* momentum = state.momenta.data() + m * state.variables();
    const float decay = momentum_decay(static_cast<int>(m));
    for (std::size_t v = 0; v < state.variables(); ++v) {
      momentum[v] = decay * momentum[v] + (1.0f - decay) * state.gradient[v];
    }
  }
  state.show(spec_.config);
  state.entropy = spec_.track_entropy ? state.construction->entropy(state.theta.data()) : 0.0;
  ++state.step;
}

void CpuBatch::whole_step(std::size_t trajectory, WorkerContext& context, const Executor& executor) {
  TrajectoryState& state = states_[trajectory];
  SampleSet& set = context.samples;
  const Index samples = spec_.loop.samples;
  set.reshape(samples, state.construction->stride(), state.graph->nodes, spec_.loop.gradient == GradientKind::causal);
  const bool improving = state.local_search != nullptr;
  if (improving) {
    context.improved.reshape(samples, set.stride, set.nodes, false);
  }
  context.scratch.resize(std::max(context.scratch.size(), executor.workers()));
  context.drawn.assign(static_cast<std::size_t>(samples), 0);
  const SampleSet& found = improving ? context.improved : set;
  try {
    executor.for_each(static_cast<std::size_t>(samples), [&](std::size_t sample, std::size_t worker) {
      const Draw draw{state.stream, static_cast<std::uint32_t>(state.step), static_cast<Index>(sample), state.start};
      if (improving) {
        sample_and_improve(*state.construction, *state.local_search, state.theta.data(), draw, set, context.improved,
                           context.scratch[worker], executor.halt());
      } else {
        state.construction->sample(state.theta.data(), draw, set, context.scratch[worker]);
      }
      context.drawn[sample] = 1;
    });
  } catch (const Halted&) {  // what was drawn before counts
    const auto missing = std::ranges::find(context.drawn, 0);
    state.elite.insert(found, static_cast<Index>(missing - context.drawn.begin()));
    throw;
  }
  const bool by_improved = spec_.loop.advantage == AdvantageKind::improved;
  compute_advantages(set, state.graph->cost_scale, by_improved ? found.costs : set.costs);
  set_gradient(state, context, executor);

  state.previous_best = state.elite.size() > 0 ? state.elite.cost(0) : 0.0;
  state.elite.insert(found, samples);
  models_[spec_.trajectories[trajectory].weights]->rule().remember(state, found);
  state.mean_cost = std::accumulate(found.costs.begin(), found.costs.end(), 0.0) / samples;
  if (state.partial != nullptr) {
    state.partial->begin_with(state.elite.items(0));
  }
  if (spec_.keep_samples) {
    state.kept = found;
  }
}

void CpuBatch::set_gradient(TrajectoryState& state, WorkerContext& context, const Executor& executor) {
  SampleSet& set = context.samples;
  const auto nodes = static_cast<std::size_t>(state.graph->nodes);
  context.mass.resize(state.variables());
  state.construction->masses(state.theta.data(), context.mass.data());
  executor.for_each(static_cast<std::size_t>(set.samples), [&](std::size_t sample, std::size_t) {
    state.construction->prepare_gradient(context.mass.data(), static_cast<Index>(sample), set);
  });
  executor.for_each_range(nodes, kGradientNodes, [&](std::size_t begin, std::size_t end, std::size_t) {
    state.construction->gradient(context.mass.data(), set, static_cast<Index>(begin), static_cast<Index>(end),
                                 state.gradient.data());
  });
}

void CpuBatch::update() {
  for_trajectories([&](std::size_t i, WorkerContext& context, const Executor& executor) {
    models_[spec_.trajectories[i].weights]->rule().update(states_[i], context, executor);
  });
}

std::vector<TrajectoryStatus> CpuBatch::status() {
  std::vector<TrajectoryStatus> all;
  all.reserve(states_.size());
  for (const TrajectoryState& state : states_) {
    const double best = state.elite.size() > 0 ? state.elite.cost(0) : std::numeric_limits<double>::infinity();
    all.push_back({best, state.elite.mean_cost(), state.mean_cost, state.entropy});
  }
  return all;
}

Solution CpuBatch::elite_solution(std::size_t trajectory, int rank) const {
  const TrajectoryState& state = states_[trajectory];
  const std::span<const Index> items = state.elite.items(rank);
  return state.construction->decode(items.data(), static_cast<Index>(items.size()));
}

std::vector<Solution> CpuBatch::elite(std::size_t trajectory) {
  std::vector<Solution> solutions;
  for (int rank = 0; rank < states_[trajectory].elite.size(); ++rank) {
    solutions.push_back(elite_solution(trajectory, rank));
  }
  return solutions;
}

void CpuBatch::set_theta(std::size_t trajectory, std::span<const float> theta) {
  TrajectoryState& state = states_[trajectory];
  require_theta_size(theta.size(), state.variables());
  std::ranges::transform(theta, state.theta.begin(), bounded_theta);
}

ArrayView CpuBatch::array(SearchArray which, std::size_t trajectory) {
  const TrajectoryState& state = states_[trajectory];
  const std::size_t variables = state.variables();
  switch (which) {
    case SearchArray::theta:
      return {.data = state.theta.data(), .columns = variables, .row_stride = variables};
    case SearchArray::gradient:
      return {.data = state.gradient.data(), .columns = variables, .row_stride = variables};
    case SearchArray::momenta:
      return {.data = state.momenta.data(), .rows = kMomenta, .columns = variables, .row_stride = variables};
    case SearchArray::membership:
      return {.data = state.membership.data(), .columns = variables, .row_stride = variables};
  }
  return {};
}

void CpuBatch::set_model(const ModelConfig& config, std::span<const float> weights) {
  BatchSpec spec = with_model(spec_, config, weights);
  require_fitting_rule(config, spec.loop);
  spec_ = std::move(spec);
  for (std::unique_ptr<CpuModel>& model : models_) {
    model = std::make_unique<CpuModel>(config, std::vector<float>(weights.begin(), weights.end()));
  }
  for (std::size_t i = 0; i < states_.size(); ++i) {
    TrajectoryState& state = states_[i];
    state.show(config);
    models_[spec_.trajectories[i].weights]->rule().take_over(state);
  }
}

TrajectorySnapshot CpuBatch::snapshot(std::size_t trajectory) {
  const TrajectoryState& state = states_[trajectory];
  TrajectorySnapshot snapshot;
  snapshot.theta = state.theta;
  snapshot.gradient = state.gradient;
  snapshot.momenta = state.momenta;
  snapshot.membership = state.membership;
  snapshot.elite_costs = state.elite.costs();
  snapshot.global_features.resize(kGlobalFeatures);
  state.global(snapshot.global_features.data());
  if (spec_.keep_samples) {
    snapshot.sample_costs = state.kept.costs;
    for (Index s = 0; s < state.kept.samples; ++s) {
      const auto first = state.kept.items.begin() + static_cast<std::ptrdiff_t>(state.kept.row(s));
      snapshot.samples.emplace_back(first, first + state.kept.lengths[static_cast<std::size_t>(s)]);
    }
  }
  return snapshot;
}

class CpuEngine final : public Engine {
 public:
  explicit CpuEngine(int threads) : pool_(threads) {}

  std::string_view name() const override { return "cpu"; }
  MemoryNeed memory_need(const BatchSpec& spec) const override;
  std::uint64_t available_bytes() const override { return available_memory(); }
  bool filled_by(std::uint64_t) const override { return true; }  // the threads share what one trajectory has to do
  std::unique_ptr<Batch> create(BatchSpec spec) override { return std::make_unique<CpuBatch>(std::move(spec), pool_); }
  void add_noise(std::span<const StreamKey> keys, std::span<const float> weights, std::span<float> sum) override {
    sum_noise(keys, weights, sum, Executor(pool_));
  }

 private:
  ThreadPool pool_;
};

std::unique_ptr<PartialConstruction> partial_construction(const BatchSpec& spec, const DecisionGraph& graph) {
  return spec.loop.rebuild == 0 ? nullptr : graph.instance->problem().partial_construction(graph, spec.loop.rebuild);
}

MemoryNeed CpuEngine::memory_need(const BatchSpec& spec) const {
  const auto samples = static_cast<std::uint64_t>(spec.loop.samples);
  const bool causal = spec.loop.gradient == GradientKind::causal;
  const bool outer = spec.trajectories.size() >= pool_.size();
  std::uint64_t states = 0;
  std::uint64_t context = 0;  // the largest graph's
  for (const Trajectory& trajectory : spec.trajectories) {
    const DecisionGraph& graph = *spec.graphs[trajectory.graph];
    const auto n = static_cast<std::uint64_t>(graph.nodes);
    const auto variables = static_cast<std::uint64_t>(graph.variables);
    const std::uint64_t sample_set = samples * n * (4 + 4 + 4 + 8 + (causal ? 16 : 0)) + samples * 20;
    const std::uint64_t improving = spec.loop.local_search.name.empty() ? 0 : 1;
    const std::uint64_t keys = std::max(variables, n) * 4 + n * 16 + improving * n * (graph.weighted ? 36 : 24);
    const std::uint64_t network = 4 * workspace_floats(spec.config, graph, pool_.size());
    const std::uint64_t pheromones = has_pheromones(spec.config.rule) ? 2 : 0;  // and θ⁰
    std::uint64_t choices = 0;
    if (const auto partial = partial_construction(spec, graph)) {
      states += n * 4 + partial->copy_bytes() * (outer ? 1 : pool_.size());
      choices = samples * partial->choices_bytes();
    }
    states +=
        variables * 4 * (2 + kMomenta + 1 + 2 + pheromones) + kEliteSize * n * 8 + (spec.keep_samples ? sample_set : 0);
    context = std::max(
        context, sample_set * (1 + improving) + variables * 12 + network + choices + keys * (outer ? 1 : pool_.size()));
  }
  std::uint64_t weights = 0;
  for (const WeightSet& set : spec.weights) {
    weights += set.base.size() * 4;
  }
  const std::uint64_t bytes = states + context * (outer ? pool_.size() : 1) + weights;
  return {bytes, bytes};
}

}  // namespace

}  // namespace cpu

std::unique_ptr<Engine> make_cpu_engine(int threads) {
  return std::make_unique<cpu::CpuEngine>(threads);
}

}  // namespace moco
