// Features of the search state: values, order, empty slots.
#include "moco/engine/features.h"

#include <gtest/gtest.h>

#include "moco/engine/cpu/trajectory.h"
#include "moco/generate.h"
#include "options.h"

namespace moco {
namespace {

TEST(GlobalFeatures, HaveTheDocumentedOrder) {
  ASSERT_EQ(kVariableFeatures, 41);
  ASSERT_EQ(kGlobalFeatures, 45);
  std::vector<float> out(kGlobalFeatures);
  const std::vector<double> costs{8.0, 9.0, 10.0};
  global_features(costs.data(), 3, 12.0, 30, 200, out.data());
  EXPECT_FLOAT_EQ(out[0], 0.0f);
  EXPECT_FLOAT_EQ(out[1], 0.125f);
  EXPECT_FLOAT_EQ(out[2], 0.25f);
  for (std::size_t l = 3; l < 32; ++l) {
    EXPECT_FLOAT_EQ(out[l], 1.0f) << "empty slot " << l;
  }
  EXPECT_FLOAT_EQ(out[32], 0.5f) << "(12 − 8)/8";
  const float scales[] = {1, 3, 10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000};
  for (std::size_t i = 0; i < 11; ++i) {
    EXPECT_FLOAT_EQ(out[33 + i], std::tanh(30.0f / scales[i] - 1.0f));
  }
  EXPECT_FLOAT_EQ(out[44], 0.15f);
}

TEST(GlobalFeatures, FirstStepAndNegativeAndZeroCosts) {
  std::vector<float> out(kGlobalFeatures);
  const std::vector<double> sets{-10.0, -8.0};
  global_features(sets.data(), 2, 0.0, 0, 50, out.data());
  EXPECT_FLOAT_EQ(out[1], -0.2f) << "(−8 + 10)/−10";
  EXPECT_FLOAT_EQ(out[32], 1.0f) << "first step";
  EXPECT_FLOAT_EQ(out[44], 0.0f);
  const std::vector<double> zero{0.0, 0.0};
  global_features(zero.data(), 2, 0.0, 3, 50, out.data());
  for (const float value : out) {
    EXPECT_TRUE(std::isfinite(value));
  }
}

TEST(Alpha, IsTheAuthorsRuleAndNeverZero) {
  EXPECT_FLOAT_EQ(alpha_of(0.0f), 0.5f);
  EXPECT_FLOAT_EQ(alpha_of(1.0f), 0.5f * (std::tanh(1.0f) + 1.0f));
  EXPECT_FLOAT_EQ(alpha_of(-100.0f), kSmallestAlpha);
  EXPECT_FLOAT_EQ(proposed_theta(ThetaUpdate::absolute, 3.0f, 0.5f) / theta_divisor(ThetaUpdate::absolute, 0.0f), 1.0f);
  for (const ThetaUpdate step : {ThetaUpdate::residual, ThetaUpdate::anchored}) {
    EXPECT_FLOAT_EQ(proposed_theta(step, 3.0f, 0.0f) / theta_divisor(step, 0.0f), 3.0f) << "nothing decoded, no change";
  }
  EXPECT_FLOAT_EQ(proposed_theta(ThetaUpdate::residual, 3.0f, 0.5f), 3.0f + 0.5f * kThetaStep);
  EXPECT_FLOAT_EQ(proposed_theta(ThetaUpdate::anchored, 3.0f, 0.5f), 3.0f + 0.5f * kAnchoredStep);
}

TEST(BoundedTheta, CutsOffWhateverANetworkEmits) {
  EXPECT_EQ(bounded_theta(3.5f), 3.5f);
  EXPECT_EQ(bounded_theta(INFINITY), kThetaLimit);
  EXPECT_EQ(bounded_theta(-INFINITY), -kThetaLimit);
  EXPECT_EQ(bounded_theta(NAN), 0.0f);
}

TEST(AdamStep, FollowsTheTextbook) {
  float first = 0.0f;
  float second = 0.0f;
  double theta = 1.0;
  float actual = 1.0f;
  double m = 0.0;
  double v = 0.0;
  const double gradients[] = {0.5, -0.2, 0.1, 0.4};
  for (int t = 1; t <= 4; ++t) {
    const double g = gradients[t - 1];
    m = 0.9 * m + 0.1 * g;
    v = 0.999 * v + 0.001 * g * g;
    theta -= 0.1 * (m / (1.0 - std::pow(0.9, t))) / (std::sqrt(v / (1.0 - std::pow(0.999, t))) + 1e-8);
    actual = AdamStep(0.1, t).apply(actual, static_cast<float>(g), first, second);
    EXPECT_NEAR(static_cast<double>(actual), theta, 1e-6);
  }
}

TEST(VariableFeatures, HaveTheDocumentedOrder) {
  GeneratorOptions generator;
  generator.nodes = 10;
  const DecisionGraph graph = decision_graph(generate(generator), test_neighbours(4));
  cpu::TrajectoryState state(graph, {}, EliteRule::paper, stream_key(1, 0, 0), 0);
  const std::size_t total = state.variables();
  for (std::size_t v = 0; v < total; ++v) {
    state.theta[v] = 1000.0f + static_cast<float>(v);
    state.gradient[v] = 2000.0f + static_cast<float>(v);
    for (std::size_t m = 0; m < kMomenta; ++m) {
      state.momenta[m * total + v] = 100.0f * static_cast<float>(m) + static_cast<float>(v);
    }
    state.membership[v] = v % 2 == 0 ? 0x80000005u : 0u;
  }
  std::vector<float> rows(3 * kVariableFeatures);
  state.features(6, 9, 2.0f, rows.data());
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t v = 6 + i;
    const float* row = rows.data() + i * kVariableFeatures;
    EXPECT_EQ(row[0], graph.feature[v]);
    for (std::size_t l = 0; l < 32; ++l) {
      EXPECT_EQ(row[1 + l], v % 2 == 0 && (l == 0 || l == 2 || l == 31) ? 1.0f : 0.0f);
    }
    for (std::size_t m = 0; m < 6; ++m) {
      EXPECT_EQ(row[33 + m], 2.0f * state.momenta[m * total + v]);
    }
    EXPECT_EQ(row[39], 2.0f * state.gradient[v]);
    EXPECT_EQ(row[40], state.theta[v]);
  }
}

TEST(VariableFeatures, EndWithTheWeightWhereAModelSeesIt) {
  GeneratorOptions generator = test_generator("er");
  generator.nodes = 9;
  for (const std::string_view weights : {"none", "integer"}) {
    generator.own.set("weights", weights);
    const DecisionGraph graph = decision_graph(generate(generator));
    cpu::TrajectoryState state(graph, {}, EliteRule::paper, stream_key(1, 0, 0), 0);
    std::vector<float> plain(9 * 41);
    state.features(0, 9, 1.0f, plain.data());
    state.shows_weights = true;
    std::vector<float> rows(9 * 42);
    std::vector<float> first(9 * 2);
    state.features(0, 9, 1.0f, rows.data());
    state.instance_features(0, 9, first.data());
    double sum = 0.0;
    for (std::size_t v = 0; v < 9; ++v) {
      EXPECT_TRUE(std::equal(plain.begin() + static_cast<std::ptrdiff_t>(41 * v),
                             plain.begin() + static_cast<std::ptrdiff_t>(41 * v + 41),
                             rows.begin() + static_cast<std::ptrdiff_t>(42 * v)));
      const float expected = graph.weighted ? static_cast<float>(graph.weights[v] / graph.cost_scale) : 1.0f;
      EXPECT_EQ(rows[42 * v + 41], expected);
      EXPECT_EQ(first[2 * v], 1.0f);
      EXPECT_EQ(first[2 * v + 1], expected);
      sum += static_cast<double>(expected);
    }
    EXPECT_NEAR(sum / 9, 1.0, 1e-6) << "weights are shown as shares of their mean";
  }
}

}  // namespace
}  // namespace moco
