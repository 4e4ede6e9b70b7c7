// What counts as a departure of one engine from another.
#include "moco/engine/deviations.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace moco {
namespace {

TrajectorySnapshot state_after_a_step() {
  TrajectorySnapshot state;
  state.gradient = {1.0f, -2.0f, 0.5f};
  state.momenta = {0.5f, -1.0f, 0.25f};
  state.membership = {1, 3, 0};
  state.elite_costs = {7.5, 8.0};
  state.sample_costs = {8.0, 7.5};
  state.samples = {{0, 1, 2}, {0, 2, 1}};
  return state;
}

TEST(Deviations, EqualStatesHaveNone) {
  Deviations seen;
  seen.add_theta({1.0f, 2.0f}, {1.0f, 2.0f});
  seen.add_step(state_after_a_step(), state_after_a_step());
  EXPECT_EQ(seen.excess(), "");
  EXPECT_EQ(seen.samples, 2);
}

TEST(Deviations, RoundingIsAllowed) {
  Deviations seen;
  seen.add_theta({1.0f, 2.0f}, {1.01f, 2.0201f});  // a common factor, and a little
  TrajectorySnapshot other = state_after_a_step();
  other.gradient[0] += 1e-5f;
  other.momenta[1] += 1e-5f;
  other.elite_costs[0] += 1e-12;
  seen.add_step(state_after_a_step(), other);
  EXPECT_EQ(seen.excess(), "");
  EXPECT_GT(seen.gradient, 0.0);
}

TEST(Deviations, EachKindOfDepartureIsNamedWithItsLimit) {
  const auto excess_of = [](auto change) {
    TrajectorySnapshot other = state_after_a_step();
    change(other);
    Deviations seen;
    seen.add_step(state_after_a_step(), other);
    return seen.excess();
  };
  EXPECT_EQ(excess_of([](auto& s) { s.gradient[0] += 0.01f; }), "gradient 0.005 (at most 0.0001)");
  EXPECT_EQ(excess_of([](auto& s) { s.momenta[0] += 0.01f; }), "momenta 0.01 (at most 0.0001)");
  EXPECT_EQ(excess_of([](auto& s) { s.sample_costs[0] += 0.8; }), "costs 0.1 (at most 1e-09)");
  EXPECT_EQ(excess_of([](auto& s) { s.samples[1] = {0, 1, 2}; }), "different samples 1 (at most 0)");
  EXPECT_EQ(excess_of([](auto& s) { s.membership = {0, 0, 0}; }), "different elite entries 2 (at most 0)");
  EXPECT_EQ(excess_of([](auto& s) {
              s.momenta[0] += 0.01f;
              s.samples.pop_back();
            }),
            "momenta 0.01 (at most 0.0001), different samples 1 (at most 0)");
}

TEST(Deviations, ThetaMayDifferByAFactorNearOneOnly) {
  Deviations shape;
  shape.add_theta({1.0f, 2.0f}, {1.0f, 2.1f});
  EXPECT_THAT(shape.excess(), ::testing::StartsWith("theta without its factor"));
  Deviations factor;
  factor.add_theta({1.0f, 2.0f}, {1.5f, 3.0f});
  EXPECT_EQ(factor.excess(), "theta's factor 0.5 (at most 0.05)");
}

TEST(Deviations, WhatIsNoNumberIsBeyondEveryLimit) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Deviations theta;
  theta.add_theta({1.0f, 2.0f}, {1.0f, nan});
  EXPECT_NE(theta.excess(), "");
  TrajectorySnapshot other = state_after_a_step();
  other.gradient[1] = nan;
  Deviations step;
  step.add_step(state_after_a_step(), other);
  EXPECT_NE(step.excess(), "");
}

TEST(Deviations, TheLargestIsKept) {
  Deviations seen;
  TrajectorySnapshot other = state_after_a_step();
  other.gradient[0] += 0.01f;
  seen.add_step(state_after_a_step(), other);
  seen.add_step(state_after_a_step(), state_after_a_step());
  EXPECT_NE(seen.excess(), "");
  EXPECT_EQ(seen.samples, 4);
}

}  // namespace
}  // namespace moco
