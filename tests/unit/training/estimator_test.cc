// The estimator on functions whose gradient is known, and the rules it must obey on any function.
#include "moco/training/estimator.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "moco/core/noise.h"
#include "moco/engine/noise_sum.h"
#include "moco/engine/registry.h"
#include "moco/training/shaping.h"
#include "moco/training/tasks.h"
#include "unit/training/support.h"

namespace moco {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;

/// L(p) = ½ Σ a_j (p_j − t_j)² + noise drawn from the unroll's stream.
class Quadratic final : public LossOracle {
 public:
  explicit Quadratic(double noise) : noise_(noise) {}

  std::vector<double> losses(std::span<const WeightSet> weights, std::span<const Unroll> unrolls, int) override {
    std::vector<double> all;
    for (const Unroll& unroll : unrolls) {
      const WeightSet& set = weights[unroll.weights];
      double loss = noise_ * static_cast<double>(normal_noise(unroll.stream, 0));
      for (std::size_t j = 0; j < set.base.size(); ++j) {
        const double p = static_cast<double>(set.base[j]) +
                         static_cast<double>(set.sigma) * static_cast<double>(normal_noise(set.noise, j));
        loss += 0.5 * curvature(j) * (p - target(j)) * (p - target(j));
      }
      all.push_back(loss);
    }
    return all;
  }
  void add_noise(std::span<const StreamKey> keys, std::span<const float> factors, std::span<float> sum) override {
    sum_noise(keys, factors, sum);
  }

  static double curvature(std::size_t j) { return 0.5 + static_cast<double>(j % 3); }
  static double target(std::size_t j) { return 0.1 * static_cast<double>(j); }
  static double gradient(std::size_t j, double p) { return curvature(j) * (p - target(j)); }

 private:
  double noise_;
};

std::vector<Pair> make_pairs(std::size_t count, bool share_stream) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    pairs.push_back({stream_key(1, 2, i), nullptr, stream_key(3, 4, share_stream ? 0 : i)});
  }
  return pairs;
}

std::vector<StreamKey> keys_of(const std::vector<Pair>& pairs) {
  std::vector<StreamKey> keys;
  for (const Pair& pair : pairs) {
    keys.push_back(pair.noise);
  }
  return keys;
}

EsConfig raw_es(double sigma) {
  EsConfig es;
  es.sigma = sigma;
  es.shaping = Shaping::raw;
  return es;
}

class EstimatorExpectation : public ::testing::TestWithParam<double> {};

TEST_P(EstimatorExpectation, IsTheGradient) {
  constexpr std::size_t kPairs = 40000;
  Quadratic oracle(GetParam());
  const std::vector<float> parameters = {0.7f, -0.4f, 1.2f, 0.0f, 0.3f};
  const std::vector<Pair> pairs = make_pairs(kPairs, false);
  std::vector<float> estimate(parameters.size());
  const std::vector<double> losses = pair_losses(oracle, parameters, 0.1, pairs, 1);
  const EsStatistics statistics = es_gradient(oracle, losses, keys_of(pairs), raw_es(0.1), estimate);
  double square = 0.0;
  for (std::size_t j = 0; j < parameters.size(); ++j) {
    square += std::pow(Quadratic::gradient(j, static_cast<double>(parameters[j])), 2);
  }
  for (std::size_t j = 0; j < parameters.size(); ++j) {
    // For a quadratic the differences are linear in the noise: no bias, and the variance of an element is
    // (‖g‖² + g_j²)/pairs.
    const double exact = Quadratic::gradient(j, static_cast<double>(parameters[j]));
    EXPECT_NEAR(static_cast<double>(estimate[j]), exact, 4.5 * std::sqrt((square + exact * exact) / kPairs)) << j;
  }
  EXPECT_NEAR(statistics.difference, 2.0 * 0.1 * std::sqrt(square), 0.01 * 0.2 * std::sqrt(square));
}

/// The noise of the loss is far larger than the differences; only common random numbers keep it out of the estimate.
INSTANTIATE_TEST_SUITE_P(Noise, EstimatorExpectation, ::testing::Values(0.0, 100.0));

TEST(Estimator, SwappingTheHalvesTurnsTheSign) {
  Quadratic oracle(1.0);
  const std::vector<float> parameters = {0.7f, -0.4f, 1.2f};
  const std::vector<Pair> pairs = make_pairs(16, false);
  const std::vector<double> losses = pair_losses(oracle, parameters, 0.05, pairs, 1);
  std::vector<double> swapped = losses;
  for (std::size_t i = 0; i < swapped.size(); i += 2) {
    std::swap(swapped[i], swapped[i + 1]);
  }
  for (const Shaping shaping : {Shaping::raw, Shaping::normalised, Shaping::rank, Shaping::sign}) {
    EsConfig es = raw_es(0.05);
    es.shaping = shaping;
    std::vector<float> there(3);
    std::vector<float> back(3);
    es_gradient(oracle, losses, keys_of(pairs), es, there);
    es_gradient(oracle, swapped, keys_of(pairs), es, back);
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_FLOAT_EQ(there[j], -back[j]);
      EXPECT_NE(there[j], 0.0f);
    }
  }
}

TEST(Estimator, HalvesOfAPairArePlusAndMinusSigma) {
  Quadratic oracle(0.0);
  const std::vector<float> parameters = {0.5f};
  const std::vector<Pair> pairs = make_pairs(1, true);
  const double e = static_cast<double>(normal_noise(pairs[0].noise, 0));
  const std::vector<double> losses = pair_losses(oracle, parameters, 0.25, pairs, 1);
  ASSERT_EQ(losses.size(), 2u);
  EXPECT_NEAR(losses[0], 0.25 * std::pow(0.5 + 0.25 * e, 2), 1e-7);
  EXPECT_NEAR(losses[1], 0.25 * std::pow(0.5 - 0.25 * e, 2), 1e-7);
}

TEST(Estimator, CommonRandomNumbersOnTheRealSearch) {
  for (const std::string problem : {"tsp", "mis"}) {
    TrainConfig config = training_test::tiny_config(problem);
    config.data.nodes = {60};
    const std::unique_ptr<Engine> engine = make_engine(EngineKind::cpu, 2);
    EngineOracle oracle(*engine, config);
    const std::vector<TrainingTask> tasks = TaskSource(config).make(0, {0, 4}, Executor());
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      pairs.push_back({stream_key(1, 2, i), &tasks[i].graph, tasks[i].stream});
    }
    const Model model = random_model(config.model, 1);
    const std::vector<double> still = pair_losses(oracle, model.weights, 1e-12, pairs, 5);
    const std::vector<double> moved = pair_losses(oracle, model.weights, 0.5, pairs, 5);
    bool differs = false;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      EXPECT_EQ(still[2 * i], still[2 * i + 1]) << problem << ": equal weights, equal draws";
      differs = differs || moved[2 * i] != moved[2 * i + 1];
    }
    EXPECT_TRUE(differs) << problem;
  }
}

TEST(Loss, IsInTheUnitSquareOrItsLogarithm) {
  const TrajectoryStatus tour{.best_cost = 700.0, .elite_cost = 720.0};
  EXPECT_DOUBLE_EQ(loss_of(tour, 100.0, LossKind::best), 7.0);
  EXPECT_DOUBLE_EQ(loss_of(tour, 100.0, LossKind::log), std::log(7.0));
  EXPECT_DOUBLE_EQ(loss_of(tour, 100.0, LossKind::elite), 7.2);
  const TrajectoryStatus set{.best_cost = -45.0, .elite_cost = -44.5};
  EXPECT_DOUBLE_EQ(loss_of(set, 1.0, LossKind::best), -45.0);
  EXPECT_DOUBLE_EQ(loss_of(set, 1.0, LossKind::log), -std::log(45.0));
  EXPECT_DOUBLE_EQ(loss_of(set, 1.0, LossKind::elite), -44.5);
}

TEST(Shaping, Values) {
  const auto shaped = [](std::vector<double> d, Shaping shaping) {
    shape_differences(d, shaping);
    return d;
  };
  const std::vector<double> d = {3.0, -4.0, 0.0, 0.0};
  EXPECT_THAT(shaped(d, Shaping::raw), ElementsAre(3.0, -4.0, 0.0, 0.0));
  EXPECT_THAT(shaped(d, Shaping::normalised), ElementsAre(DoubleEq(1.2), DoubleEq(-1.6), 0.0, 0.0));
  EXPECT_THAT(shaped(d, Shaping::rank), ElementsAre(0.75, -1.0, 0.0, 0.0));
  EXPECT_THAT(shaped(d, Shaping::sign), ElementsAre(1.0, -1.0, 0.0, 0.0));
  EXPECT_THAT(shaped({2.0, -2.0, 1.0}, Shaping::rank),
              ElementsAre(DoubleEq(2.5 / 3), DoubleEq(-2.5 / 3), DoubleEq(1.0 / 3)));
  EXPECT_THAT(shaped({0.0, 0.0}, Shaping::normalised), ElementsAre(0.0, 0.0));
}

TEST(Shaping, ClipsAndDropsWhatIsNotFinite) {
  std::vector<double> d = {3.0, -4.0, 0.5, std::nan(""), -INFINITY};
  clip_differences(d, 1.0);
  EXPECT_THAT(d, ElementsAre(1.0, -1.0, 0.5, 0.0, 0.0));
  d = {3.0, -4.0};
  clip_differences(d, 0.0);
  EXPECT_THAT(d, ElementsAre(3.0, -4.0));
}

TEST(NoiseSum, IsTheSumOfTheNoiseVectorsForAnyThreadsAndLength) {
  const std::vector<StreamKey> keys = {stream_key(5, 6, 7), stream_key(5, 6, 8), stream_key(5, 6, 9)};
  const std::vector<float> weights = {0.5f, 0.0f, -2.0f};
  ThreadPool pool(3);
  for (const std::size_t size : {std::size_t{1}, std::size_t{31}, std::size_t{33}, std::size_t{20001}}) {
    std::vector<float> expected(size, 1.0f);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      for (std::size_t p = 0; p < size; ++p) {
        const float term = weights[i] * normal_noise(keys[i], p);
        expected[p] += term;
      }
    }
    std::vector<float> alone(size, 1.0f);
    std::vector<float> together(size, 1.0f);
    sum_noise(keys, weights, alone);
    sum_noise(keys, weights, together, Executor(pool));
    EXPECT_EQ(alone, expected) << size;
    EXPECT_EQ(together, expected) << size;
  }
}

}  // namespace
}  // namespace moco
