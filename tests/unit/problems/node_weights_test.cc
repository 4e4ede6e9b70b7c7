// Weights of nodes in decision graphs, and the greedy sets of weighted graphs.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "moco/core/halt.h"
#include "moco/core/random.h"
#include "moco/generate.h"
#include "moco/problems/decision_graph.h"
#include "options.h"

namespace moco {
namespace {

std::shared_ptr<const GraphInstance> weighted(std::vector<double> weights) {
  const auto n = static_cast<Index>(weights.size());
  return std::make_shared<GraphInstance>(mis(), "weighted", n, std::vector<Edge>{}, std::move(weights));
}

TEST(NodeWeights, AddUpExactlyInAnyOrder) {
  RandomSequence random(stream_key(3, 0, 0), Purpose::generator);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> weights(2 + random.next_below(500));
    for (double& weight : weights) {  // from 2^-60 to 2^47: sums of the weights as they are would be rounded
      weight = std::scalbn(1.0 + random.next_double(), static_cast<int>(random.next_below(107)) - 60);
    }
    const DecisionGraph graph = decision_graph(weighted(weights));
    std::vector<double> sorted = graph.weights;
    std::ranges::sort(sorted);
    const double up = std::accumulate(sorted.begin(), sorted.end(), 0.0);
    const double down = std::accumulate(sorted.rbegin(), sorted.rend(), 0.0);
    const double given = std::accumulate(graph.weights.begin(), graph.weights.end(), 0.0);
    EXPECT_EQ(up, down);
    EXPECT_EQ(up, given);
    EXPECT_EQ(given - std::accumulate(sorted.begin(), sorted.begin() + 1, 0.0),
              std::accumulate(sorted.begin() + 1, sorted.end(), 0.0));
    for (std::size_t i = 0; i < weights.size(); ++i) {
      EXPECT_NEAR(graph.weights[i], weights[i], up * 0x1p-52);
    }
  }
}

TEST(NodeWeights, StayAsTheyAreWhereSumsOfThemAreExact) {
  const std::vector<double> integers{1, 100, 0, 7, 123456789};
  EXPECT_EQ(decision_graph(weighted(integers)).weights, integers);
  const std::vector<double> smallest{5e-324, 0.0, 1e-310};
  EXPECT_EQ(decision_graph(weighted(smallest)).weights, smallest);
}

TEST(NodeWeights, AreScaledByTheirMean) {
  const DecisionGraph graph = decision_graph(weighted({1.0, 2.0, 6.0}));
  EXPECT_TRUE(graph.weighted);
  EXPECT_EQ(graph.cost_scale, 3.0);
  EXPECT_EQ(graph.feature, (std::vector<float>{1.0f / 3.0f, 2.0f / 3.0f, 2.0f}));
  EXPECT_EQ(decision_graph(weighted({0.0, 0.0})).cost_scale, 1.0);
  const DecisionGraph plain = decision_graph(std::make_shared<GraphInstance>(mis(), "plain", 3, std::vector<Edge>{}));
  EXPECT_FALSE(plain.weighted);
  EXPECT_TRUE(plain.weights.empty());
  EXPECT_EQ(plain.cost_scale, 1.0);
  EXPECT_TRUE(decision_graph_shape(weighted({1.0, 2.0}), {}).weighted);
  EXPECT_FALSE(decision_graph_shape(plain.instance, {}).weighted);
}

TEST(GreedyWeightSet, IsMaximalAndHeavierThanOneThatDoesNotLookAtWeights) {
  const Halt never(Halt::Clock::now(), std::numeric_limits<double>::infinity());
  double by_weight = 0.0;
  double by_degree = 0.0;
  for (const std::string_view kind : {"er", "ba", "rb", "sat"}) {
    for (const std::string_view weights : {"uniform", "integer", "degree"}) {
      GeneratorOptions options = test_generator(kind);
      options.nodes = 200;
      const InstancePtr plain = generate(options);
      options.own.set("weights", weights);
      const auto instance = std::dynamic_pointer_cast<const GraphInstance>(generate(options));
      const Solution set = mis().greedy_items(decision_graph(instance), {}, never);
      const CheckResult check = instance->check(set);
      ASSERT_TRUE(check.feasible) << check.violation;
      for (Index node = 0; node < instance->size(); ++node) {
        const auto row = instance->neighbours(node);
        EXPECT_TRUE(std::ranges::find(set.items, node) != set.items.end() ||
                    std::ranges::any_of(row, [&](Index other) { return std::ranges::count(set.items, other) > 0; }));
      }
      EXPECT_TRUE(instance->check(mis().instant_solution(instance)).feasible);
      by_weight += check.cost / decision_graph(instance).cost_scale;
      by_degree += instance->check(mis().greedy_items(decision_graph(plain), {}, never)).cost /
                   decision_graph(instance).cost_scale;
    }
  }
  EXPECT_LT(by_weight, by_degree);
}

}  // namespace
}  // namespace moco
