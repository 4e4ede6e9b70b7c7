// Where θ begins, and that every beginning goes with every rule.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "moco/engine/features.h"
#include "moco/error.h"
#include "one_search.h"

namespace moco {
namespace {

using test::OneSearch;
using test::small_graph;
using test::small_model;

TEST(Initialisation, HeuristicOfToursIsTheirLength) {
  const DecisionGraph graph = small_graph("tsp");
  OneSearch search(graph, small_model("tsp", Initialisation::heuristic, UpdateRule::adam));
  const std::vector<float> theta = search.theta();
  for (std::size_t v = 0; v < theta.size(); ++v) {
    EXPECT_FLOAT_EQ(theta[v], static_cast<float>(-graph.length[v] / graph.cost_scale));
  }
}

TEST(Initialisation, HeuristicOfSetsIsTheShareOfAGreedyInsertion) {
  GraphData data{.nodes = 4, .edges = {{0, 1}, {0, 2}, {0, 3}}, .node_weights = {}};
  const InstancePtr star = mis().make({.name = "star", .content = data});
  data.node_weights = {6.0, 1.0, 1.0, 0.0};
  const InstancePtr heavy = mis().make({.name = "heavy", .content = data});
  for (const InstancePtr& instance : {star, heavy}) {
    const DecisionGraph graph = decision_graph(instance);
    OneSearch search(graph, small_model("mis", Initialisation::heuristic, UpdateRule::adam));
    const std::vector<float> theta = search.theta();
    const bool weighted = instance == heavy;
    EXPECT_FLOAT_EQ(theta[0], std::log((weighted ? 3.0f : 1.0f) / 4.0f));
    EXPECT_FLOAT_EQ(theta[1], std::log((weighted ? 0.5f : 1.0f) / 2.0f));
    EXPECT_TRUE(std::isfinite(theta[3])) << "a node may weigh nothing";
    EXPECT_EQ(theta[3] < theta[1], weighted);
  }
}

TEST(Initialisation, VisibilityOfToursIsTheInverseLength) {
  DecisionGraph graph = small_graph("tsp");
  graph.feature[3] = 0.0f;  // as between two cities at one place
  OneSearch search(graph, small_model("tsp", Initialisation::visibility, UpdateRule::adam));
  const std::vector<float> theta = search.theta();
  for (std::size_t v = 0; v < theta.size(); ++v) {
    if (v != 3) {
      EXPECT_NEAR(theta[v], std::log(graph.cost_scale / graph.length[v]), 1e-5);
      EXPECT_GT(theta[3], theta[v]);
    }
  }
  EXPECT_TRUE(std::isfinite(theta[3]));
}

TEST(Initialisation, VisibilityOfSetsIsTheirHeuristic) {
  const DecisionGraph graph = small_graph("mis");
  OneSearch visible(graph, small_model("mis", Initialisation::visibility, UpdateRule::adam));
  OneSearch heuristic(graph, small_model("mis", Initialisation::heuristic, UpdateRule::adam));
  EXPECT_EQ(visible.theta(), heuristic.theta());
}

TEST(Initialisation, UniformLeavesAllChoicesAlike) {
  for (const char* family : {"tsp", "mis"}) {
    const DecisionGraph graph = small_graph(family);
    OneSearch search(graph, small_model(family, Initialisation::uniform, UpdateRule::gnn));
    EXPECT_EQ(search.theta(), std::vector<float>(static_cast<std::size_t>(graph.variables), 0.0f));
  }
}

TEST(Initialisation, ALearnedUpdateGoesOnFromAnyBeginning) {
  for (const char* family : {"tsp", "mis"}) {
    for (const ThetaUpdate update : {ThetaUpdate::absolute, ThetaUpdate::residual}) {
      const DecisionGraph graph = small_graph(family);
      Model whole = small_model(family, Initialisation::learned, UpdateRule::gnn);
      whole.config.theta_update = update;
      const Model changed = changed_model(whole, {.init = Initialisation::heuristic, .rule = {}, .learning_rate = {}});
      EXPECT_LT(changed.weights.size(), whole.weights.size()) << "GNN_init is left out";
      OneSearch by_heuristic(graph, changed);
      OneSearch by_hand(graph, whole);
      by_hand->set_theta(0, by_heuristic.theta());
      EXPECT_EQ(by_hand.sampled().samples, by_heuristic.sampled().samples);
      EXPECT_EQ(by_hand.updated(), by_heuristic.updated());
    }
  }
}

TEST(Initialisation, AnchoredUpdatesStepFromTheBeginning) {
  const DecisionGraph graph = small_graph("tsp");
  Model model = small_model("tsp", Initialisation::heuristic, UpdateRule::gnn);
  model.config.theta_update = ThetaUpdate::anchored;
  std::fill(model.weights.begin(), model.weights.end(), 0.0f);  // θ̃ = 0, α = ½
  OneSearch search(graph, model);
  const std::vector<float> first = search.theta();
  for (int k = 0; k < 3; ++k) {
    search.sampled();
    EXPECT_EQ(search.updated(), first);
  }
}

TEST(Initialisation, AdamGoesOnFromALearnedBeginning) {
  for (const char* family : {"tsp", "mis"}) {
    const DecisionGraph graph = small_graph(family);
    const Model whole = small_model(family, Initialisation::learned, UpdateRule::gnn);
    const Model changed = changed_model(whole, {.init = {}, .rule = UpdateRule::adam, .learning_rate = 0.3});
    OneSearch learned(graph, whole);
    OneSearch search(graph, changed);
    const std::vector<float> first = search.theta();
    EXPECT_EQ(first, learned.theta());
    const TrajectorySnapshot state = search.sampled();
    const std::vector<float> next = search.updated();
    const AdamStep step(0.3, 1);
    for (std::size_t v = 0; v < first.size(); ++v) {
      float moments[2] = {0.0f, 0.0f};
      EXPECT_EQ(next[v], step.apply(first[v], state.gradient[v], moments[0], moments[1]));
    }
  }
}

TEST(ChangedModel, RefusesWhatTheModelDoesNotHave) {
  const auto refused = [](const Model& model, const ModelChanges& changes) {
    try {
      changed_model(model, changes);
    } catch (const OptionError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refused(adam_model("tsp"), {.init = Initialisation::learned, .rule = {}, .learning_rate = {}}),
            "the model has no networks for init 'learned' with rule 'adam': it was made for init 'heuristic' with rule "
            "'adam'");
  EXPECT_NE(refused(adam_model("mis"), {.init = {}, .rule = UpdateRule::gnn, .learning_rate = {}}), "");
  const Model learned = small_model("tsp", Initialisation::learned, UpdateRule::gnn);
  EXPECT_EQ(refused(learned, {.init = {}, .rule = {}, .learning_rate = 0.1}), "the learning rate is one of rule adam");
  EXPECT_EQ(refused(learned, {.init = {}, .rule = {}, .evaporation = 0.1}),
            "the evaporation is one of rules ant-system and max-min");
  EXPECT_EQ(refused(learned, {.init = {}, .rule = UpdateRule::max_min, .elitist_weight = 1.0}),
            "the elitist weight is one of rule ant-system");
  EXPECT_EQ(refused(learned, {.init = {}, .rule = UpdateRule::max_min, .evaporation = 1.5}),
            "evaporation 1.5 is not in 1e-09 … 1");
  EXPECT_NE(refused(learned, {.init = {}, .rule = UpdateRule::adam, .learning_rate = -1.0}), "");
  const Model same = changed_model(learned, {});
  EXPECT_EQ(same.config, learned.config);
  EXPECT_EQ(same.weights, learned.weights);
}

}  // namespace
}  // namespace moco
