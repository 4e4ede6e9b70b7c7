// Adam, AdamW and the schedules against values computed by hand.
#include "moco/training/optimizer.h"

#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "moco/training/schedules.h"
#include "unit/training/support.h"

namespace moco {
namespace {

TEST(Adam, TwoStepsByHand) {
  OptimizerConfig optimizer;
  optimizer.beta1 = 0.9;
  optimizer.beta2 = 0.99;
  optimizer.epsilon = 0.1;
  AdamState state(1);
  std::vector<float> p = {1.0f};
  adam_step(optimizer, 0.5, std::vector<float>{2.0f}, state, p);
  // m = 0.2, v = 0.04; corrected 2 and 4: 1 − 0.5·2/(2 + 0.1)
  EXPECT_NEAR(p[0], 1.0 - 1.0 / 2.1, 1e-6);
  adam_step(optimizer, 0.25, std::vector<float>{-1.0f}, state, p);
  // m = 0.08, v = 0.0496; corrected 0.08/0.19 and 0.0496/0.0199
  EXPECT_NEAR(p[0], 1.0 - 1.0 / 2.1 - 0.25 * (0.08 / 0.19) / (std::sqrt(0.0496 / 0.0199) + 0.1), 1e-6);
  EXPECT_NEAR(state.first[0], 0.08, 1e-7);
  EXPECT_NEAR(state.second[0], 0.0496, 1e-7);
  EXPECT_EQ(state.steps, 2);
}

TEST(Adam, WeightDecayIsPartOfTheGradient) {
  OptimizerConfig optimizer;
  optimizer.weight_decay = 0.5;
  AdamState state(1);
  std::vector<float> p = {3.0f};
  adam_step(optimizer, 0.01, std::vector<float>{0.0f}, state, p);
  EXPECT_NEAR(p[0], 3.0 - 0.01, 1e-6) << "a first step has length r whatever the gradient";
  EXPECT_NEAR(state.first[0], 0.1 * 1.5, 1e-6);
}

TEST(AdamW, WeightDecayIsDecoupled) {
  OptimizerConfig optimizer;
  optimizer.kind = OptimizerKind::adamw;
  optimizer.weight_decay = 0.5;
  AdamState state(2);
  std::vector<float> p = {3.0f, 3.0f};
  adam_step(optimizer, 0.01, std::vector<float>{0.0f, 1.0f}, state, p);
  EXPECT_NEAR(p[0], 3.0 * (1.0 - 0.01 * 0.5), 1e-6);
  EXPECT_NEAR(p[1], 3.0 * (1.0 - 0.01 * 0.5) - 0.01, 1e-6);
  EXPECT_EQ(state.first[0], 0.0f);
}

TEST(GradientClip, ScalesDownOnly) {
  std::vector<float> g = {3.0f, 4.0f};
  EXPECT_DOUBLE_EQ(clip_gradient(g, 10.0), 5.0);
  EXPECT_EQ(g, (std::vector<float>{3.0f, 4.0f}));
  EXPECT_DOUBLE_EQ(clip_gradient(g, 0.0), 5.0);
  EXPECT_DOUBLE_EQ(clip_gradient(g, 1.0), 5.0);
  EXPECT_NEAR(g[0], 0.6, 1e-7);
  EXPECT_NEAR(g[1], 0.8, 1e-7);
}

TEST(LearningRate, WarmsUpAndFalls) {
  OptimizerConfig optimizer;
  optimizer.learning_rate = 2.0;
  optimizer.warmup = 4;
  EXPECT_DOUBLE_EQ(learning_rate(optimizer, 0, 104), 0.5);
  EXPECT_DOUBLE_EQ(learning_rate(optimizer, 3, 104), 2.0);
  EXPECT_DOUBLE_EQ(learning_rate(optimizer, 4, 104), 2.0);
  EXPECT_DOUBLE_EQ(learning_rate(optimizer, 29, 104), 1.0 + std::cos(std::acos(-1.0) / 4.0));
  EXPECT_DOUBLE_EQ(learning_rate(optimizer, 54, 104), 1.0);
  EXPECT_NEAR(learning_rate(optimizer, 104, 104), 0.0, 1e-15);
  optimizer.schedule = RateSchedule::constant;
  EXPECT_DOUBLE_EQ(learning_rate(optimizer, 1, 104), 1.0);
  EXPECT_DOUBLE_EQ(learning_rate(optimizer, 103, 104), 2.0);
}

TEST(Curve, IsLinearBetweenItsPoints) {
  const Curve curve = {{0.25, 20.0}, {0.5, 40.0}, {0.5, 100.0}, {1.0, 200.0}};
  EXPECT_DOUBLE_EQ(curve_at(curve, 0.0), 20.0);
  EXPECT_DOUBLE_EQ(curve_at(curve, 0.375), 30.0);
  EXPECT_DOUBLE_EQ(curve_at(curve, 0.5), 100.0) << "two points in one place make a jump";
  EXPECT_DOUBLE_EQ(curve_at(curve, 0.75), 150.0);
  EXPECT_DOUBLE_EQ(curve_at(curve, 1.0), 200.0);
}

TEST(SearchSteps, ConstantCurveAndLogUniform) {
  TrainConfig config = training_test::tiny_config();
  config.steps = 101;
  config.search_steps = {{0.0, 17.0}};
  EXPECT_EQ(search_steps(config, 0), 17);
  EXPECT_EQ(search_steps(config, 100), 17);
  config.search_steps = {{0.0, 20.0}, {1.0, 220.0}};
  EXPECT_EQ(search_steps(config, 0), 20);
  EXPECT_EQ(search_steps(config, 50), 120);
  EXPECT_EQ(search_steps(config, 100), 220);
  EXPECT_EQ(most_search_steps(config), 220);

  config.steps = 4000;
  config.search_steps = {{0.0, 160.0}};
  config.least_search_steps = 10;
  int below_middle = 0;
  for (int step = 0; step < config.steps; ++step) {
    const int k = search_steps(config, step);
    ASSERT_GE(k, 10);
    ASSERT_LE(k, 160);
    below_middle += k < 40 ? 1 : 0;  // √(10·160) = 40 halves the range of logarithms
  }
  EXPECT_NEAR(below_middle, 2000, 130);
}

TEST(SizeChoice, PerStepOrPerInstance) {
  TrainConfig config = training_test::tiny_config();
  config.data.nodes = {10, 20, 30};
  std::map<std::size_t, int> counts;
  for (int step = 0; step < 300; ++step) {
    const std::size_t choice = size_choice(config, step, 0);
    EXPECT_EQ(size_choice(config, step, 5), choice);
    ++counts[choice];
  }
  EXPECT_EQ(counts.size(), 3u);
  config.data.mix = SizeMix::instance;
  counts.clear();
  for (std::uint64_t instance = 0; instance < 300; ++instance) {
    ++counts[size_choice(config, 0, instance)];
  }
  EXPECT_EQ(counts.size(), 3u);
  EXPECT_GT(counts[0], 60);
}

}  // namespace
}  // namespace moco
