// Rule mlp: the forward pass and the update against a literal evaluation in double precision.
#include "moco/engine/cpu/mlp.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "moco/engine/features.h"
#include "one_search.h"
#include "reference_network.h"

namespace moco {
namespace {

using test::OneSearch;
using test::small_graph;

Model mlp_model(const std::string& family, int hidden, int blocks) {
  ModelConfig config;
  config.family = family;
  config.init = Initialisation::heuristic;
  config.rule = UpdateRule::mlp;
  config.hidden = hidden;
  config.blocks = blocks;
  Model model = random_model(config, 3);
  RandomSequence random(stream_key(4, 0, 0), Purpose::generator);
  for (float& w : model.weights) {
    w += static_cast<float>(0.1 * random.next_double() - 0.05);  // biases away from 0
  }
  return model;
}

/// What the network is to make of a state after sample().
test::ReferenceNetwork::Output expected_output(const Model& model, const DecisionGraph& graph,
                                               const TrajectorySnapshot& state) {
  test::Matrix rows;
  const std::size_t total = state.theta.size();
  for (std::size_t v = 0; v < total; ++v) {
    rows.emplace_back();
    for (std::size_t m = 0; m < kMomenta; ++m) {
      rows.back().push_back(model.config.gradient_scale * static_cast<double>(state.momenta[m * total + v]));
    }
    rows.back().push_back(model.config.gradient_scale * static_cast<double>(state.gradient[v]));
    rows.back().push_back(static_cast<double>(state.theta[v]));
  }
  const test::Row global(state.global_features.begin(), state.global_features.end());
  return test::ReferenceNetwork(model, "update").forward(graph, rows, global, 0);
}

TEST(Mlp, ForwardPassMatchesTheFormulas) {
  for (const auto& [family, nodes, hidden, blocks] :
       {std::tuple{"tsp", 40, 16, 3}, {"tsp", 5, 8, 1}, {"mis", 150, 32, 2}, {"mis", 64, 128, 3}}) {
    const DecisionGraph graph = small_graph(family, nodes);
    const Model model = mlp_model(family, hidden, blocks);
    RandomSequence random(stream_key(6, 0, 0), Purpose::generator);
    const auto random_values = [&](std::size_t count) {
      std::vector<float> values(count);
      std::ranges::generate(values, [&] { return static_cast<float>(2.0 * random.next_double() - 1.0); });
      return values;
    };
    const auto columns = static_cast<std::ptrdiff_t>(kOptimizerFeatures);
    const auto features = random_values(static_cast<std::size_t>(graph.variables * columns));
    const auto global = random_values(kGlobalFeatures);
    test::Matrix rows;
    for (auto first = features.begin(); first != features.end(); first += columns) {
      rows.emplace_back(first, first + columns);
    }
    const auto expected =
        test::ReferenceNetwork(model, "update").forward(graph, rows, {global.begin(), global.end()}, 0);
    const ParameterLayout layout(model.config);
    const auto network = cpu::make_network(model.config, "update", layout, model.weights.data());
    cpu::NetworkInput input;
    input.features = [&](Index begin, Index end, float* out) {
      std::copy(features.begin() + begin * columns, features.begin() + end * columns, out);
    };
    input.global = global.data();
    for (const int threads : {1, 3}) {
      ThreadPool pool(threads);
      cpu::NetworkWorkspace workspace;
      std::vector<float> theta(static_cast<std::size_t>(graph.variables), NAN);
      const float out = network->forward(graph, input, Executor(pool), workspace, theta.data());
      for (std::size_t v = 0; v < theta.size(); ++v) {
        ASSERT_NEAR(static_cast<double>(theta[v]), expected.theta[v], 1e-4) << family << " variable " << v;
      }
      EXPECT_NEAR(static_cast<double>(out), expected.global, 1e-4);
    }
  }
}

TEST(Mlp, UpdatesAsTheStateSays) {
  for (const char* family : {"tsp", "mis"}) {
    for (const ThetaUpdate update : {ThetaUpdate::absolute, ThetaUpdate::residual}) {
      const DecisionGraph graph = small_graph(family);
      Model model = mlp_model(family, 16, 2);
      model.config.theta_update = update;
      model.config.gradient_scale = 10.0;
      OneSearch search(graph, model);
      for (int k = 0; k < 3; ++k) {
        const TrajectorySnapshot state = search.sampled();
        const auto expected = expected_output(model, graph, state);
        const std::vector<float> next = search.updated();
        const double alpha = 0.5 * (std::tanh(expected.global) + 1.0);
        for (std::size_t v = 0; v < next.size(); ++v) {
          const double theta = update == ThetaUpdate::absolute
                                   ? expected.theta[v] / alpha
                                   : (static_cast<double>(state.theta[v]) + 0.2 * expected.theta[v]) / (2.0 * alpha);
          ASSERT_NEAR(static_cast<double>(next[v]), theta, 1e-4 * (1.0 + std::abs(theta))) << family << " step " << k;
        }
      }
    }
  }
}

TEST(Mlp, KnowsNoGraph) {
  // Variables that are alike in all that the network sees get the same θ, wherever they are.
  const DecisionGraph graph = small_graph("mis");
  Model model = mlp_model("mis", 16, 2);
  model.config.init = Initialisation::uniform;
  OneSearch search(graph, model, 1);  // a single sample has no advantage: the gradient is 0
  search.sampled();
  const std::vector<float> next = search.updated();
  EXPECT_EQ(next, std::vector<float>(next.size(), next.front()));
}

}  // namespace
}  // namespace moco
