// What every problem must guarantee on every instance, whatever the update rule and the options: feasible solutions,
// costs that the checker confirms, answers that depend on the seed alone.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "moco/engine/registry.h"
#include "moco/error.h"
#include "moco/search/algorithm.h"
#include "moco/solver.h"
#include "neighbourhoods.h"
#include "options.h"
#include "problem_cases.h"

namespace moco {
namespace {

struct Setting {
  test::ProblemCase instance;
  EngineKind engine;
};

/// The CPU's and, in a build that has it and on a machine with a device, the device's.
std::vector<EngineKind> engines() {
  std::vector<EngineKind> all = {EngineKind::cpu};
  try {
    make_engine(EngineKind::cuda, 1);
    all.push_back(EngineKind::cuda);
  } catch (const Error&) {
  }
  return all;
}

std::vector<Setting> settings() {
  std::vector<Setting> all;
  for (const EngineKind engine : engines()) {
    for (const test::ProblemCase& instance : test::all_cases()) {
      if (engine == EngineKind::cpu || test::runs_on_device(*instance.make())) {
        all.push_back({instance, engine});
      }
    }
  }
  return all;
}

/// Beyond feasibility: no node could still be added to an independent set.
void expect_maximal(const DecisionGraph& graph, const Solution& items) {
  if (graph.kind != VariableKind::node) {
    return;
  }
  std::vector<bool> covered(static_cast<std::size_t>(graph.nodes), false);
  for (const Index node : items.items) {
    covered[static_cast<std::size_t>(node)] = true;
    for (const Index other : neighbours_of(graph, node)) {
      covered[static_cast<std::size_t>(other)] = true;
    }
  }
  EXPECT_EQ(std::count(covered.begin(), covered.end(), false), 0);
}

/// The local searches that an engine has.
std::vector<std::string_view> searches_of(const Problem& problem, EngineKind engine) {
  std::vector<std::string_view> names;
  for (const LocalSearchKind& kind : problem.local_searches()) {
    if (engine == EngineKind::cpu || !kind.cpu_only) {
      names.push_back(kind.name);
    }
  }
  return names;
}

std::vector<LoopOptions> option_grid(const Problem& problem, EngineKind engine) {
  const auto set = [&](LoopOptions& options, std::string_view key, auto value) {
    set_where_declared(options.problem, problem.options(), key, value);
  };
  std::vector<LoopOptions> grid;
  for (const GradientKind gradient : {GradientKind::total, GradientKind::causal}) {
    for (const char* dead_end : {"nearest", "penalty"}) {
      LoopOptions options;
      options.steps = 4;
      options.samples = 5;
      options.restarts = 2;
      set(options, "neighbours", 6);
      options.gradient = gradient;
      set(options, "dead_end", dead_end);
      options.elite = gradient == GradientKind::causal ? EliteRule::newest : EliteRule::paper;
      grid.push_back(options);
    }
  }
  LoopOptions one;
  one.steps = 1;
  one.samples = 1;
  set(one, "neighbours", 1);
  grid.push_back(one);
  const std::vector<std::string_view> searches = searches_of(problem, engine);
  for (const std::string_view search : searches) {
    LoopOptions hybrid;
    hybrid.steps = 3;
    hybrid.samples = 5;
    set(hybrid, "neighbours", 5);
    hybrid.local_search.name = search;
    set(hybrid, "dead_end", search == searches.front() ? "penalty" : "nearest");
    hybrid.advantage = search == searches.front() ? AdvantageKind::improved : AdvantageKind::sampled;
    grid.push_back(hybrid);
  }
  for (const int rebuild : {1, 4, 1000}) {
    LoopOptions partial;
    partial.steps = 6;
    partial.samples = 5;
    partial.rebuild = rebuild;
    partial.gradient = rebuild == 4 ? GradientKind::causal : GradientKind::total;
    partial.elite = rebuild == 4 ? EliteRule::newest : EliteRule::distinct;
    set(partial, "neighbours", 5);
    grid.push_back(partial);
  }
  LoopOptions wide;
  wide.steps = 3;
  wide.samples = 70;
  wide.restarts = 4;
  set(wide, "neighbours", 1000);
  grid.push_back(wide);
  return grid;
}

/// Every update rule once; beginnings by turns.
std::vector<Model> models_for(const Problem& problem) {
  std::vector<Model> models{adam_model(problem.family())};
  const std::pair<Initialisation, UpdateRule> others[] = {
      {Initialisation::heuristic, UpdateRule::gnn},   {Initialisation::heuristic, UpdateRule::mlp},
      {Initialisation::learned, UpdateRule::adam},    {Initialisation::visibility, UpdateRule::ant_system},
      {Initialisation::learned, UpdateRule::max_min}, {Initialisation::uniform, UpdateRule::gnn}};
  for (const auto& [init, rule] : others) {
    ModelConfig config;
    config.family = problem.family();
    config.init = init;
    config.rule = rule;
    config.hidden = 8;
    config.blocks = 1;
    models.push_back(random_model(config, 2));
  }
  for (const GcnVariant gcn : {GcnVariant::paper, GcnVariant::authors}) {
    ModelConfig config;
    config.family = problem.family();
    config.hidden = 16;
    config.gcn = gcn;
    config.node_weights = problem.network() == NetworkKind::gcn && gcn == GcnVariant::authors;
    models.push_back(random_model(config, 1));
    if (problem.network() != NetworkKind::gcn) {
      break;
    }
  }
  return models;
}

class ProblemConformance : public ::testing::TestWithParam<Setting> {
 protected:
  std::vector<InstancePtr> instance_{GetParam().instance.make()};
  const Problem& problem_ = instance_[0]->problem();
};

TEST_P(ProblemConformance, EverySolutionIsFeasibleAndItsCostConfirmed) {
  for (const Model& model : models_for(problem_)) {
    Solver solver(model, {.engine = GetParam().engine});
    for (const LoopOptions& loop : option_grid(problem_, GetParam().engine)) {
      if (!supports(loop.local_search.name, *instance_[0])) {
        continue;
      }
      SolveOptions options;
      options.loop = loop;
      if (loop.rebuild > 0 && has_pheromones(model.config.rule)) {
        EXPECT_THROW(solver.solve(instance_, options), OptionError);
        continue;
      }
      if (loop.rebuild > 0 && GetParam().engine != EngineKind::cpu && !test::changes_on_device(*instance_[0])) {
        EXPECT_THROW(solver.solve(instance_, options), OptionError);
        continue;
      }
      const SolveResult result = solver.solve(instance_, options).at(0);
      const CheckResult check = instance_[0]->check(result.solution);
      EXPECT_TRUE(check.feasible) << check.violation;
      EXPECT_TRUE(result.feasible);
      EXPECT_EQ(result.cost, check.cost);
      EXPECT_EQ(result.steps, loop.steps);
      expect_maximal(decision_graph(instance_[0], loop.problem), problem_.to_search(*instance_[0], result.solution));
      EXPECT_EQ(solver.solve(instance_, options).at(0).solution, result.solution) << "same seed, other answer";
    }
  }
}

// Every sample, not only the best one; the reported costs are those of the samples.
TEST_P(ProblemConformance, EverySampleIsFeasibleAndTheEliteIsItsBest) {
  const auto engine = make_engine(GetParam().engine, 2);
  int round = 0;
  for (const Model& model : models_for(problem_)) {
    const DecisionGraph graph = decision_graph(instance_[0], test_neighbours(6));
    BatchSpec spec;
    spec.config = model.config;
    spec.loop.steps = 5;
    spec.loop.samples = 9;
    if (round++ > 0) {  // the first model samples alone, the others with local search
      for (const std::string_view name : searches_of(problem_, GetParam().engine)) {
        if (supports(name, *instance_[0])) {
          spec.loop.local_search.name = name;
        }
      }
    }
    spec.keep_samples = true;
    spec.track_entropy = true;
    spec.graphs = {&graph};
    spec.weights = {{model.weights, 0.0f, {}}};
    spec.trajectories = {{0, 0, stream_key(1, 0, 0), 0, nullptr}};
    const auto batch = engine->create(spec);
    batch->begin();
    std::vector<double> seen;
    for (int k = 0; k < spec.loop.steps; ++k) {
      batch->sample();
      const TrajectorySnapshot now = batch->snapshot(0);
      ASSERT_EQ(now.samples.size(), 9u);
      for (std::size_t s = 0; s < now.samples.size(); ++s) {
        Solution solution{now.samples[s]};
        if (problem_.solution_shape() == SolutionShape::subset) {
          std::sort(solution.items.begin(), solution.items.end());
        }
        const CheckResult check = test::check_items(graph, solution);
        ASSERT_TRUE(check.feasible) << check.violation;
        EXPECT_NEAR(now.sample_costs[s], check.cost, 1e-9 * std::abs(check.cost));
        expect_maximal(graph, solution);
        seen.push_back(now.sample_costs[s]);
      }
      std::sort(seen.begin(), seen.end());
      ASSERT_EQ(now.elite_costs.size(), std::min<std::size_t>(seen.size(), 32));
      EXPECT_TRUE(std::equal(now.elite_costs.begin(), now.elite_costs.end(), seen.begin()));
      const TrajectoryStatus status = batch->status()[0];
      EXPECT_EQ(status.best_cost, seen.front());
      const double elite_sum = std::accumulate(now.elite_costs.begin(), now.elite_costs.end(), 0.0);
      EXPECT_NEAR(status.elite_cost, elite_sum / static_cast<double>(now.elite_costs.size()),
                  1e-9 * std::abs(elite_sum));
      EXPECT_TRUE(std::isfinite(status.entropy));
      EXPECT_GE(status.entropy, -1e-9);
      for (const auto* values : {&now.theta, &now.gradient, &now.momenta, &now.global_features}) {
        for (const float value : *values) {
          ASSERT_TRUE(std::isfinite(value));
        }
      }
      batch->update();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ProblemConformance, ::testing::ValuesIn(settings()), [](const auto& setting) {
  return test::plain(setting.param.instance.make()->problem().name()) + setting.param.instance.name +
         (setting.param.engine == EngineKind::cuda ? "_cuda" : "");
});

}  // namespace
}  // namespace moco
