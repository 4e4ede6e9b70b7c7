// Graphs whose nodes have weights on both engines: both samplers, gradients, elites, local search, networks that see
// the weights, and batches in which only some graphs have any.
#include "options.h"
#include "parity/one_kernel.h"

namespace moco::parity {
namespace {

InstancePtr weighted_graph(Index nodes, const std::string& weights, double probability = 0.15,
                           std::uint64_t index = 0) {
  GeneratorOptions options = test_generator("er");
  options.nodes = nodes;
  options.own.set("probability", probability);
  options.own.set("weights", weights);
  return generate(options, index);
}

LoopOptions loop_of(GradientKind gradient = GradientKind::total, int samples = 32) {
  LoopOptions loop;
  loop.steps = 10;
  loop.samples = samples;
  loop.gradient = gradient;
  return loop;
}

ModelConfig seeing_config(int hidden = 32) {
  ModelConfig config = config_of("mis", hidden);
  config.node_weights = true;
  config.global_pooling = GlobalPooling::mean;
  return config;
}

class WeightedLoop : public ::testing::TestWithParam<std::tuple<GradientKind, GcnVariant, EliteRule, bool>> {};

TEST_P(WeightedLoop, TenStepsAgree) {
  MOCO_NEEDS_DEVICE();
  const auto& [gradient, variant, elite, sees_weights] = GetParam();
  ModelConfig config = config_of("mis");
  config.gcn = variant;
  config.node_weights = sees_weights;
  LoopOptions loop = loop_of(gradient);
  loop.elite = elite;
  TestBatch setup(config, loop);
  setup.add(weighted_graph(90, "uniform"), 2).add(weighted_graph(50, "integer", 0.05, 1));
  run_side_by_side(setup.spec, 10);
}

INSTANTIATE_TEST_SUITE_P(Options, WeightedLoop,
                         ::testing::Combine(::testing::Values(GradientKind::total, GradientKind::causal),
                                            ::testing::Values(GcnVariant::paper, GcnVariant::authors),
                                            ::testing::Values(EliteRule::paper, EliteRule::newest), ::testing::Bool()));

class WeightedShapes : public ::testing::TestWithParam<GradientKind> {};

TEST_P(WeightedShapes, BothSamplersAgree) {
  MOCO_NEEDS_DEVICE();
  ModelConfig config = config_of("mis");
  config.rule = UpdateRule::adam;
  config.init = usual_init(config.rule, config.family);
  TestBatch bits(config, loop_of(GetParam(), 9));
  bits.add(weighted_graph(1024, "uniform", 0.02), 1).add(weighted_graph(40, "integer", 0.1, 2), 2);
  run_side_by_side(bits.spec, 3);
  TestBatch lists(config, loop_of(GetParam(), 9));
  lists.add(weighted_graph(1025, "uniform", 0.02), 1).add(weighted_graph(40, "integer", 0.1, 2), 2);
  run_side_by_side(lists.spec, 3);
}

TEST_P(WeightedShapes, GraphsWithAndWithoutWeightsInOneBatchAgree) {
  MOCO_NEEDS_DEVICE();
  for (const Index largest : {200, 1100}) {
    TestBatch setup(seeing_config(), loop_of(GetParam(), 8));
    setup.add(random_graph(60), 2)
        .add(weighted_graph(largest, "uniform", 0.05), 1)
        .add(random_graph(33, 0.3, 1), 1)
        .add(weighted_graph(70, "degree", 0.1, 3), 2);
    perturb_weights(setup);
    run_side_by_side(setup.spec, 4, 2e-4);
  }
}

TEST_P(WeightedShapes, GraphsWithoutWeightsAreWhatTheyAreAlone) {
  MOCO_NEEDS_DEVICE();
  ModelConfig config = config_of("mis");
  config.rule = UpdateRule::adam;
  config.init = usual_init(config.rule, config.family);
  LoopOptions loop = loop_of(GetParam(), 8);
  loop.local_search.name = "swap12";
  TestBatch alone(config, loop);
  alone.add(random_graph(80), 1);
  TestBatch beside(config, loop);
  beside.add(random_graph(80), 1).add(weighted_graph(90, "uniform"), 1);
  const auto run = [](const TestBatch& setup) {
    const auto batch = make_cuda_engine({.parts = 1})->create_cuda(setup.spec);
    batch->begin();
    batch->sample();
    return batch->snapshot(0);
  };
  const TrajectorySnapshot expected = run(alone);
  const TrajectorySnapshot actual = run(beside);
  EXPECT_EQ(expected.samples, actual.samples);
  EXPECT_EQ(expected.sample_costs, actual.sample_costs);
  EXPECT_EQ(expected.elite_costs, actual.elite_costs);
  EXPECT_EQ(expected.membership, actual.membership);
  EXPECT_LT(deviation(expected.gradient, actual.gradient), 1e-6) << "other kernels may round otherwise";
}

TEST_P(WeightedShapes, LocalSearchAgrees) {
  MOCO_NEEDS_DEVICE();
  for (const AdvantageKind advantage : {AdvantageKind::sampled, AdvantageKind::improved}) {
    for (const int plateau_steps : {0, 20}) {
      LoopOptions loop = loop_of(GetParam(), 9);
      loop.local_search.name = "swap12";
      loop.problem.set("plateau_steps", plateau_steps);
      loop.advantage = advantage;
      loop.elite = EliteRule::distinct;
      TestBatch setup(seeing_config(), loop);
      setup.add(weighted_graph(120, "uniform"), 2)
          .add(weighted_graph(80, "integer", 0.05, 1), 1)
          .add(random_graph(50, 0.2, 2), 1);
      run_side_by_side(setup.spec, 3, 2e-4);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Gradients, WeightedShapes, ::testing::Values(GradientKind::total, GradientKind::causal));

TEST(WeightedSearch, WorkingSetsBeyondSharedMemoryAgree) {
  MOCO_NEEDS_DEVICE();
  ModelConfig config = config_of("mis");
  config.rule = UpdateRule::adam;
  config.init = usual_init(config.rule, config.family);
  for (const Index nodes : {6000, 7000}) {  // 31 bytes a node: within 200 KiB, and beyond
    LoopOptions loop = loop_of(GradientKind::total, 2);
    loop.local_search = {.name = "swap12", .move_limit = 200};
    TestBatch setup(config, loop);
    setup.add(weighted_graph(nodes, "uniform", 0.0008), 1).add(random_graph(300, 0.05), 1);
    run_side_by_side(setup.spec, 1);
  }
}

TEST(WeightedNetworks, OfTheShippedSizeAgree) {
  MOCO_NEEDS_DEVICE();
  for (const ThetaUpdate update : {ThetaUpdate::absolute, ThetaUpdate::anchored}) {
    ModelConfig config = seeing_config(128);
    config.theta_update = update;
    config.gradient_scale = 100.0;
    config.crowding = true;
    TestBatch setup(config, loop_of());
    setup.add(weighted_graph(200, "uniform"), 2).add(weighted_graph(150, "integer", 0.6, 1), 1);
    run_side_by_side(setup.spec, 5, 2e-4);
  }
}

TEST(WeightedNetworks, InOneKernelAgreeInBf16) {
  MOCO_NEEDS_DEVICE();
  for (const GcnVariant variant : {GcnVariant::paper, GcnVariant::authors}) {
    ModelConfig config = seeing_config(128);
    config.gcn = variant;
    TestBatch setup(config, loop_of(GradientKind::total, 8));
    setup.add(weighted_graph(128, "uniform"), 1)
        .add(weighted_graph(90, "integer", 0.02, 1), 2)
        .add(random_graph(63), 1);
    expect_one_kernel_agrees(setup.spec, 4, {});
  }
}

TEST(WeightedNetworks, OnDenseGraphsAgree) {
  MOCO_NEEDS_DEVICE();
  for (const int trajectories : {1, 12}) {  // neighbour_max has shapes of its own for both
    TestBatch setup(seeing_config(128), loop_of(GradientKind::total, 4));
    setup.add(weighted_graph(300, "uniform", 0.8), trajectories);
    run_side_by_side(setup.spec, 3, 2e-4);
  }
}

}  // namespace
}  // namespace moco::parity
