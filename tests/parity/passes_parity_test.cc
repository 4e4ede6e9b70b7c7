// The TSP's network pass by pass in bf16 against the CPU: tiles of edges that begin and end within a node's, few and
// many neighbours, nodes in one cluster and beyond, every pooling and depth, own weights.
#include "parity/one_kernel.h"

namespace moco::parity {
namespace {

LoopOptions loop_of(int neighbours) {
  LoopOptions loop;
  loop.steps = 10;
  loop.samples = 8;
  loop.problem.set("neighbours", neighbours);
  return loop;
}

/// Three steps, each update from the CPU's θ; the mean error of θ after them.
void expect_close(const BatchSpec& spec, const std::string& where) {
  const auto cpu_engine = make_cpu_engine(2);
  const auto cpu = cpu_engine->create(spec);
  const auto cuda = make_cuda_engine({.fused = FusedUse::never})->create_cuda(spec);
  constexpr int kSteps = 3;
  double error = 0.0;
  const auto compare = [&] {
    for (std::size_t t = 0; t < spec.trajectories.size(); ++t) {
      const std::vector<float> expected = cpu->theta(t);
      error += theta_error(expected, cuda->theta(t)) / static_cast<double>(kSteps * spec.trajectories.size());
      cuda->set_theta(t, expected);
    }
  };
  cpu->begin();
  cuda->begin();
  compare();
  for (int step = 1; step < kSteps; ++step) {
    cpu->sample();
    cuda->sample();
    cpu->update();
    cuda->update();
    compare();
  }
  EXPECT_LT(error, 0.1) << where;
}

TEST(Passes, AnyNumberOfNeighboursIsClose) {
  MOCO_NEEDS_DEVICE();
  for (const int neighbours : {1, 3, 7, 20, 45, 100}) {
    TestBatch setup(config_of("tsp", 128), loop_of(neighbours));
    setup.add(uniform_tsp(90), 2).add(uniform_tsp(21, 1), 1).add(uniform_tsp(2, 2), 1);
    expect_close(setup.spec, std::to_string(neighbours) + " neighbours");
  }
}

TEST(Passes, AnyNumberOfNodesIsClose) {
  MOCO_NEEDS_DEVICE();
  for (const Index nodes : {1, 5, 64, 65, 200, 448, 449}) {
    TestBatch setup(config_of("tsp", 128), loop_of(12));
    setup.add(uniform_tsp(nodes), 2);
    expect_close(setup.spec, std::to_string(nodes) + " nodes");
  }
}

TEST(Passes, ManyTrajectoriesAreClose) {
  MOCO_NEEDS_DEVICE();
  TestBatch setup(config_of("tsp", 128), loop_of(10));
  setup.add(uniform_tsp(30), 40).add(uniform_tsp(41, 1), 20);
  expect_close(setup.spec, "60 trajectories");
}

TEST(Passes, AnyPoolingAndDepthIsClose) {
  MOCO_NEEDS_DEVICE();
  for (const auto& [hidden, blocks, pooling] :
       {std::tuple{128, 1, GlobalPooling::max}, {128, 3, GlobalPooling::max}, {96, 2, GlobalPooling::mean}}) {
    ModelConfig config = config_of("tsp", hidden, blocks);
    config.global_pooling = pooling;
    TestBatch setup(config, loop_of(9));
    setup.add(uniform_tsp(33), 1).add(uniform_tsp(150, 1), 1);
    expect_close(setup.spec, std::to_string(blocks) + " blocks");
  }
}

TEST(Passes, PerturbedSetsAreClose) {
  MOCO_NEEDS_DEVICE();
  TestBatch setup(config_of("tsp", 128), loop_of(20));
  setup.add(uniform_tsp(100), 3).add(uniform_tsp(45, 1), 2);
  perturb_weights(setup);
  expect_close(setup.spec, "own weights");
}

TEST(Passes, RetiredTrajectoriesStay) {
  MOCO_NEEDS_DEVICE();
  TestBatch setup(config_of("tsp", 128), loop_of(6));
  setup.add(uniform_tsp(100), 3);
  expect_retired_stays(setup.spec, {.fused = FusedUse::never});
}

}  // namespace
}  // namespace moco::parity
