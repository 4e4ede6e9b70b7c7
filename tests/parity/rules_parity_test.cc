// Every rule with every beginning on both engines. Rules with pheromones add up the same floats in the same order, so
// their whole searches agree without a hint; the others are compared step by step.
#include <cstdint>

#include "parity/side_by_side.h"

namespace moco::parity {
namespace {

LoopOptions loop_of(int samples = 9, int neighbours = 6) {
  LoopOptions loop;
  loop.steps = 6;
  loop.samples = samples;
  loop.problem.set("neighbours", neighbours);
  return loop;
}

ModelConfig parts_of_model(const std::string& family, Initialisation init, UpdateRule rule, int hidden = 32) {
  ModelConfig config = config_of(family, hidden);
  config.init = init;
  config.rule = rule;
  config.global_pooling = GlobalPooling::mean;
  config.gradient_scale = 100.0;
  config.evaporation = 0.3;
  config.elitist_weight = rule == UpdateRule::ant_system ? 0.75 : 0.0;
  config.trail_weight = 1.25;
  config.visibility_weight = has_pheromones(rule) ? 0.5 : 1.0;
  return config;
}

InstancePtr instance_of(const std::string& family, Index nodes, std::uint64_t index = 0) {
  return family == "tsp" ? uniform_tsp(nodes, index) : random_graph(nodes, 0.15, index);
}

InstancePtr weighted_graph(Index nodes, std::uint64_t index = 0) {
  GeneratorOptions options = test_generator("er", nodes);
  options.own.set("probability", 0.1);
  options.own.set("weights", "uniform");
  return generate(options, index);
}

InstancePtr one_way_tsp(Index nodes) {
  std::vector<double> matrix;
  for (Index i = 0; i < nodes * nodes; ++i) {
    matrix.push_back(i % (nodes + 1) == 0 ? 0.0 : 1.0 + (i * 37) % 101);
  }
  return std::make_shared<TspInstance>("one-way", nodes, matrix);
}

using PartsOfAModel = std::tuple<std::string, Initialisation, UpdateRule>;

class Rules : public ::testing::TestWithParam<PartsOfAModel> {};

TEST_P(Rules, StepsAgreeInRaggedBatches) {
  MOCO_NEEDS_DEVICE();
  const auto& [family, init, rule] = GetParam();
  TestBatch setup(parts_of_model(family, init, rule), loop_of());
  for (const Index n : {31, 8, 60}) {
    setup.add(instance_of(family, n, static_cast<std::uint64_t>(n)), n % 3 + 1);
  }
  perturb_weights(setup);
  run_side_by_side(setup.spec, 4, 2e-3);
}

TEST_P(Rules, AnchoredAndUndirectedUnderLocalSearchAgree) {
  MOCO_NEEDS_DEVICE();
  const auto& [family, init, rule] = GetParam();
  ModelConfig config = parts_of_model(family, init, rule);
  config.theta_update = ThetaUpdate::anchored;
  config.membership = Membership::undirected;
  LoopOptions loop = loop_of();
  loop.local_search.name = family == "tsp" ? "2opt" : "swap12";
  loop.gradient = GradientKind::causal;
  TestBatch setup(config, loop);
  setup.add(instance_of(family, 40), 2);
  run_side_by_side(setup.spec, 4, 2e-3, 2);
}

TEST_P(Rules, RetiredTrajectoriesStay) {
  MOCO_NEEDS_DEVICE();
  const auto& [family, init, rule] = GetParam();
  TestBatch setup(parts_of_model(family, init, rule), loop_of());
  setup.add(instance_of(family, 30), 3);
  const auto batch = make_cuda_engine()->create_cuda(setup.spec);
  batch->begin();
  batch->sample();
  const std::vector<float> stays = batch->theta(1);
  const std::vector<float> goes_on = batch->theta(2);
  batch->retire(1);
  batch->advance(5);
  EXPECT_EQ(stays, batch->theta(1));
  EXPECT_NE(goes_on, batch->theta(2));
}

TEST_P(Rules, RepeatedSearchesAreTheSame) {
  MOCO_NEEDS_DEVICE();
  const auto& [family, init, rule] = GetParam();
  TestBatch setup(parts_of_model(family, init, rule), loop_of());
  setup.add(instance_of(family, 50), 2);
  const auto batch = make_cuda_engine()->create_cuda(setup.spec);
  std::vector<std::vector<float>> theta;
  for (int run = 0; run < 2; ++run) {  // of one batch: nothing is left of the first
    batch->begin();
    batch->sample();
    batch->advance(20);
    theta.push_back(batch->theta(1));
  }
  EXPECT_EQ(theta[0], theta[1]);
}

std::string name_of_parts(const ::testing::TestParamInfo<PartsOfAModel>& parts) {
  const auto& [family, init, rule] = parts.param;
  std::string name = family + "_" + std::string(name_of(init)) + "_" + std::string(name_of(rule));
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Rules,
                         ::testing::Combine(::testing::Values("tsp", "mis"),
                                            ::testing::Values(Initialisation::learned, Initialisation::heuristic,
                                                              Initialisation::visibility, Initialisation::uniform),
                                            ::testing::Values(UpdateRule::gnn, UpdateRule::mlp, UpdateRule::adam,
                                                              UpdateRule::ant_system, UpdateRule::max_min)),
                         name_of_parts);

/// Runs a search on both engines, each by itself; all samples and θ are the same to the last bit.
void expect_same_search(const BatchSpec& spec, int steps) {
  const auto engine = make_cpu_engine(2);
  const auto cpu = engine->create(spec);
  const auto cuda = make_cuda_engine({.precision = CudaPrecision::float32})->create_cuda(spec);
  cpu->begin();
  cuda->begin();
  for (int step = 0; step < steps; ++step) {
    for (std::size_t t = 0; t < spec.trajectories.size(); ++t) {
      ASSERT_EQ(cpu->theta(t), cuda->theta(t)) << "step " << step << ", trajectory " << t;
    }
    cpu->sample();
    cuda->sample();
    for (std::size_t t = 0; t < spec.trajectories.size(); ++t) {
      expect_same_step(cpu->snapshot(t), cuda->snapshot(t), "step " + std::to_string(step));
      if (::testing::Test::HasFatalFailure()) {
        return;
      }
    }
    cpu->update();
    cuda->update();
  }
}

class Ants : public ::testing::TestWithParam<UpdateRule> {};

// 60 steps: of max–min two deposit the best tour so far.
TEST_P(Ants, WholeSearchesAreTheSame) {
  MOCO_NEEDS_DEVICE();
  for (const bool improves : {false, true}) {
    LoopOptions loop = loop_of(5);
    loop.steps = 60;
    loop.local_search.name = improves ? "oropt" : "";
    TestBatch tours(parts_of_model("tsp", Initialisation::visibility, GetParam()), loop);
    tours.add(uniform_tsp(40), 2).add(one_way_tsp(23)).add(uniform_tsp(2, 1)).add(uniform_tsp(1)).add(uniform_tsp(3));
    expect_same_search(tours.spec, loop.steps);
    loop.local_search.name = improves ? "swap12" : "";
    TestBatch sets(parts_of_model("mis", Initialisation::heuristic, GetParam()), loop);
    sets.add(random_graph(70), 2).add(weighted_graph(90, 1)).add(random_graph(1)).add(random_graph(33, 0.0));
    expect_same_search(sets.spec, loop.steps);
  }
}

TEST_P(Ants, VariablesOfSeveralThreadBlocksAgree) {
  MOCO_NEEDS_DEVICE();
  TestBatch tours(parts_of_model("tsp", Initialisation::visibility, GetParam()), loop_of(33, 20));
  tours.add(uniform_tsp(500), 1).add(uniform_tsp(205, 1), 1);
  expect_same_search(tours.spec, 4);
  TestBatch sets(parts_of_model("mis", Initialisation::uniform, GetParam()), loop_of(7));
  sets.add(random_graph(9000, 0.001), 1);
  expect_same_search(sets.spec, 4);
}

TEST_P(Ants, MoreSamplesThanThreadsAgree) {
  MOCO_NEEDS_DEVICE();
  TestBatch setup(parts_of_model("tsp", Initialisation::visibility, GetParam()), loop_of(600));
  setup.add(uniform_tsp(20), 2);
  expect_same_search(setup.spec, 4);
}

TEST_P(Ants, WarmStartsAreTheBestSoFar) {
  MOCO_NEEDS_DEVICE();
  TestBatch setup(parts_of_model("tsp", Initialisation::visibility, GetParam()), loop_of(3));
  setup.add(uniform_tsp(30), 2);
  const auto engine = make_cpu_engine(1);
  const auto finder = engine->create(setup.spec);
  finder->begin();
  finder->sample();
  finder->advance(40);
  const Solution tour = finder->best_solution(0);
  setup.spec.trajectories[0].warm_start = &tour;
  expect_same_search(setup.spec, 30);
}

INSTANTIATE_TEST_SUITE_P(Rules, Ants, ::testing::Values(UpdateRule::ant_system, UpdateRule::max_min));

/// An optimizer whose rows do not grow from layer to layer, so that rounding does not either, and whose decoder adds up
/// what they hold, so that nothing cancels.
TestBatch optimizer_batch(const ModelConfig& config) {
  TestBatch setup(config, loop_of());
  for (float& weight : setup.model.weights) {
    weight *= config.blocks > 3 ? 0.3f : 1.0f;
  }
  const ParameterLayout layout(config);
  const TensorSpec& decoder = layout.at("update.variable_decoder.w");
  for (std::size_t i = 0; i < decoder.size(); ++i) {
    float& weight = setup.model.weights[decoder.offset + i];
    weight = std::abs(weight) + 0.1f;
  }
  return setup;
}

class Optimizers : public ::testing::TestWithParam<std::tuple<int, int>> {};

// Up to 16 matrices, which shared memory does not always hold together.
TEST_P(Optimizers, OfAnySizeAgree) {
  MOCO_NEEDS_DEVICE();
  const auto& [hidden, blocks] = GetParam();
  for (const ThetaUpdate update : {ThetaUpdate::absolute, ThetaUpdate::residual}) {
    ModelConfig config = parts_of_model("tsp", Initialisation::heuristic, UpdateRule::mlp, hidden);
    config.blocks = blocks;
    config.theta_update = update;
    TestBatch setup = optimizer_batch(config);
    setup.add(uniform_tsp(50), 1).add(uniform_tsp(21, 1), 1);  // 300 and 126 variables: tiles that are not full
    run_side_by_side(setup.spec, 3, 2e-3);
  }
}

TEST_P(Optimizers, InBf16AreClose) {
  MOCO_NEEDS_DEVICE();
  const auto& [hidden, blocks] = GetParam();
  ModelConfig config = parts_of_model("tsp", Initialisation::heuristic, UpdateRule::mlp, hidden);
  config.blocks = blocks;
  TestBatch setup = optimizer_batch(config);
  setup.add(uniform_tsp(50), 1).add(uniform_tsp(210, 1), 2);
  perturb_weights(setup);
  std::vector<std::vector<float>> theta;
  for (const CudaPrecision precision : {CudaPrecision::float32, CudaPrecision::bf16}) {
    const auto batch = make_cuda_engine({.precision = precision})->create_cuda(setup.spec);
    batch->begin();
    batch->sample();
    batch->update();
    for (std::size_t t = 0; t < 3; ++t) {
      theta.push_back(batch->theta(t));
    }
  }
  for (std::size_t t = 0; t < 3; ++t) {
    const ThetaDeviation seen = theta_deviation(theta[t], theta[3 + t]);
    EXPECT_LT(seen.shape, 0.05) << t;
    EXPECT_NEAR(seen.factor, 1.0, 0.05) << t;
  }
}

/// Before the second step no share of any budget is spent, so that a budget told after the first one has been told all
/// along.
TEST(Optimizer, SeesABudgetThatIsToldOnTheWay) {
  MOCO_NEEDS_DEVICE();
  TestBatch setup(parts_of_model("tsp", Initialisation::heuristic, UpdateRule::mlp), loop_of());
  setup.add(uniform_tsp(30), 2);
  const auto engine = make_cuda_engine();
  const auto theta_told = [&](int first, int on_the_way) {
    setup.spec.loop.budget_steps = first;
    const auto batch = engine->create(setup.spec);
    batch->begin();
    batch->sample();
    if (on_the_way > 0) {
      batch->set_budget(on_the_way);
    }
    batch->advance(5);
    return batch->theta(1);
  };
  EXPECT_EQ(theta_told(0, 40), theta_told(40, 0));
  EXPECT_NE(theta_told(0, 40), theta_told(0, 0));
}

INSTANTIATE_TEST_SUITE_P(Sizes, Optimizers,
                         ::testing::Combine(::testing::Values(8, 32, 40, 128), ::testing::Values(1, 3, 16)));

}  // namespace
}  // namespace moco::parity
