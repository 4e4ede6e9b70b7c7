// bf16 against float32: the same search up to rounding, so costs agree in distribution; and repeated runs agree
// exactly.
#include "parity/side_by_side.h"

namespace moco::parity {
namespace {

struct Statistics {
  double mean = 0.0;
  double error = 0.0;  ///< standard error of the mean
};

Statistics statistics(const std::vector<double>& values) {
  Statistics s;
  for (const double v : values) {
    s.mean += v / static_cast<double>(values.size());
  }
  double variance = 0.0;
  for (const double v : values) {
    variance += (v - s.mean) * (v - s.mean) / static_cast<double>(values.size() - 1);
  }
  s.error = std::sqrt(variance / static_cast<double>(values.size()));
  return s;
}

class Precision : public ::testing::TestWithParam<std::string> {};

TEST_P(Precision, MeanCostsAgreeWithinTheirErrors) {
  MOCO_NEEDS_DEVICE();
  const bool tsp = GetParam() == "tsp";
  LoopOptions loop;
  loop.samples = 32;
  loop.problem.set("neighbours", 20);
  loop.steps = 30;
  TestBatch setup(config_of(GetParam(), 128), loop);
  setup.spec.keep_samples = false;
  for (std::uint64_t i = 0; i < 128; ++i) {
    setup.add(tsp ? uniform_tsp(50, i) : random_graph(100, 0.15, i), 1);
  }
  std::vector<double> differences(128);
  std::vector<double> last(128);
  double sign = 1.0;
  for (const CudaPrecision precision : {CudaPrecision::bf16, CudaPrecision::float32}) {
    const auto batch = make_cuda_engine({.precision = precision})->create_cuda(setup.spec);
    batch->begin();
    batch->sample();
    const auto status = batch->advance(loop.steps - 1).back();
    for (std::size_t i = 0; i < status.size(); ++i) {
      differences[i] += sign * status[i].best_cost;
      last[i] = status[i].best_cost;
    }
    sign = -1.0;
  }
  const Statistics difference = statistics(differences);
  EXPECT_LT(std::abs(difference.mean), 4.0 * difference.error + 2e-3 * std::abs(statistics(last).mean))
      << "paired difference " << difference.mean << " ± " << difference.error << ", mean " << statistics(last).mean;
}

TEST_P(Precision, OneUpdateIsClose) {
  MOCO_NEEDS_DEVICE();
  const bool tsp = GetParam() == "tsp";
  LoopOptions loop;
  loop.problem.set("neighbours", 20);
  TestBatch setup(config_of(GetParam(), 128), loop);
  setup.add(tsp ? uniform_tsp(100) : random_graph(200), 2);
  std::vector<std::vector<float>> first;
  std::vector<std::vector<float>> second;
  for (const CudaPrecision precision : {CudaPrecision::float32, CudaPrecision::bf16}) {
    const auto batch = make_cuda_engine({.precision = precision, .fused = FusedUse::never})->create_cuda(setup.spec);
    batch->begin();
    first.push_back(batch->theta(1));
    batch->set_theta(0, std::vector<float>(first.back().size(), 0.0f));
    batch->sample();
    batch->update();
    second.push_back(batch->theta(0));
  }
  EXPECT_LT(theta_deviation(first[0], first[1]).shape, 0.05);
  EXPECT_LT(theta_deviation(second[0], second[1]).shape, 0.05);
}

void expect_repeatable(const BatchSpec& spec) {
  std::vector<std::vector<float>> theta;
  for (int run = 0; run < 2; ++run) {
    const auto batch = make_cuda_engine()->create_cuda(spec);
    batch->begin();
    batch->sample();
    batch->advance(spec.loop.steps - 1);
    for (std::size_t t = 0; t < spec.trajectories.size(); ++t) {
      theta.push_back(batch->theta(t));
    }
  }
  const std::size_t half = theta.size() / 2;
  for (std::size_t t = 0; t < half; ++t) {
    EXPECT_EQ(theta[t], theta[half + t]) << t;
  }
}

TEST_P(Precision, RepeatedRunsAgreeExactly) {
  MOCO_NEEDS_DEVICE();
  const bool tsp = GetParam() == "tsp";
  LoopOptions loop;
  loop.problem.set("neighbours", 20);
  loop.steps = 20;
  TestBatch setup(config_of(GetParam(), 128), loop);
  setup.add(tsp ? uniform_tsp(100) : random_graph(200), 40).add(tsp ? uniform_tsp(37, 1) : random_graph(33, 0.2, 1), 3);
  expect_repeatable(setup.spec);
  TestBatch small(config_of(GetParam(), 128), loop);  // whose network is one kernel
  small.add(tsp ? uniform_tsp(100) : random_graph(200), 1);
  expect_repeatable(small.spec);
}

INSTANTIATE_TEST_SUITE_P(All, Precision, ::testing::Values("tsp", "mis"));

TEST(Engine, MemoryIsEstimatedBeforeItIsTaken) {
  MOCO_NEEDS_DEVICE();
  LoopOptions loop;
  TestBatch setup(config_of("tsp", 128), loop);
  setup.add(uniform_tsp(500), 32);
  const auto engine = make_cuda_engine();
  const std::uint64_t before = engine->available_bytes();
  const std::uint64_t estimate = engine->memory_need(setup.spec).engine;
  const auto batch = engine->create_cuda(setup.spec);
  const std::uint64_t taken = before - std::min(before, engine->available_bytes());
  EXPECT_LE(taken, estimate + (std::uint64_t{64} << 20));
  EXPECT_GE(taken, estimate / 2);
}

}  // namespace
}  // namespace moco::parity
