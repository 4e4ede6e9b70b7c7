// Comparing networks in one kernel with those pass by pass and with the CPU, in bf16.
#pragma once

#include "parity/side_by_side.h"

namespace moco::parity {

inline bool is_fused(CudaBatch& batch) {
  const auto times = batch.profile();
  return std::any_of(times.begin(), times.end(), [](const auto& time) { return time.first == "network"; });
}

/// ‖expected − actual/factor‖ / ‖expected‖ with θ's common factor divided out, at most 1; NaN counts as 1.
inline double theta_error(const std::vector<float>& expected, const std::vector<float>& actual) {
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

/// Runs `steps` steps on the CPU and, from the CPU's θ each time, fused and unfused. Both round the rows and the
/// products' operands to bf16; the TSP in one kernel u as well, and the features' embedding before the first product. A
/// single edge may then come out far off in either: a column that hardly any edge sets is divided by its small
/// deviation. So the errors are compared on average.
inline void expect_one_kernel_agrees(const BatchSpec& spec, int steps, const CudaOptions& options) {
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

/// An update leaves the second of three trajectories alone once it is retired.
inline void expect_retired_stays(const BatchSpec& spec, const CudaOptions& options) {
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

}  // namespace moco::parity
