// The GCN in one kernel against the kernels of one pass each and against the CPU, in bf16: both variants, one to 750
// nodes, lists of all lengths, batches of different graphs, own weights, retired trajectories. (In float32 all tests of
// the MIS compare both with the CPU.)
#include "options.h"
#include "parity/one_kernel.h"

namespace moco::parity {
namespace {

LoopOptions loop_of(int samples = 8) {
  LoopOptions loop;
  loop.steps = 10;
  loop.samples = samples;
  return loop;
}

ModelConfig variant_of(GcnVariant variant, int hidden = 128, int blocks = 3) {
  ModelConfig config = config_of("mis", hidden, blocks);
  config.gcn = variant;
  return config;
}

/// A node with neighbours in all others, which have none but it.
InstancePtr star(Index nodes) {
  std::vector<Edge> edges;
  for (Index i = 1; i < nodes; ++i) {
    edges.push_back({0, i});
  }
  return std::make_shared<GraphInstance>(mis(), "star", nodes, edges);
}

/// Nodes whose neighbours have numbers with the same remainder modulo four.
InstancePtr uneven_remainders(Index nodes) {
  std::vector<Edge> edges;
  for (Index i = 0; i < nodes; ++i) {
    for (Index j = i + 4; j < nodes; j += 4) {
      edges.push_back({i, j});
    }
  }
  return std::make_shared<GraphInstance>(mis(), "classes", nodes, edges);
}

class FusedGcn : public ::testing::TestWithParam<GcnVariant> {};

TEST_P(FusedGcn, RaggedBatchesAgree) {
  MOCO_NEEDS_DEVICE();
  TestBatch setup(variant_of(GetParam()), loop_of());
  for (const Index n : {1, 3, 17, 63}) {
    setup.add(random_graph(n, 0.3, static_cast<std::uint64_t>(n)), 1);
  }
  setup.add(random_graph(90, 0.02), 2).add(random_graph(128, 0.4, 1), 1);
  expect_one_kernel_agrees(setup.spec, 4, {});
}

TEST_P(FusedGcn, NetworksOfTheShippedSizeAgree) {
  MOCO_NEEDS_DEVICE();
  TestBatch setup(variant_of(GetParam()), loop_of(32));
  setup.add(random_graph(750), 1);
  expect_one_kernel_agrees(setup.spec, 4, {});
}

TEST_P(FusedGcn, UnevenListsAgree) {
  MOCO_NEEDS_DEVICE();
  TestBatch setup(variant_of(GetParam()), loop_of());
  setup.add(star(200), 1).add(uneven_remainders(150), 1).add(random_graph(100, 0.95), 1);
  expect_one_kernel_agrees(setup.spec, 3, {});
  run_side_by_side(setup.spec, 3);
}

TEST_P(FusedGcn, AnyDepthAndHiddenSizeAgree) {
  MOCO_NEEDS_DEVICE();
  for (const int blocks : {1, 2, 5}) {
    TestBatch setup(variant_of(GetParam(), blocks == 2 ? 24 : 128, blocks), loop_of());
    setup.add(random_graph(70), 2);
    expect_one_kernel_agrees(setup.spec, 3, {});
  }
}

TEST_P(FusedGcn, PerturbedSetsAgree) {
  MOCO_NEEDS_DEVICE();
  TestBatch setup(variant_of(GetParam()), loop_of());
  setup.add(random_graph(60), 1).add(random_graph(110, 0.2, 1), 1);
  perturb_weights(setup);
  expect_one_kernel_agrees(setup.spec, 4, {});
}

TEST_P(FusedGcn, RetiredTrajectoriesStay) {
  MOCO_NEEDS_DEVICE();
  TestBatch setup(variant_of(GetParam()), loop_of());
  setup.add(random_graph(50), 3);
  expect_retired_stays(setup.spec, {});
}

INSTANTIATE_TEST_SUITE_P(Variants, FusedGcn, ::testing::Values(GcnVariant::paper, GcnVariant::authors));

TEST(FusedGcns, RunWhereTheDeviceHoldsThemAtOnce) {
  MOCO_NEEDS_DEVICE();
  const auto fused_of = [](Index nodes, int trajectories, int clusters) {
    TestBatch setup(config_of("mis", 128), loop_of(2));
    setup.add(random_graph(nodes, 0.05), trajectories);
    const auto batch = make_cuda_engine({.clusters = clusters})->create_cuda(setup.spec);
    batch->begin();
    batch->sample();
    return is_fused(*batch);
  };
  EXPECT_TRUE(fused_of(100, 1, 16));
  EXPECT_TRUE(fused_of(100, 1, 2)) << "64 nodes a cluster";
  EXPECT_FALSE(fused_of(100, 1, 1));
  EXPECT_TRUE(fused_of(100, 5, 16));
  EXPECT_FALSE(fused_of(100, 9, 16));
  EXPECT_FALSE(fused_of(1100, 1, 16));
}

}  // namespace
}  // namespace moco::parity
