// The CPU engine and the CUDA engine in float32 on the same batch, compared after every operation. Before each
// comparison that depends on θ the device is given the CPU's θ, so that samples must agree exactly and sums up to
// rounding.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "moco/engine/cpu/cpu_engine.h"
#include "moco/engine/cuda/cuda_engine.h"
#include "moco/engine/deviation.h"
#include "moco/generate.h"
#include "moco/model/parameters.h"
#include "moco/search/algorithm.h"
#include "options.h"

#define MOCO_NEEDS_DEVICE()                                    \
  if (const auto problem = cuda_problem(); !problem.empty()) { \
    GTEST_SKIP() << problem;                                   \
  }

namespace moco::parity {

/// A batch description that owns what it refers to.
struct TestBatch {
  Model model;
  std::vector<DecisionGraph> graphs;
  BatchSpec spec;

  TestBatch(const ModelConfig& config, const LoopOptions& loop, std::uint64_t seed = 5) {
    model = random_model(config, seed);
    spec.config = config;
    spec.loop = loop;
    spec.loop.problem = only_declared(loop.problem, find_family(config.family).options());
    spec.keep_samples = true;
    spec.track_entropy = true;
    spec.weights = {{model.weights, 0.0f, {}}};
    graphs.reserve(256);
  }

  /// Adds `restarts` trajectories on an instance.
  TestBatch& add(const InstancePtr& instance, int restarts = 1) {
    const std::size_t graph = graphs.size();
    graphs.push_back(decision_graph(instance, spec.loop.problem));
    spec.graphs.push_back(&graphs.back());
    const bool tsp = instance->problem().name() == "tsp";
    const std::vector<Index> starts = tsp ? start_nodes(instance->size(), restarts, 3, graph) : std::vector<Index>{};
    for (int r = 0; r < restarts; ++r) {
      const Index start = tsp ? starts[static_cast<std::size_t>(r)] : 0;
      spec.trajectories.push_back({graph, 0, stream_key(3, graph, static_cast<std::uint64_t>(r)), start, nullptr});
    }
    return *this;
  }
};

/// Gives every trajectory its own weights.
inline void perturb_weights(TestBatch& setup) {
  setup.spec.weights.clear();
  for (Trajectory& t : setup.spec.trajectories) {
    t.weights = setup.spec.weights.size();
    setup.spec.weights.push_back({setup.model.weights, 0.05f, stream_key(9, t.weights, 0)});
  }
}

inline InstancePtr uniform_tsp(Index nodes, std::uint64_t index = 0) {
  return generate(test_generator("uniform", nodes), index);
}

inline InstancePtr random_graph(Index nodes, double probability = 0.15, std::uint64_t index = 0) {
  GeneratorOptions options = test_generator("er", nodes);
  options.own.set("probability", probability);
  return generate(options, index);
}

inline ModelConfig config_of(const std::string& family, int hidden = 32, int blocks = 3) {
  ModelConfig config;
  config.family = family;
  config.hidden = hidden;
  config.blocks = blocks;
  return config;
}

inline void expect_same_step(const TrajectorySnapshot& cpu, const TrajectorySnapshot& cuda, const std::string& where) {
  ASSERT_EQ(cpu.samples.size(), cuda.samples.size()) << where;
  for (std::size_t s = 0; s < cpu.samples.size(); ++s) {
    ASSERT_EQ(cpu.samples[s], cuda.samples[s]) << where << ", sample " << s;
    ASSERT_EQ(cpu.sample_costs[s], cuda.sample_costs[s]) << where << ", sample " << s;
  }
  EXPECT_EQ(cpu.elite_costs, cuda.elite_costs) << where;
  EXPECT_EQ(cpu.membership, cuda.membership) << where;
  EXPECT_LT(deviation(cpu.gradient, cuda.gradient), 1e-5) << where;
  EXPECT_LT(deviation(cpu.momenta, cuda.momenta), 1e-5) << where;
  EXPECT_LT(deviation(cpu.global_features, cuda.global_features), 1e-5) << where;
}

inline void expect_same_theta(const std::vector<float>& cpu, const std::vector<float>& cuda, const std::string& where,
                              double factor_tolerance) {
  const ThetaDeviation theta = theta_deviation(cpu, cuda);
  EXPECT_NEAR(theta.factor, 1.0, factor_tolerance) << where;
  EXPECT_LT(theta.shape, 2e-4) << where;
}

/// Runs `steps` steps on both engines, on the device with these options.
inline void run_side_by_side_with(const BatchSpec& spec, int steps, double factor_tolerance,
                                  const CudaOptions& options) {
  const auto cpu_engine = make_cpu_engine(2);
  const auto cuda_engine = make_cuda_engine(options);
  const auto cpu = cpu_engine->create(spec);
  const auto cuda = cuda_engine->create_cuda(spec);
  const auto compare_theta = [&](const std::string& where) {
    for (std::size_t t = 0; t < spec.trajectories.size(); ++t) {
      const std::vector<float> expected = cpu->theta(t);
      expect_same_theta(expected, cuda->theta(t), where + ", trajectory " + std::to_string(t), factor_tolerance);
      cuda->set_theta(t, expected);
    }
  };
  cpu->begin();
  cuda->begin();
  compare_theta("begin");
  for (int step = 1; step <= steps; ++step) {
    cpu->sample();
    cuda->sample();
    for (std::size_t t = 0; t < spec.trajectories.size(); ++t) {
      const std::string where = "step " + std::to_string(step) + ", trajectory " + std::to_string(t);
      expect_same_step(cpu->snapshot(t), cuda->snapshot(t), where);
      if (::testing::Test::HasFatalFailure()) {
        return;
      }
    }
    const std::vector<TrajectoryStatus> expected = cpu->status();
    const std::vector<TrajectoryStatus> actual = cuda->status();
    for (std::size_t t = 0; t < expected.size(); ++t) {
      EXPECT_EQ(expected[t].best_cost, actual[t].best_cost);
      EXPECT_NEAR(expected[t].elite_cost, actual[t].elite_cost, 1e-9 * std::abs(expected[t].elite_cost));
      EXPECT_NEAR(expected[t].mean_cost, actual[t].mean_cost, 1e-9 * std::abs(expected[t].mean_cost));
      EXPECT_NEAR(expected[t].entropy, actual[t].entropy, 1e-6 + 1e-6 * std::abs(expected[t].entropy));
    }
    if (step < steps) {
      cpu->update();
      cuda->update();
      compare_theta("update " + std::to_string(step));
    }
  }
  for (std::size_t t = 0; t < spec.trajectories.size(); ++t) {
    EXPECT_EQ(cpu->best_solution(t), cuda->best_solution(t));
    EXPECT_EQ(cpu->elite(t), cuda->elite(t));
  }
}

/// In float32, on the device in that many parts (0: as it chooses); small GCNs in one kernel and pass by pass.
inline void run_side_by_side(const BatchSpec& spec, int steps, double factor_tolerance = 2e-2, int parts = 0) {
  run_side_by_side_with(spec, steps, factor_tolerance, {.precision = CudaPrecision::float32, .parts = parts});
  if (spec.config.family == "mis" && !::testing::Test::HasFatalFailure()) {
    SCOPED_TRACE("pass by pass");
    run_side_by_side_with(spec, steps, factor_tolerance,
                          {.precision = CudaPrecision::float32, .fused = FusedUse::never, .parts = parts});
  }
}

}  // namespace moco::parity
