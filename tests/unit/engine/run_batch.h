// Whole runs of a batch on the CPU, and what two runs that are the same have in common.
#pragma once

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "moco/engine/cpu/cpu_engine.h"
#include "moco/engine/engine.h"

namespace moco::test {

/// The trajectories after all steps.
inline std::vector<TrajectorySnapshot> run_batch(const BatchSpec& spec, int threads) {
  const std::unique_ptr<Engine> engine = make_cpu_engine(threads);
  const std::unique_ptr<Batch> batch = engine->create(spec);
  batch->begin();
  batch->sample();
  batch->advance(spec.loop.steps - 1);
  std::vector<TrajectorySnapshot> all;
  for (std::size_t t = 0; t < spec.trajectories.size(); ++t) {
    all.push_back(batch->snapshot(t));
  }
  return all;
}

/// All but the samples, which are there only where they are kept.
inline void expect_same_state(const TrajectorySnapshot& a, const TrajectorySnapshot& b) {
  EXPECT_EQ(a.theta, b.theta);
  EXPECT_EQ(a.gradient, b.gradient);
  EXPECT_EQ(a.momenta, b.momenta);
  EXPECT_EQ(a.membership, b.membership);
  EXPECT_EQ(a.elite_costs, b.elite_costs);
  EXPECT_EQ(a.global_features, b.global_features);
}

inline void expect_same(const TrajectorySnapshot& a, const TrajectorySnapshot& b) {
  expect_same_state(a, b);
  EXPECT_EQ(a.samples, b.samples);
}

}  // namespace moco::test
