// A batch as a whole: independence of threads, batching and slicing; momenta; warm starts; perturbed weights; updates
// of θ.
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "moco/core/noise.h"
#include "moco/engine/cpu/cpu_engine.h"
#include "moco/engine/cpu/trajectory.h"
#include "moco/engine/feature_rows.h"
#include "moco/engine/features.h"
#include "moco/error.h"
#include "moco/generate.h"
#include "moco/search/algorithm.h"
#include "options.h"
#include "run_batch.h"

namespace moco {
namespace {

using test::expect_same;
using test::run_batch;

ModelConfig small_config(const std::string& problem, UpdateRule rule) {
  ModelConfig config;
  config.family = problem;
  config.rule = rule;
  config.init = usual_init(rule, problem);
  config.hidden = 16;
  return config;
}

InstancePtr instance_of(const std::string& problem, Index nodes, std::uint64_t index = 0) {
  GeneratorOptions generator = test_generator(problem == "tsp" ? "uniform" : "er");
  generator.nodes = nodes;
  return generate(generator, index);
}

struct Fixture {
  Fixture(const std::string& problem, UpdateRule rule, const std::vector<Index>& sizes, int restarts) {
    model = random_model(small_config(problem, rule), 5);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      graphs.push_back(decision_graph(instance_of(problem, sizes[i], i), test_neighbours(6)));
    }
    spec.config = model.config;
    spec.loop.samples = 7;
    spec.loop.steps = 6;
    spec.keep_samples = true;
    spec.weights = {{model.weights, 0.0f, {}}};
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      spec.graphs.push_back(&graphs[i]);
      const std::vector<Index> starts = start_nodes(sizes[i], restarts, 3, i);
      for (int r = 0; r < restarts; ++r) {
        const Index start = problem == "tsp" ? starts[static_cast<std::size_t>(r)] : 0;
        spec.trajectories.push_back({i, 0, stream_key(3, i, static_cast<std::uint64_t>(r)), start, nullptr});
      }
    }
  }

  Model model;
  std::vector<DecisionGraph> graphs;
  BatchSpec spec;
};

class BatchTest : public ::testing::TestWithParam<std::tuple<std::string, UpdateRule>> {
 protected:
  std::string problem() const { return std::get<0>(GetParam()); }
  UpdateRule rule() const { return std::get<1>(GetParam()); }
};

TEST_P(BatchTest, ThreadsAndBatchingDoNotChangeAnything) {
  const Fixture fixture(problem(), rule(), {23, 40}, 3);
  const auto reference = run_batch(fixture.spec, 1);
  for (const int threads : {2, 5}) {
    const auto other = run_batch(fixture.spec, threads);
    for (std::size_t t = 0; t < reference.size(); ++t) {
      expect_same(reference[t], other[t]);
    }
  }
  for (std::size_t t = 0; t < reference.size(); ++t) {
    BatchSpec one = fixture.spec;
    one.trajectories = {fixture.spec.trajectories[t]};
    expect_same(reference[t], run_batch(one, 2)[0]);
  }
}

TEST_P(BatchTest, MomentaAreTheAveragesOfTheGradient) {
  const Fixture fixture(problem(), rule(), {15}, 1);
  const auto engine = make_cpu_engine(1);
  const auto batch = engine->create(fixture.spec);
  batch->begin();
  std::vector<std::vector<double>> expected(kMomenta);
  for (int k = 0; k < 5; ++k) {
    batch->sample();
    const TrajectorySnapshot now = batch->snapshot(0);
    for (std::size_t m = 0; m < kMomenta; ++m) {
      expected[m].resize(now.gradient.size());
      const double beta = std::vector<double>{0.1, 0.5, 0.9, 0.99, 0.999, 0.9999}[m];
      for (std::size_t v = 0; v < now.gradient.size(); ++v) {
        expected[m][v] = beta * expected[m][v] + (1.0 - beta) * static_cast<double>(now.gradient[v]);
        EXPECT_NEAR(static_cast<double>(now.momenta[m * now.gradient.size() + v]), expected[m][v], 1e-6);
      }
    }
    batch->update();
  }
}

TEST_P(BatchTest, NetworksAreToldTheStepsOfTheSearchOrAnotherBudget) {
  Fixture fixture(problem(), rule(), {15}, 1);
  const auto engine = make_cpu_engine(1);
  for (const auto& [told, budget] : {std::pair{0, fixture.spec.loop.steps}, {2, 2}, {100, 100}}) {
    fixture.spec.loop.budget_steps = told;
    const auto batch = engine->create(fixture.spec);
    batch->begin();
    batch->sample();
    for (int k = 0; k < 3; ++k) {
      EXPECT_FLOAT_EQ(batch->snapshot(0).global_features.back(), static_cast<float>(k) / static_cast<float>(budget));
      batch->advance(1);
    }
  }
}

TEST_P(BatchTest, TheBudgetMayChangeOnTheWay) {
  Fixture fixture(problem(), rule(), {15}, 2);
  const auto engine = make_cpu_engine(1);
  const auto batch = engine->create(fixture.spec);
  batch->begin();
  batch->sample();
  batch->advance(2);
  batch->set_budget(8);
  for (const std::size_t t : {0u, 1u}) {
    EXPECT_FLOAT_EQ(batch->snapshot(t).global_features.back(), 2.0f / 8.0f);
  }
  const auto other = engine->create(fixture.spec);
  other->begin();
  other->sample();
  other->advance(2);
  batch->update();
  other->update();
  if (problem() == "tsp" && rule() == UpdateRule::gnn) {  // the other network's θ lies at the bound
    EXPECT_NE(batch->theta(0), other->theta(0)) << "the network sees it";
  }
}

TEST_P(BatchTest, WarmStartEntersTheElite) {
  Fixture fixture(problem(), rule(), {12}, 1);
  const auto engine = make_cpu_engine(1);
  fixture.spec.loop.samples = 200;
  auto batch = engine->create(fixture.spec);
  batch->begin();
  batch->sample();
  const Solution good = batch->best_solution(0);
  const double cost = batch->status()[0].best_cost;
  fixture.spec.loop.samples = 1;
  fixture.spec.trajectories[0].warm_start = &good;
  batch = engine->create(fixture.spec);
  batch->begin();
  batch->sample();
  EXPECT_LE(batch->status()[0].best_cost, cost);
  EXPECT_EQ(batch->snapshot(0).elite_costs.size(), 2u);
}

TEST_P(BatchTest, EmptyEliteSlotsHaveNoMembersAndGapOne) {
  Fixture fixture(problem(), rule(), {12}, 1);
  fixture.spec.loop.samples = 1;
  const auto engine = make_cpu_engine(1);
  const auto batch = engine->create(fixture.spec);
  batch->begin();
  batch->sample();
  const TrajectorySnapshot now = batch->snapshot(0);
  for (const std::uint32_t mask : now.membership) {
    EXPECT_LE(mask, 1u);
  }
  EXPECT_EQ(now.global_features[0], 0.0f);
  EXPECT_EQ(now.global_features[1], 1.0f);
  for (const float g : now.gradient) {
    EXPECT_EQ(g, 0.0f) << "a single sample has no advantage over its own mean";
  }
}

INSTANTIATE_TEST_SUITE_P(Problems, BatchTest,
                         ::testing::Combine(::testing::Values("tsp", "mis"),
                                            ::testing::Values(UpdateRule::gnn, UpdateRule::mlp, UpdateRule::adam,
                                                              UpdateRule::ant_system, UpdateRule::max_min)));

TEST(PerturbedWeights, AreBasePlusSigmaTimesNoise) {
  Fixture fixture("tsp", UpdateRule::gnn, {15}, 1);
  const StreamKey key = stream_key(8, 1, 2);
  std::vector<float> shifted = fixture.model.weights;
  for (std::size_t i = 0; i < shifted.size(); ++i) {
    const volatile float step =
        -0.01f * normal_noise(key, i);  // rounded before it is added, whatever the compiler fuses
    shifted[i] += step;
  }
  BatchSpec by_noise = fixture.spec;
  by_noise.weights = {{fixture.model.weights, -0.01f, key}};
  BatchSpec by_hand = fixture.spec;
  by_hand.weights = {{shifted, 0.0f, {}}};
  expect_same(run_batch(by_noise, 1)[0], run_batch(by_hand, 1)[0]);
}

TEST(PerturbedWeights, EachTrajectoryHasItsOwn) {
  Fixture fixture("tsp", UpdateRule::gnn, {25}, 2);
  fixture.spec.weights = {{fixture.model.weights, 0.01f, stream_key(8, 1, 2)},
                          {fixture.model.weights, 0.01f, stream_key(8, 1, 3)}};
  fixture.spec.trajectories[1] = fixture.spec.trajectories[0];
  fixture.spec.trajectories[1].weights = 1;
  const auto both = run_batch(fixture.spec, 2);
  EXPECT_NE(both[0].theta, both[1].theta);
  BatchSpec second = fixture.spec;
  second.trajectories = {fixture.spec.trajectories[1]};
  expect_same(run_batch(second, 1)[0], both[1]);
}

/// θ⁰ … θ^updates of the first trajectory.
std::vector<std::vector<float>> thetas_of(BatchSpec spec, ThetaUpdate update, int updates) {
  spec.config.theta_update = update;
  const auto engine = make_cpu_engine(1);
  const auto batch = engine->create(spec);
  batch->begin();
  std::vector<std::vector<float>> thetas = {batch->theta(0)};
  for (int k = 0; k < updates; ++k) {
    batch->sample();
    batch->update();
    thetas.push_back(batch->theta(0));
  }
  return thetas;
}

TEST(ThetaUpdates, StepByWhatTheNetworkDecodes) {
  for (const char* problem : {"tsp", "mis"}) {
    const Fixture fixture(problem, UpdateRule::gnn, {15}, 1);
    const std::vector<float> absolute = thetas_of(fixture.spec, ThetaUpdate::absolute, 1)[1];  // θ̃/α
    for (const auto& [update, length] :
         {std::pair{ThetaUpdate::residual, kThetaStep}, std::pair{ThetaUpdate::anchored, kAnchoredStep}}) {
      const auto thetas = thetas_of(fixture.spec, update, 1);
      const std::vector<float>& first = thetas[0];
      const std::vector<float>& moved = thetas[1];  // (θ⁰ + length·θ̃)/2α
      // With variables v and unknown α: 2α·moved − length·α·absolute = θ⁰; α from one, checked on all.
      const double alpha = static_cast<double>(first[0]) / (2.0 * moved[0] - length * absolute[0]);
      EXPECT_GT(alpha, 0.0);
      EXPECT_LT(alpha, 1.0);
      for (std::size_t v = 0; v < first.size(); ++v) {
        EXPECT_NEAR(alpha * (2.0 * moved[v] - length * absolute[v]), first[v], 1e-4 * (1.0 + std::abs(first[v])));
      }
    }
  }
}

TEST(ThetaUpdates, StartFromThePresentThetaOrFromTheFirst) {
  Fixture fixture("tsp", UpdateRule::gnn, {15}, 1);
  const ParameterLayout layout(fixture.model.config);
  for (const char* name : {"update.edge_decoder.w", "update.edge_decoder.b", "update.global_decoder.w"}) {
    const TensorSpec& tensor = layout.at(name);
    std::fill_n(fixture.model.weights.begin() + static_cast<std::ptrdiff_t>(tensor.offset), tensor.size(), 0.0f);
  }
  fixture.model.weights[layout.at("update.global_decoder.b").offset] = 0.3f;
  fixture.spec.weights = {{fixture.model.weights, 0.0f, {}}};
  const float divisor = 2.0f * alpha_of(0.3f);
  const auto residual = thetas_of(fixture.spec, ThetaUpdate::residual, 2);
  const auto anchored = thetas_of(fixture.spec, ThetaUpdate::anchored, 2);
  for (std::size_t v = 0; v < residual[0].size(); ++v) {
    EXPECT_FLOAT_EQ(residual[2][v], residual[0][v] / divisor / divisor);
    EXPECT_FLOAT_EQ(anchored[2][v], anchored[0][v] / divisor);
  }
}

TEST(EliteRules, TheSearchMayAskForAnotherThanTheModels) {
  Fixture fixture("mis", UpdateRule::gnn, {6}, 1);
  fixture.spec.loop.samples = 16;
  const auto elite_of = [&](std::optional<EliteRule> search, EliteRule model) {
    fixture.spec.loop.elite = search;
    fixture.spec.config.elite = model;
    return run_batch(fixture.spec, 1)[0].elite_costs;
  };
  EXPECT_EQ(elite_of({}, EliteRule::paper).size(), 32u);
  const auto distinct = elite_of({}, EliteRule::distinct);
  EXPECT_LT(distinct.size(), 32u) << "six nodes have few maximal sets";
  EXPECT_EQ(elite_of(EliteRule::distinct, EliteRule::paper), distinct);
  EXPECT_EQ(elite_of(EliteRule::newest, EliteRule::paper), distinct) << "an elite that never fills drops nothing";
  EXPECT_EQ(elite_of(EliteRule::paper, EliteRule::newest).size(), 32u);
}

TEST(EliteRules, ATourAndItsReverseCountOnce) {
  Fixture fixture("tsp", UpdateRule::gnn, {5}, 1);
  fixture.spec.loop.samples = 128;
  fixture.spec.loop.elite = EliteRule::distinct;
  EXPECT_LE(run_batch(fixture.spec, 1)[0].elite_costs.size(), 12u) << "five cities have 4!/2 tours";
}

std::unique_ptr<Batch> begun(Engine& engine, const BatchSpec& spec) {
  std::unique_ptr<Batch> batch = engine.create(spec);
  batch->begin();
  batch->sample();
  return batch;
}

TEST(OwnUpdates, AThetaSetIsWhatTheNextSamplesAreDrawnFrom) {
  for (const std::string problem : {"tsp", "mis"}) {
    const Fixture fixture(problem, UpdateRule::gnn, {12, 9}, 1);
    const auto engine = make_cpu_engine(1);
    const auto by_model = begun(*engine, fixture.spec);
    const auto by_hand = begun(*engine, fixture.spec);
    by_model->update();
    for (const std::size_t t : {0u, 1u}) {
      by_hand->set_theta(t, by_model->theta(t));
    }
    by_model->sample();
    by_hand->sample();
    for (const std::size_t t : {0u, 1u}) {
      expect_same(by_model->snapshot(t), by_hand->snapshot(t));
    }
    std::vector<float> wild = by_hand->theta(0);
    wild[0] = std::numeric_limits<float>::quiet_NaN();
    by_hand->set_theta(0, wild);
    EXPECT_EQ(by_hand->theta(0)[0], 0.0f);
    wild.pop_back();
    EXPECT_THROW(by_hand->set_theta(0, wild), OptionError);
  }
}

TEST(PartialSamples, AreNoneForRulesWithPheromones) {
  for (const std::string problem : {"tsp", "mis"}) {
    const auto engine = make_cpu_engine(1);
    Fixture ants(problem, UpdateRule::ant_system, {12}, 1);
    ants.spec.loop.rebuild = 4;
    EXPECT_THROW(engine->create(ants.spec), OptionError);
    Fixture network(problem, UpdateRule::gnn, {12}, 1);
    network.spec.loop.rebuild = 4;
    const auto batch = begun(*engine, network.spec);
    EXPECT_THROW(batch->set_model(small_config(problem, UpdateRule::max_min), {}), OptionError);
  }
}

TEST(OwnUpdates, AnotherModelGoesOnWhereTheFirstStopped) {
  for (const std::string problem : {"tsp", "mis"}) {
    Fixture fixture(problem, UpdateRule::gnn, {12}, 1);
    const auto engine = make_cpu_engine(1);
    const auto same = begun(*engine, fixture.spec);
    const auto changed = begun(*engine, fixture.spec);
    changed->set_model(fixture.model.config, fixture.model.weights);
    same->update();
    changed->update();
    EXPECT_EQ(same->theta(0), changed->theta(0)) << "the model that it had";

    ModelConfig other = small_config(problem, UpdateRule::gnn);
    other.theta_update = ThetaUpdate::anchored;
    const Model second = random_model(other, 9);
    const std::vector<float> before = changed->theta(0);
    changed->set_model(second.config, second.weights);
    changed->update();
    EXPECT_NE(changed->theta(0), before);
    for (const UpdateRule rule : {UpdateRule::adam, UpdateRule::ant_system, UpdateRule::max_min}) {
      changed->set_model(small_config(problem, rule), {});
      changed->sample();
      changed->update();
      for (const float theta : changed->theta(0)) {
        EXPECT_TRUE(std::isfinite(theta));
      }
    }
    EXPECT_THROW(changed->set_model(small_config(problem == "tsp" ? "mis" : "tsp", UpdateRule::adam), {}), OptionError);
  }
}

/// What an array shows, row after row.
template <typename Value>
std::vector<Value> values_of(const ArrayView& view) {
  std::vector<Value> values;
  for (std::size_t row = 0; row < view.rows; ++row) {
    const Value* first = static_cast<const Value*>(view.data) + row * view.row_stride;
    values.insert(values.end(), first, first + view.columns);
  }
  return values;
}

TEST(Arrays, AreTheSearchsOwnAndFollowIt) {
  for (const std::string problem : {"tsp", "mis"}) {
    for (const UpdateRule rule : {UpdateRule::gnn, UpdateRule::adam}) {
      const Fixture fixture(problem, rule, {12, 9}, 2);
      const auto engine = make_cpu_engine(1);
      const auto batch = begun(*engine, fixture.spec);
      const std::size_t last = fixture.spec.trajectories.size() - 1;
      const ArrayView theta = batch->array(SearchArray::theta, last);
      const ArrayView gradient = batch->array(SearchArray::gradient, last);
      const ArrayView momenta = batch->array(SearchArray::momenta, last);
      const ArrayView membership = batch->array(SearchArray::membership, last);
      EXPECT_EQ(theta.device, kHostMemory);
      EXPECT_EQ(momenta.rows, static_cast<std::size_t>(kMomenta));
      const auto expect_current = [&] {
        const TrajectorySnapshot now = batch->snapshot(last);
        EXPECT_EQ(values_of<float>(theta), now.theta);
        EXPECT_EQ(values_of<float>(gradient), now.gradient);
        EXPECT_EQ(values_of<float>(momenta), now.momenta);
        EXPECT_EQ(values_of<std::uint32_t>(membership), now.membership);
      };
      expect_current();
      for (int i = 0; i < 3; ++i) {
        batch->update();
        batch->sample();
        expect_current();
      }
      batch->set_theta(last, std::vector<float>(theta.columns, 0.5f));
      expect_current();
      batch->set_model(small_config(problem, UpdateRule::adam), {});
      batch->update();
      expect_current();
      batch->begin();
      expect_current();
      EXPECT_EQ(values_of<float>(gradient), std::vector<float>(theta.columns, 0.0f)) << "of no samples";
      EXPECT_EQ(values_of<std::uint32_t>(membership), std::vector<std::uint32_t>(theta.columns, 0u));
    }
  }
}

TEST(Arrays, ValuesOnADeviceAreRefusedWithoutOne) {
  const Fixture fixture("tsp", UpdateRule::gnn, {12}, 1);
  const auto engine = make_cpu_engine(1);
  const auto batch = begun(*engine, fixture.spec);
  EXPECT_THROW(batch->set_theta_from_device(0, batch->theta(0)), OptionError);
}

TEST(Elite, IsShownBestFirst) {
  const Fixture fixture("tsp", UpdateRule::gnn, {12}, 1);
  const auto engine = make_cpu_engine(1);
  const auto batch = begun(*engine, fixture.spec);
  const std::vector<Solution> elite = batch->elite(0);
  const std::vector<double> costs = batch->snapshot(0).elite_costs;
  ASSERT_EQ(elite.size(), costs.size());
  for (std::size_t i = 0; i < elite.size(); ++i) {
    EXPECT_NEAR(fixture.graphs[0].instance->check(elite[i]).cost, costs[i], 1e-9);
  }
  EXPECT_EQ(elite.front(), batch->best_solution(0));
}

/// The rows that the CPU engine's networks see, for comparison.
TEST(FeatureRows, AreWhatTheNetworksSee) {
  for (const bool crowding : {false, true}) {
    Fixture fixture("mis", UpdateRule::gnn, {20}, 1);
    fixture.spec.config.crowding = crowding;
    fixture.spec.config.node_weights = crowding;
    fixture.spec.config.gradient_scale = 3.0;
    fixture.model = random_model(fixture.spec.config, 5);
    fixture.spec.weights = {{fixture.model.weights, 0.0f, {}}};
    const auto engine = make_cpu_engine(1);
    const auto batch = begun(*engine, fixture.spec);
    const DecisionGraph& graph = fixture.graphs[0];
    const TrajectorySnapshot snapshot = batch->snapshot(0);
    const auto construction = graph.instance->problem().construction(graph, {});
    const std::vector<float> rows = feature_rows(snapshot, graph, *construction, fixture.spec.config);
    const std::vector<std::string> names = variable_feature_names(fixture.spec.config);
    ASSERT_EQ(rows.size(), 20 * names.size());
    ASSERT_EQ(names.size(), static_cast<std::size_t>(variable_features(fixture.spec.config, true)));
    EXPECT_EQ(names[0], crowding ? "crowding" : "one");
    EXPECT_EQ(global_feature_names().size(), static_cast<std::size_t>(kGlobalFeatures));
    const auto column = [&](std::string_view name) {
      return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    };
    for (std::size_t v = 0; v < 20; ++v) {
      const float* row = rows.data() + v * names.size();
      EXPECT_EQ(row[column("theta")], snapshot.theta[v]);
      EXPECT_EQ(row[column("gradient")], 3.0f * snapshot.gradient[v]);
      EXPECT_EQ(row[column("momentum_0.99")], 3.0f * snapshot.momenta[3 * 20 + v]);
      EXPECT_EQ(row[column("elite_2")], static_cast<float>(snapshot.membership[v] >> 1 & 1u));
      EXPECT_TRUE(crowding || row[0] == 1.0f);
    }
  }
}

TEST(Crowding, CountsNeighboursInTheBestSolutions) {
  Fixture fixture("mis", UpdateRule::gnn, {30}, 1);
  const DecisionGraph& graph = fixture.graphs[0];
  cpu::TrajectoryState state(graph, fixture.spec.loop, EliteRule::distinct, stream_key(1, 2, 3), 0);
  SampleSet set;
  set.reshape(2, graph.nodes, graph.nodes, false);
  set.lengths = {1, 2};
  set.costs = {-1.0, -2.0};
  set.variables[set.row(0)] = 4;
  set.variables[set.row(1)] = 4;
  set.variables[set.row(1) + 1] = 9;
  state.elite.insert(set, 2);
  state.elite.membership(state.membership, {});
  state.set_crowding();
  for (Index v = 0; v < graph.nodes; ++v) {
    const auto* first = graph.targets.data() + graph.offsets[static_cast<std::size_t>(v)];
    const auto* last = graph.targets.data() + graph.offsets[static_cast<std::size_t>(v) + 1];
    const auto beside = [&](Index other) { return std::find(first, last, other) != last; };
    const float expected = (beside(4) ? 1.0f : 0.0f) + (beside(9) ? 0.5f : 0.0f);
    std::vector<float> row(kVariableFeatures);
    state.features(v, v + 1, 1.0f, row.data());
    EXPECT_EQ(row[0], expected) << v;
  }
}

TEST(Crowding, ReachesTheNetworkThatUpdates) {
  Fixture fixture("mis", UpdateRule::gnn, {30}, 1);
  const auto thetas_with = [&](bool crowding) {
    fixture.spec.config.crowding = crowding;
    return thetas_of(fixture.spec, ThetaUpdate::absolute, 1);
  };
  const auto plain = thetas_with(false);
  const auto crowded = thetas_with(true);
  EXPECT_EQ(plain[0], crowded[0]);
  EXPECT_NE(plain[1], crowded[1]);
}

/// A 30-node graph, its nodes with weights or without, under a model that sees them.
std::vector<std::vector<float>> thetas_by_weight(const std::string& weights) {
  GeneratorOptions generator = test_generator("er");
  generator.nodes = 30;
  generator.own.set("weights", weights);
  ModelConfig config = small_config("mis", UpdateRule::gnn);
  config.node_weights = true;
  const Model model = random_model(config, 5);
  const DecisionGraph graph = decision_graph(generate(generator));
  BatchSpec spec;
  spec.config = config;
  spec.loop.samples = 7;
  spec.graphs = {&graph};
  spec.weights = {{model.weights, 0.0f, {}}};
  spec.trajectories = {{0, 0, stream_key(3, 0, 0), 0, nullptr}};
  return thetas_of(spec, ThetaUpdate::absolute, 1);
}

TEST(NodeWeights, ReachBothNetworksOfAModelThatSeesThem) {
  const auto plain = thetas_by_weight("none");
  const auto weighted = thetas_by_weight("integer");
  EXPECT_NE(plain[0], weighted[0]);
  EXPECT_NE(plain[1], weighted[1]);
}

TEST(NodeWeights, DecideWhatTheEliteKeeps) {
  GeneratorOptions generator = test_generator("er");
  generator.nodes = 60;
  generator.own.set("weights", "integer");
  const auto instance = generate(generator);
  Fixture fixture("mis", UpdateRule::gnn, {60}, 1);
  fixture.graphs[0] = decision_graph(instance);
  fixture.spec.loop.samples = 40;
  for (const EliteRule rule : {EliteRule::paper, EliteRule::distinct, EliteRule::newest}) {
    fixture.spec.loop.elite = rule;
    fixture.spec.loop.steps = 1;
    const TrajectorySnapshot snapshot = run_batch(fixture.spec, 1)[0];
    std::vector<double> costs;
    for (std::size_t s = 0; s < snapshot.samples.size(); ++s) {
      costs.push_back(instance->check({snapshot.samples[s]}).cost);
      EXPECT_EQ(snapshot.sample_costs[s], costs.back());
    }
    std::ranges::sort(costs);
    ASSERT_EQ(snapshot.elite_costs.size(), 32u) << "no two of the sets are the same";
    EXPECT_TRUE(std::equal(snapshot.elite_costs.begin(), snapshot.elite_costs.end(), costs.begin()));
  }
}

TEST(Membership, UndirectedMarksBothDirectionsUnlessTheyDiffer) {
  Fixture fixture("tsp", UpdateRule::gnn, {25}, 1);
  fixture.spec.loop.steps = 1;
  const DecisionGraph& graph = fixture.graphs[0];
  const std::vector<std::uint32_t> directed = run_batch(fixture.spec, 1)[0].membership;
  fixture.spec.config.membership = Membership::undirected;
  const std::vector<std::uint32_t> both = run_batch(fixture.spec, 1)[0].membership;
  EXPECT_NE(both, directed);
  for (std::size_t e = 0; e < directed.size(); ++e) {
    const Index back = graph.reverse[e];
    if (back >= 0) {
      EXPECT_EQ(graph.targets[static_cast<std::size_t>(back)], static_cast<Index>(e) / graph.degree);
      EXPECT_EQ(graph.reverse[static_cast<std::size_t>(back)], static_cast<Index>(e));
    }
    EXPECT_EQ(both[e], directed[e] | (back < 0 ? 0u : directed[static_cast<std::size_t>(back)]));
  }
  fixture.graphs[0].symmetric = false;
  EXPECT_EQ(run_batch(fixture.spec, 1)[0].membership, directed);
}

TEST(Noise, IsStandardNormal) {
  double sum = 0.0;
  double squares = 0.0;
  double fourth = 0.0;
  double neighbours = 0.0;
  constexpr int kCount = 200000;
  float previous = 0.0f;
  for (std::uint64_t i = 0; i < kCount; ++i) {
    const float x = normal_noise(stream_key(1, 2, 3), i);
    sum += x;
    squares += x * x;
    fourth += static_cast<double>(x) * x * x * x;
    neighbours += static_cast<double>(x) * previous;
    previous = x;
  }
  EXPECT_NEAR(sum / kCount, 0.0, 0.01);
  EXPECT_NEAR(squares / kCount, 1.0, 0.015);
  EXPECT_NEAR(fourth / kCount, 3.0, 0.1);
  EXPECT_NEAR(neighbours / kCount, 0.0, 0.01);
}

TEST(Memory, EstimateGrowsLinearlyInRestarts) {
  const auto engine = make_cpu_engine(1);
  const Fixture small("tsp", UpdateRule::gnn, {200}, 10);
  const Fixture large("tsp", UpdateRule::gnn, {200}, 20);
  const Fixture larger("tsp", UpdateRule::gnn, {200}, 30);
  const auto a = engine->memory_need(small.spec).engine;
  const auto b = engine->memory_need(large.spec).engine;
  const auto c = engine->memory_need(larger.spec).engine;
  EXPECT_EQ(c - b, b - a);
  EXPECT_GT(b, a);
}

}  // namespace
}  // namespace moco
