// Ten steps of the loop in float32 on both engines, for every option of the loop and of the models.
#include "moco/engine/cuda/plan/batch_parts.h"
#include "parity/side_by_side.h"

namespace moco::parity {
namespace {

LoopOptions loop_of(int samples = 32, int neighbours = 8) {
  LoopOptions loop;
  loop.steps = 10;
  loop.samples = samples;
  loop.problem.set("neighbours", neighbours);
  return loop;
}

class TspLoop : public ::testing::TestWithParam<std::tuple<GradientKind, const char*, EliteRule>> {};

TEST_P(TspLoop, TenStepsAgree) {
  MOCO_NEEDS_DEVICE();
  LoopOptions loop = loop_of();
  const char* dead_end = nullptr;
  std::tie(loop.gradient, dead_end, loop.elite) = GetParam();
  loop.problem.set("dead_end", dead_end);
  TestBatch setup(config_of("tsp"), loop);
  setup.add(uniform_tsp(40), 2).add(uniform_tsp(25, 1));
  run_side_by_side(setup.spec, 10);
}

INSTANTIATE_TEST_SUITE_P(Options, TspLoop,
                         ::testing::Combine(::testing::Values(GradientKind::total, GradientKind::causal),
                                            ::testing::Values("nearest", "penalty"),
                                            ::testing::Values(EliteRule::paper, EliteRule::distinct)));

class MisLoop : public ::testing::TestWithParam<std::tuple<GradientKind, GcnVariant, EliteRule>> {};

TEST_P(MisLoop, TenStepsAgree) {
  MOCO_NEEDS_DEVICE();
  LoopOptions loop = loop_of();
  ModelConfig config = config_of("mis");
  std::tie(loop.gradient, config.gcn, loop.elite) = GetParam();
  TestBatch setup(config, loop);
  setup.add(random_graph(90), 2).add(random_graph(50, 0.05, 1));
  run_side_by_side(setup.spec, 10);
}

INSTANTIATE_TEST_SUITE_P(Options, MisLoop,
                         ::testing::Combine(::testing::Values(GradientKind::total, GradientKind::causal),
                                            ::testing::Values(GcnVariant::paper, GcnVariant::authors),
                                            ::testing::Values(EliteRule::paper, EliteRule::newest)));

class Pooling : public ::testing::TestWithParam<std::tuple<std::string, GlobalPooling>> {};

TEST_P(Pooling, Agrees) {
  MOCO_NEEDS_DEVICE();
  ModelConfig config = config_of(std::get<0>(GetParam()));
  config.global_pooling = std::get<1>(GetParam());
  TestBatch setup(config, loop_of());
  setup.add(config.family == "tsp" ? uniform_tsp(60) : random_graph(120), 2);
  run_side_by_side(setup.spec, 4, config.global_pooling == GlobalPooling::sum ? 2e-2 : 2e-4);
}

INSTANTIATE_TEST_SUITE_P(All, Pooling,
                         ::testing::Combine(::testing::Values("tsp", "mis"),
                                            ::testing::Values(GlobalPooling::sum, GlobalPooling::mean,
                                                              GlobalPooling::max)));

class Budget : public ::testing::TestWithParam<std::tuple<std::string, FusedUse>> {};

/// Before the second step no share of any budget is spent, so that a budget told after the first one has been told all
/// along.
TEST_P(Budget, TheDeviceSeesOneThatIsToldOnTheWay) {
  MOCO_NEEDS_DEVICE();
  ModelConfig config = config_of(std::get<0>(GetParam()));
  config.global_pooling = GlobalPooling::mean;
  config.theta_update = ThetaUpdate::residual;
  TestBatch setup(config, loop_of());
  setup.add(setup.spec.config.family == "tsp" ? uniform_tsp(30) : random_graph(60), 3);
  const auto engine = make_cuda_engine({.precision = CudaPrecision::float32, .fused = std::get<1>(GetParam())});
  const auto theta_told = [&](int first, int on_the_way) {
    setup.spec.loop.budget_steps = first;
    const auto batch = engine->create(setup.spec);
    batch->begin();
    batch->sample();
    if (on_the_way > 0) {
      batch->set_budget(on_the_way);
    }
    batch->advance(9);
    return std::vector{batch->theta(0), batch->theta(2)};
  };
  EXPECT_EQ(theta_told(0, 40), theta_told(40, 0));
  EXPECT_NE(theta_told(0, 40), theta_told(0, 0));
}

INSTANTIATE_TEST_SUITE_P(Programs, Budget,
                         ::testing::Combine(::testing::Values("tsp", "mis"),
                                            ::testing::Values(FusedUse::automatic, FusedUse::never)));

class FullSize : public ::testing::TestWithParam<std::string> {};

TEST_P(FullSize, UpdatesByStepsAgree) {
  MOCO_NEEDS_DEVICE();
  for (const ThetaUpdate update : {ThetaUpdate::residual, ThetaUpdate::anchored}) {
    ModelConfig config = config_of(GetParam(), 64);
    config.global_pooling = GlobalPooling::mean;
    config.theta_update = update;
    config.membership = Membership::undirected;
    config.gradient_scale = 100.0;
    config.crowding = config.family == "mis";
    TestBatch setup(config, loop_of());
    setup.add(config.family == "tsp" ? uniform_tsp(50) : random_graph(90), 2);
    run_side_by_side(setup.spec, 5, 2e-4);
  }
}

TEST_P(FullSize, NetworksOfTheShippedSizeAgree) {
  MOCO_NEEDS_DEVICE();
  const bool tsp = GetParam() == "tsp";
  TestBatch setup(config_of(GetParam(), 128), loop_of(32, 20));
  setup.add(tsp ? uniform_tsp(100) : random_graph(200), 3);
  run_side_by_side(setup.spec, 5);
}

INSTANTIATE_TEST_SUITE_P(All, FullSize, ::testing::Values("tsp", "mis"));

class Adam : public ::testing::TestWithParam<std::string> {};

TEST_P(Adam, Agrees) {
  MOCO_NEEDS_DEVICE();
  ModelConfig config = config_of(GetParam());
  config.rule = UpdateRule::adam;
  config.init = usual_init(config.rule, config.family);
  TestBatch setup(config, loop_of());
  setup.add(config.family == "tsp" ? uniform_tsp(60) : random_graph(120), 2);
  run_side_by_side(setup.spec, 10);
}

INSTANTIATE_TEST_SUITE_P(All, Adam, ::testing::Values("tsp", "mis"));

/// Instances of different sizes, one to three trajectories each.
TestBatch uneven_batch(const ModelConfig& config) {
  TestBatch setup(config, loop_of(4, 6));
  const bool tsp = config.family == "tsp";
  for (const Index n : {20, 31, 12, 25}) {
    setup.add(tsp ? uniform_tsp(n, static_cast<std::uint64_t>(n)) : random_graph(n), n % 3 + 1);
  }
  return setup;
}

TEST(Parts, KeepTheOrderAndOnlyWhatTheyNeed) {
  TestBatch setup = uneven_batch(config_of("tsp"));  // 3, 2, 1 and 2 trajectories
  setup.spec.weights = {{setup.model.weights, 0.0f, {}}, {setup.model.weights, 0.5f, {}}};
  setup.spec.trajectories.back().weights = 1;
  const std::vector<BatchSpec> parts = cuda::split(setup.spec, 3);
  ASSERT_EQ(parts.size(), 3u);
  std::size_t number = 0;
  for (const BatchSpec& part : parts) {
    EXPECT_EQ(part.config.family, "tsp");
    EXPECT_EQ(part.loop.samples, setup.spec.loop.samples);
    EXPECT_EQ(part.loop.problem, setup.spec.loop.problem);
    EXPECT_TRUE(part.keep_samples && part.track_entropy);
    for (const Trajectory& own : part.trajectories) {
      const Trajectory& given = setup.spec.trajectories[number++];
      EXPECT_EQ(part.graphs[own.graph], setup.spec.graphs[given.graph]) << number;
      EXPECT_EQ(part.weights[own.weights].sigma, setup.spec.weights[given.weights].sigma) << number;
      EXPECT_EQ(own.start, given.start) << number;
    }
  }
  EXPECT_EQ(number, setup.spec.trajectories.size());
  EXPECT_EQ(parts[0].graphs.size(), 1u);
  EXPECT_EQ(parts[1].graphs.size(), 2u);
  EXPECT_EQ(parts[2].weights.size(), 2u);
}

TEST(Parts, SuitTheBatch) {
  const auto parts = [](const char* problem, int trajectories, Index nodes, int asked = 0) {
    TestBatch setup(config_of(problem), loop_of(4, 20));
    setup.add(problem == std::string("tsp") ? uniform_tsp(nodes) : random_graph(nodes), trajectories);
    return cuda::parts_of(setup.spec, {.parts = asked});
  };
  EXPECT_EQ(parts("tsp", 1, 100), 1);
  EXPECT_EQ(parts("tsp", 32, 100), 1) << "the device is not full";
  EXPECT_EQ(parts("tsp", 256, 100), 4);
  EXPECT_EQ(parts("tsp", 256, 200), 2) << "a quarter does not stay in the cache";
  EXPECT_EQ(parts("mis", 15, 50), 1);
  EXPECT_EQ(parts("mis", 16, 50), 2);
  EXPECT_EQ(parts("mis", 3, 50, 8), 3) << "no empty parts";
  EXPECT_EQ(parts("tsp", 256, 100, 1), 1);
}

TEST(Parts, AgreeWithTheCpu) {
  MOCO_NEEDS_DEVICE();
  for (const char* problem : {"tsp", "mis"}) {
    TestBatch setup = uneven_batch(config_of(problem));
    perturb_weights(setup);
    run_side_by_side(setup.spec, 4, 2e-2, 3);
  }
}

TEST(Parts, ReportEveryStepOfEveryTrajectory) {
  MOCO_NEEDS_DEVICE();
  ModelConfig config = config_of("tsp");
  config.rule = UpdateRule::adam;  // which rounds alike in batches of any size
  config.init = usual_init(config.rule, config.family);
  const TestBatch setup = uneven_batch(config);
  const auto steps_in = [&](int parts) {
    const auto batch = make_cuda_engine({.precision = CudaPrecision::float32, .parts = parts})->create_cuda(setup.spec);
    batch->begin();
    batch->sample();
    batch->retire(2);
    auto steps = batch->advance(70);  // more than the device remembers
    steps.push_back(batch->status());
    return steps;
  };
  const auto whole = steps_in(1);
  const auto parts = steps_in(3);
  ASSERT_EQ(whole.size(), 71u);
  ASSERT_EQ(parts.size(), whole.size());
  for (std::size_t step = 0; step < whole.size(); ++step) {
    ASSERT_EQ(parts[step].size(), setup.spec.trajectories.size());
    for (std::size_t t = 0; t < parts[step].size(); ++t) {
      EXPECT_EQ(parts[step][t].best_cost, whole[step][t].best_cost) << "step " << step << ", trajectory " << t;
      EXPECT_EQ(parts[step][t].mean_cost, whole[step][t].mean_cost) << "step " << step << ", trajectory " << t;
    }
  }
}

}  // namespace
}  // namespace moco::parity
