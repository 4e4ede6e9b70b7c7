// Networks for the TSP in one kernel, on clusters and for small hidden sizes, against the kernels of one pass each and
// against the CPU, in bf16: every cluster size, slices with and without edges, one to a hundred cities and more,
// batches of different instances, own weights, retired trajectories.
#include "parity/one_kernel.h"

namespace moco::parity {
namespace {

LoopOptions loop_of(int neighbours, int samples = 8) {
  LoopOptions loop;
  loop.steps = 10;
  loop.samples = samples;
  loop.problem.set("neighbours", neighbours);
  return loop;
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
