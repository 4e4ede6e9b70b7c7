// Networks in one kernel, on clusters and for small hidden sizes, against the kernels of one pass each and against the
// CPU, in bf16: every cluster size, slices with and without edges, one to a hundred cities and more, batches of
// different instances, own weights, retired trajectories.
#include "parity/side_by_side.h"

namespace moco::parity {
namespace {

LoopOptions loop_of(int neighbours, int samples = 8) {
  LoopOptions loop;
  loop.steps = 10;
  loop.samples = samples;
  loop.neighbours = neighbours;
  return loop;
}

bool is_fused(CudaBatch& batch) {
  const auto times = batch.profile();
  return std::any_of(times.begin(), times.end(), [](const auto& time) { return time.first == "network"; });
}

/// ‖expected − actual/factor‖ / ‖expected‖ with θ's common factor divided out, at most 1; NaN counts as 1.
double theta_error(const std::vector<float>& expected, const std::vector<float>& actual) {
  const double factor = theta_deviation(expected, actual).factor;
  double square = 0.0;
  double difference = 0.0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double own = static_cast<double>(expected[i]) - static_cast<double>(actual[i]) / factor;
    square += static_cast<double>(expected[i]) * static_cast<double>(expected[i]);
    difference += own * own;
  }
  const double error = std::sqrt(difference / std::max(square, 1e-18));
  return error < 1.0 ? error : 1.0;
}

/// Runs `steps` steps on the CPU and, from the CPU's θ each time, fused and unfused. Both round h_e and the products'
/// operands to bf16; in one kernel u as well, and the features' embedding before the first product. A single edge may
/// then come out far off in either: a column that hardly any edge sets is divided by its small deviation. So the errors
/// are compared on average.
void expect_one_kernel_agrees(const BatchSpec& spec, int steps, const CudaOptions& options) {
  const auto cpu_engine = make_cpu_engine(2);
  const auto cpu = cpu_engine->create(spec);
  const auto fused = make_cuda_engine(options)->create_cuda(spec);
  const auto unfused = make_cuda_engine({.fused = FusedUse::never})->create_cuda(spec);
  const auto count = static_cast<double>(spec.trajectories.size()) * steps;
  double fused_error = 0.0;
  double unfused_error = 0.0;
  double between = 0.0;
  const auto compare = [&] {
    for (std::size_t t = 0; t < spec.trajectories.size(); ++t) {
      const std::vector<float> expected = cpu->theta(t);
      fused_error += theta_error(expected, fused->theta(t)) / count;
      unfused_error += theta_error(expected, unfused->theta(t)) / count;
      between += theta_error(unfused->theta(t), fused->theta(t)) / count;
      fused->set_theta(t, expected);
      unfused->set_theta(t, expected);
    }
  };
  cpu->begin();
  fused->begin();
  unfused->begin();
  compare();
  for (int step = 1; step < steps; ++step) {
    cpu->sample();
    fused->sample();
    unfused->sample();
    cpu->update();
    fused->update();
    unfused->update();
    compare();
  }
  EXPECT_LT(fused_error, 3.5 * unfused_error + 0.005) << options.cluster;
  EXPECT_LT(between, 0.08) << options.cluster;
  EXPECT_LT(fused_error, 0.1) << options.cluster;
  EXPECT_TRUE(is_fused(*fused)) << options.cluster;
  EXPECT_FALSE(is_fused(*unfused));
}

void expect_fused_agrees(const BatchSpec& spec, int steps, int cluster) {
  expect_one_kernel_agrees(spec, steps, {.fused = FusedUse::always, .cluster = cluster});
}

/// Hidden sizes of up to 32 run in their own kernel unless told otherwise.
void expect_narrow_agrees(const BatchSpec& spec, int steps) {
  expect_one_kernel_agrees(spec, steps, {});
}

class Clusters : public ::testing::TestWithParam<int> {};

TEST_P(Clusters, RaggedBatchesAgree) {
  MOCO_NEEDS_DEVICE();
  const int cluster = GetParam();
  TestBatch setup(config_of("tsp", 128), loop_of(7));
  for (const Index n : {1, 2, 3, 5, 17}) {
    setup.add(uniform_tsp(n, static_cast<std::uint64_t>(n)), 1);
  }
  setup.add(uniform_tsp(std::min(32 * cluster, 90), 2), 2);
  expect_fused_agrees(setup.spec, 4, cluster);
}

TEST_P(Clusters, CompleteGraphsAgree) {
  MOCO_NEEDS_DEVICE();
  TestBatch setup(config_of("tsp", 128), loop_of(100));
  setup.add(uniform_tsp(20), 2);
  expect_fused_agrees(setup.spec, 3, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Sizes, Clusters, ::testing::Values(1, 2, 4, 8, 16));

class FusedPooling : public ::testing::TestWithParam<GlobalPooling> {};

TEST_P(FusedPooling, Agrees) {
  MOCO_NEEDS_DEVICE();
  ModelConfig config = config_of("tsp", 128);
  config.global_pooling = GetParam();
  TestBatch setup(config, loop_of(6));
  setup.add(uniform_tsp(33), 1);
  expect_fused_agrees(setup.spec, 4, 4);
}

INSTANTIATE_TEST_SUITE_P(All, FusedPooling,
                         ::testing::Values(GlobalPooling::sum, GlobalPooling::mean, GlobalPooling::max));

TEST(Fused, AnyDepthAndHiddenSizeAgree) {
  MOCO_NEEDS_DEVICE();
  for (const int blocks : {1, 2, 5}) {
    TestBatch setup(config_of("tsp", blocks == 2 ? 24 : 128, blocks), loop_of(6));
    setup.add(uniform_tsp(30), 1);
    expect_fused_agrees(setup.spec, 3, 2);
  }
}

TEST(Fused, NetworksOfTheShippedSizeAgree) {
  MOCO_NEEDS_DEVICE();
  // u in shared memory, in part, not at all; three weight matrices at a time or one
  for (const auto& [nodes, cluster] : {std::pair{100, 0}, {100, 4}, {100, 8}, {200, 8}}) {
    TestBatch setup(config_of("tsp", 128), loop_of(20));
    setup.add(uniform_tsp(nodes), 1);
    expect_fused_agrees(setup.spec, 3, cluster);
  }
}

TEST(Fused, PerturbedSetsAgree) {
  MOCO_NEEDS_DEVICE();
  TestBatch setup(config_of("tsp", 128), loop_of(8));
  setup.add(uniform_tsp(30), 1).add(uniform_tsp(45, 1), 1);
  perturb_weights(setup);
  expect_fused_agrees(setup.spec, 4, 2);
}

TEST(Fused, TenStepsAgree) {
  MOCO_NEEDS_DEVICE();
  TestBatch setup(config_of("tsp", 128), loop_of(10));
  setup.add(uniform_tsp(24), 2);
  expect_fused_agrees(setup.spec, 10, 4);
}

/// An update leaves the second of three trajectories alone once it is retired.
void expect_retired_stays(const BatchSpec& spec, const CudaOptions& options) {
  const auto batch = make_cuda_engine(options)->create_cuda(spec);
  batch->begin();
  batch->sample();
  const std::vector<float> theta = batch->theta(1);
  const std::vector<float> other = batch->theta(2);
  batch->retire(1);
  batch->update();
  EXPECT_EQ(theta, batch->theta(1));
  EXPECT_NE(other, batch->theta(2));
}

TEST(Fused, RetiredTrajectoriesStay) {
  MOCO_NEEDS_DEVICE();
  TestBatch setup(config_of("tsp", 128), loop_of(6));
  setup.add(uniform_tsp(20), 3);
  expect_retired_stays(setup.spec, {.fused = FusedUse::always, .cluster = 4});
}

TEST(Fused, SmallBatchesAreFusedByThemselves) {
  MOCO_NEEDS_DEVICE();
  const auto fused_of = [](int trajectories) {
    TestBatch setup(config_of("tsp", 128), loop_of(6));
    setup.add(uniform_tsp(20), trajectories);
    const auto batch = make_cuda_engine()->create_cuda(setup.spec);
    batch->begin();
    batch->sample();
    return is_fused(*batch);
  };
  EXPECT_TRUE(fused_of(1));
  EXPECT_FALSE(fused_of(140)) << "a round of 132 and one of 8";
}

TEST(Fused, GraphsThatDoNotFitRunUnfused) {
  MOCO_NEEDS_DEVICE();
  TestBatch setup(config_of("tsp", 128), loop_of(50, 2));
  setup.add(uniform_tsp(20), 1).add(uniform_tsp(300, 1), 1);
  const auto batch = make_cuda_engine({.fused = FusedUse::always})->create_cuda(setup.spec);
  batch->begin();
  batch->sample();
  EXPECT_FALSE(is_fused(*batch));
}

TEST(Narrow, RaggedBatchesAgree) {
  MOCO_NEEDS_DEVICE();
  TestBatch setup(config_of("tsp", 32), loop_of(7));
  for (const Index n : {1, 2, 3, 5, 17, 90}) {
    setup.add(uniform_tsp(n, static_cast<std::uint64_t>(n)), n == 90 ? 2 : 1);
  }
  expect_narrow_agrees(setup.spec, 4);
}

TEST(Narrow, AnyDepthHiddenSizeAndPoolingAgree) {
  MOCO_NEEDS_DEVICE();
  for (const auto& [hidden, blocks, pooling] :
       {std::tuple{32, 1, GlobalPooling::mean}, {24, 2, GlobalPooling::sum}, {8, 5, GlobalPooling::max}}) {
    ModelConfig config = config_of("tsp", hidden, blocks);
    config.global_pooling = pooling;
    TestBatch setup(config, loop_of(6));
    setup.add(uniform_tsp(33), 2);
    expect_narrow_agrees(setup.spec, 4);
  }
}

TEST(Narrow, PerturbedSetsAgree) {
  MOCO_NEEDS_DEVICE();
  TestBatch setup(config_of("tsp", 32), loop_of(8));
  setup.add(uniform_tsp(30), 1).add(uniform_tsp(45, 1), 1);
  perturb_weights(setup);
  expect_narrow_agrees(setup.spec, 4);
}

TEST(Narrow, EdgesAndMessagesOutsideSharedMemoryAgree) {
  MOCO_NEEDS_DEVICE();
  for (const auto& [nodes, neighbours] : {std::pair{100, 20}, {200, 20}, {1700, 5}}) {
    TestBatch setup(config_of("tsp", 32), loop_of(neighbours, 2));
    setup.add(uniform_tsp(nodes), 1);
    expect_narrow_agrees(setup.spec, 2);
  }
}

TEST(Narrow, RetiredTrajectoriesStay) {
  MOCO_NEEDS_DEVICE();
  TestBatch setup(config_of("tsp", 16), loop_of(6));
  setup.add(uniform_tsp(20), 3);
  expect_retired_stays(setup.spec, {});
}

}  // namespace
}  // namespace moco::parity
