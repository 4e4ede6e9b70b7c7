// Pheromones step by step against their definitions, computed here from what was sampled.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "one_search.h"

namespace moco {
namespace {

using test::OneSearch;
using test::small_graph;

/// A rule with numbers that are none of the defaults.
Model ants(const std::string& family, UpdateRule rule) {
  ModelConfig config;
  config.family = family;
  config.rule = rule;
  config.init = Initialisation::visibility;
  config.evaporation = 0.3;
  config.elitist_weight = 0.75;
  config.trail_weight = 1.25;
  config.visibility_weight = 0.5;
  return {.config = config, .weights = {}};
}

DecisionGraph one_way_graph() {
  PointData cities{.metric = Metric::matrix};
  constexpr int kCities = 7;
  for (int i = 0; i < kCities * kCities; ++i) {
    cities.matrix.push_back(i % (kCities + 1) == 0 ? 0.0 : 1.0 + (i * 13) % 17);
  }
  return decision_graph(find_problem("tsp").make({.name = "one-way", .content = cities}), test_neighbours(4));
}

DecisionGraph weighted_graph() {
  GraphData data{.nodes = 8, .edges = {}, .node_weights = {5.0, 1.0, 2.5, 7.0, 1.5, 3.0, 0.5, 4.0}};
  data.edges = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {0, 7}, {1, 5}};
  return decision_graph(mis().make({.name = "weighted", .content = data}));
}

/// What the pheromones should be, in double precision.
class Trails {
 public:
  Trails(const DecisionGraph& graph, const ModelConfig& config, const std::vector<float>& first_theta)
      : graph_(graph), config_(config), first_(first_theta), values_(static_cast<std::size_t>(graph.variables), 1.0) {}

  void step(const TrajectorySnapshot& now) {
    const auto best = std::ranges::min_element(now.sample_costs);
    const std::vector<Index>& best_items = now.samples[static_cast<std::size_t>(best - now.sample_costs.begin())];
    if (steps_ == 0) {
      unit_ = *best;
    }
    if (steps_ == 0 || *best < best_cost_) {
      best_cost_ = *best;
      best_items_ = best_items;
    }
    ++steps_;
    for (double& value : values_) {
      value *= 1.0 - config_.evaporation;
    }
    if (config_.rule == UpdateRule::max_min) {
      steps_ % 25 == 0 ? deposit(best_items_, config_.evaporation * quality(best_cost_))
                       : deposit(best_items, config_.evaporation * quality(*best));
      for (double& value : values_) {
        value = std::clamp(value, lowest(), highest());
      }
      return;
    }
    const double share = config_.evaporation / (1.0 + config_.elitist_weight);
    for (std::size_t s = 0; s < now.samples.size(); ++s) {
      deposit(now.samples[s], share * quality(now.sample_costs[s]) / static_cast<double>(now.samples.size()));
    }
    deposit(best_items_, share * config_.elitist_weight * quality(best_cost_));
  }

  void expect(const std::vector<float>& theta) const {
    for (std::size_t v = 0; v < theta.size(); ++v) {
      EXPECT_NEAR(theta[v], config_.trail_weight * std::log(values_[v]) + first_[v], 2e-5) << "variable " << v;
    }
  }

  const std::vector<double>& values() const { return values_; }
  double highest() const { return quality(best_cost_); }
  /// A solution of which every choice has τ_max, and all others there are τ_min, is drawn with probability 0.05.
  double lowest() const {
    const bool tour = graph_.kind == VariableKind::edge;
    const auto choices = static_cast<double>(best_items_.size()) - (tour ? 1.0 : 0.0);
    const double others = ((tour ? graph_.degree : graph_.nodes) - 1) / 2.0;
    const double right = std::exp(std::log(0.05) / choices);
    return highest() * (1.0 / right - 1.0) / others;
  }

 private:
  double quality(double cost) const { return cost > 0.0 ? unit_ / cost : cost / unit_; }

  void deposit(const std::vector<Index>& items, double amount) {
    for (std::size_t t = 0; t < items.size(); ++t) {
      if (graph_.kind == VariableKind::node) {
        values_[static_cast<std::size_t>(items[t])] += amount;
        continue;
      }
      const Index from = items[t];
      const Index to = items[(t + 1) % items.size()];
      const Index edge = edge_between(graph_, from, to);
      const Index back = edge_between(graph_, to, from);
      if (edge >= 0) {
        values_[static_cast<std::size_t>(edge)] += amount;
      }
      if (edge >= 0 && back >= 0 && graph_.symmetric) {
        values_[static_cast<std::size_t>(back)] += amount;
      }
    }
  }

  const DecisionGraph& graph_;
  ModelConfig config_;
  std::vector<float> first_;
  std::vector<double> values_;
  double unit_ = 0.0;
  double best_cost_ = 0.0;
  std::vector<Index> best_items_;
  int steps_ = 0;
};

class Pheromones : public ::testing::TestWithParam<UpdateRule> {};

TEST_P(Pheromones, AreThoseOfTheDefinition) {
  for (const std::string kind : {"tsp", "one-way", "mis", "weighted"}) {
    for (const bool improving : {false, true}) {
      SCOPED_TRACE(kind);
      const bool tour = kind == "tsp" || kind == "one-way";
      const DecisionGraph graph = kind == "one-way"    ? one_way_graph()
                                  : kind == "weighted" ? weighted_graph()
                                                       : small_graph(kind);
      const Model model = ants(tour ? "tsp" : "mis", GetParam());
      OneSearch search(graph, model, 3, !improving ? "" : tour ? "oropt3" : "swap12");
      Trails trails(graph, model.config, search.theta());
      for (int k = 0; k < 2; ++k) {
        trails.step(search.sampled());
        trails.expect(search.updated());
      }
    }
  }
}

TEST_P(Pheromones, BeginWithTheWeighedVisibility) {
  const DecisionGraph graph = small_graph("tsp");
  OneSearch search(graph, ants("tsp", GetParam()));
  const std::vector<float> theta = search.theta();
  for (std::size_t v = 0; v < theta.size(); ++v) {
    EXPECT_NEAR(theta[v], 0.5 * std::log(graph.cost_scale / graph.length[v]), 1e-5);
  }
}

TEST_P(Pheromones, GoOnFromTheThetaOfAnotherRule) {
  const DecisionGraph graph = small_graph("mis");
  OneSearch search(graph, adam_model("mis"));
  search.sampled();
  const std::vector<float> before = search.updated();
  const Model model = ants("mis", GetParam());
  search->set_model(model.config, model.weights);
  EXPECT_EQ(search.updated(), before) << "nothing has been deposited";
  Trails trails(graph, model.config, before);
  TrajectorySnapshot now = search.sampled();
  if (now.elite_costs.front() == *std::ranges::min_element(now.sample_costs)) {
    trails.step(now);
    trails.expect(search.updated());
  }
}

TEST_P(Pheromones, DoNotDependOnTheUnitOfLength) {
  const auto thetas = [&](double unit) {
    const DecisionGraph plain = small_graph("tsp");
    PointData cities = std::get<PointData>(plain.instance->problem().data_of(*plain.instance).content);
    for (Point& point : cities.points) {
      point = {unit * point.x, unit * point.y};
    }
    const DecisionGraph graph =
        decision_graph(find_problem("tsp").make({.name = "x", .content = cities}), test_neighbours(5));
    OneSearch search(graph, ants("tsp", GetParam()));
    for (int k = 0; k < 5; ++k) {
      search.sampled();
      search.updated();
    }
    return search.theta();
  };
  EXPECT_EQ(thetas(1.0), thetas(1024.0));
}

TEST_P(Pheromones, StayFiniteWhateverTheNumbers) {
  GraphData nothing{.nodes = 5, .edges = {{0, 1}}, .node_weights = {0.0, 0.0, 0.0, 0.0, 0.0}};
  const DecisionGraph graphs[] = {
      small_graph("tsp"), decision_graph(mis().make({.name = "nothing", .content = nothing})),
      decision_graph(
          find_problem("tsp").make({.name = "here", .content = PointData{.points = std::vector<Point>(6)}}))};
  for (const DecisionGraph& graph : graphs) {
    Model model = ants(graph.kind == VariableKind::edge ? "tsp" : "mis", GetParam());
    model.config.evaporation = 1.0;
    model.config.trail_weight = 1000.0;
    model.config.visibility_weight = 1000.0;
    OneSearch search(graph, model);
    for (int k = 0; k < 30; ++k) {
      search.sampled();
      for (const float theta : search.updated()) {
        ASSERT_TRUE(std::isfinite(theta));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, Pheromones, ::testing::Values(UpdateRule::ant_system, UpdateRule::max_min));

TEST(MaxMin, KeepsToItsBounds) {
  for (const std::string family : {"tsp", "mis"}) {
    const DecisionGraph graph = small_graph(family, 30);
    const Model model = ants(family, UpdateRule::max_min);
    OneSearch search(graph, model);
    Trails trails(graph, model.config, search.theta());
    for (int k = 0; k < 60; ++k) {  // of which two deposit the best so far
      trails.step(search.sampled());
      trails.expect(search.updated());
    }
    const auto [low, high] = std::ranges::minmax(trails.values());
    EXPECT_EQ(low, trails.lowest());
    EXPECT_LE(high, trails.highest());
    EXPECT_GT(high, 0.99 * trails.highest());
    EXPECT_LT(trails.lowest(), 0.1 * trails.highest());
  }
}

}  // namespace
}  // namespace moco
