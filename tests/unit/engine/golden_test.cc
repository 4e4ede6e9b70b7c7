// Forward passes of all four networks against outputs of the authors' own code (tests/golden).
#include <gtest/gtest.h>

#include "golden/golden_case.h"
#include "moco/engine/cpu/network.h"
#include "moco/engine/features.h"

namespace moco::cpu {
namespace {

using golden::expect_close;
using golden::GoldenCase;

struct Outputs {
  std::vector<float> theta0;
  std::vector<float> theta_tilde;
  float global_out = 0.0f;
};

/// Both networks on a golden case; `rows` are the feature rows of GNN_update, `instance` the column GNN_init sees.
Outputs run(const DecisionGraph& graph, const Model& model, const std::vector<float>& instance,
            const std::vector<float>& rows, const std::vector<float>& global, Index start, int threads) {
  const ParameterLayout layout(model.config);
  ThreadPool pool(threads);
  const Executor executor(pool);
  NetworkWorkspace workspace;
  Outputs out;
  out.theta0.resize(static_cast<std::size_t>(graph.variables));
  out.theta_tilde.resize(static_cast<std::size_t>(graph.variables));
  NetworkInput input;
  input.start = start;
  input.features = [&](Index begin, Index end, float* target) {
    std::copy(instance.begin() + begin, instance.begin() + end, target);
  };
  make_network(model.config, "init", layout, model.weights.data())
      ->forward(graph, input, executor, workspace, out.theta0.data());
  input.features = [&](Index begin, Index end, float* target) {
    std::copy(rows.begin() + begin * kVariableFeatures, rows.begin() + end * kVariableFeatures, target);
  };
  input.global = global.data();
  out.global_out = make_network(model.config, "update", layout, model.weights.data())
                       ->forward(graph, input, executor, workspace, out.theta_tilde.data());
  return out;
}

void expect_golden(const Outputs& out, const GoldenCase& golden) {
  expect_close(out.theta0, golden.floats("theta0"), "theta0");
  expect_close(out.theta_tilde, golden.floats("theta_tilde"), "theta_tilde");
  expect_close({out.global_out}, golden.floats("global_out"), "global_out");
  expect_close({alpha_of(out.global_out)}, golden.floats("alpha_authors"), "alpha");
}

class GoldenTsp : public ::testing::TestWithParam<const char*> {};

TEST_P(GoldenTsp, BothNetworksMatch) {
  const GoldenCase golden(GetParam());
  const Model model = load_model(std::string(MOCO_GOLDEN) + "/tsp_weights.safetensors");
  const DecisionGraph graph = golden::tsp_graph(golden);
  for (const int threads : {1, 2}) {
    expect_golden(run(graph, model, graph.feature, golden.floats("edge_features"), golden.floats("global_features"),
                      golden.integer("start"), threads),
                  golden);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, GoldenTsp, ::testing::Values("tsp20_k8", "tsp100_k20"));

class GoldenMis : public ::testing::TestWithParam<const char*> {};

TEST_P(GoldenMis, BothNetworksMatch) {
  const GoldenCase golden(GetParam());
  const Model model = load_model(std::string(MOCO_GOLDEN) + "/mis_weights.safetensors");
  const DecisionGraph graph = golden::mis_graph(golden);
  const std::vector<float> ones(static_cast<std::size_t>(graph.nodes), 1.0f);
  for (const int threads : {1, 2}) {
    expect_golden(run(graph, model, ones, golden.floats("node_features"), golden.floats("global_features"), 0, threads),
                  golden);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, GoldenMis, ::testing::Values("mis30", "mis200"));

}  // namespace
}  // namespace moco::cpu
