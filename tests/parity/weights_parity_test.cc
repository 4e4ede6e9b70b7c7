// Weights per trajectory: base + σ·noise made on the device, and the weighted sums of noise for training.
#include "moco/core/noise.h"
#include "parity/side_by_side.h"

namespace moco::parity {
namespace {

class Weights : public ::testing::TestWithParam<std::string> {};

TEST_P(Weights, PerturbedSetsAgree) {
  MOCO_NEEDS_DEVICE();
  LoopOptions loop;
  loop.samples = 16;
  loop.problem.set("neighbours", 8);
  loop.steps = 5;
  const bool tsp = GetParam() == "tsp";
  TestBatch setup(config_of(GetParam()), loop);
  setup.add(tsp ? uniform_tsp(30) : random_graph(60), 1).add(tsp ? uniform_tsp(45, 1) : random_graph(80, 0.1, 1), 1);
  setup.spec.weights.clear();
  std::vector<Trajectory> trajectories;
  for (std::size_t pair = 0; pair < 2; ++pair) {
    for (const float sign : {1.0f, -1.0f}) {
      Trajectory t = setup.spec.trajectories[pair];
      t.weights = setup.spec.weights.size();
      trajectories.push_back(t);
      setup.spec.weights.push_back({setup.model.weights, sign * 0.05f, stream_key(9, pair, 0)});
    }
  }
  setup.spec.trajectories = trajectories;
  run_side_by_side(setup.spec, 5);
}

INSTANTIATE_TEST_SUITE_P(All, Weights, ::testing::Values("tsp", "mis"));

// A copy that stays on the device serves the batches of its number, and no others.
TEST(BaseWeights, StayWhileTheirNumberDoes) {
  MOCO_NEEDS_DEVICE();
  LoopOptions loop;
  loop.samples = 8;
  loop.problem.set("neighbours", 8);
  TestBatch setup(config_of("tsp"), loop);
  setup.add(uniform_tsp(30), 3);
  const auto first_theta = [&](CudaEngine& engine, std::uint64_t number) {
    setup.spec.base_weights = number;
    const auto batch = engine.create_cuda(setup.spec);
    batch->begin();
    return batch->theta(0);
  };
  for (const int parts : {1, 2}) {
    const auto engine = make_cuda_engine({.precision = CudaPrecision::float32, .parts = parts});
    const std::vector<float> fresh = first_theta(*engine, 0);
    EXPECT_EQ(fresh, first_theta(*engine, 1));
    EXPECT_EQ(fresh, first_theta(*engine, 1));
    for (float& weight : setup.model.weights) {
      weight *= 1.5f;
    }
    EXPECT_EQ(fresh, first_theta(*engine, 1));  // it promised that they were the same
    const std::vector<float> changed = first_theta(*engine, 2);
    EXPECT_NE(fresh, changed);
    EXPECT_EQ(changed, first_theta(*engine, 0));
  }
}

TEST(Noise, SumsAgree) {
  MOCO_NEEDS_DEVICE();
  std::vector<StreamKey> keys;
  std::vector<float> factors;
  for (std::uint64_t i = 0; i < 17; ++i) {
    keys.push_back(stream_key(4, i, 0));
    factors.push_back(i == 5 ? 0.0f : 0.01f * (static_cast<float>(i) - 8.3f));
  }
  std::vector<float> expected(100'003, 0.25f);
  std::vector<float> actual = expected;
  make_cpu_engine(2)->add_noise(keys, factors, expected);
  make_cuda_engine()->add_noise(keys, factors, actual);
  EXPECT_LT(deviation(expected, actual), 1e-6);
}

}  // namespace
}  // namespace moco::parity
