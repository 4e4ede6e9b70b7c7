// Forward passes of all four networks against outputs of the authors' own code (tests/golden).
#include <cmath>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "moco/core/files.h"
#include "moco/engine/cpu/network.h"
#include "moco/engine/features.h"
#include "moco/model/safetensors.h"

namespace moco::cpu {
namespace {

constexpr float kTolerance = 5e-4f;  // of the output's scale

/// A golden case: inputs and outputs by name.
class GoldenCase {
 public:
  explicit GoldenCase(const std::string& name)
      : content_(read_file(std::string(MOCO_GOLDEN) + "/" + name + ".safetensors")),
        file_(parse_safetensors(content_, name)) {}

  std::vector<float> floats(const std::string& name) const { return file_.tensors.at(name).floats(); }
  std::vector<Index> integers(const std::string& name) const { return file_.tensors.at(name).integers(); }
  Index integer(const std::string& name) const { return integers(name).at(0); }

 private:
  std::string content_;
  SafetensorsFile file_;
};

void expect_close(const std::vector<float>& actual, const std::vector<float>& expected, const char* what) {
  ASSERT_EQ(actual.size(), expected.size());
  float scale = 0.0f;
  for (const float value : expected) {
    scale = std::max(scale, std::abs(value));
  }
  float worst = 0.0f;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    worst = std::max(worst, std::abs(actual[i] - expected[i]));
  }
  EXPECT_GT(scale, 0.0f) << what;
  EXPECT_LE(worst, kTolerance * scale) << what << ": largest deviation " << worst << " at scale " << scale;
}

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
  const std::vector<float> coords = golden.floats("coords");
  std::vector<TspInstance::Point> points;
  for (std::size_t i = 0; i < coords.size(); i += 2) {
    points.push_back({static_cast<double>(coords[i]), static_cast<double>(coords[i + 1])});
  }
  const std::vector<Index> neighbours = golden.integers("neighbours");
  const auto degree = static_cast<Index>(neighbours.size() / points.size());
  const DecisionGraph graph =
      tsp_decision_graph(std::make_shared<TspInstance>("golden", points, Metric::euclidean), degree);
  EXPECT_EQ(graph.neighbours, neighbours);
  for (const int threads : {1, 2}) {
    expect_golden(run(graph, model, golden.floats("distances"), golden.floats("edge_features"),
                      golden.floats("global_features"), golden.integer("start"), threads),
                  golden);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, GoldenTsp, ::testing::Values("tsp20_k8", "tsp100_k20"));

class GoldenMis : public ::testing::TestWithParam<const char*> {};

TEST_P(GoldenMis, BothNetworksMatch) {
  const GoldenCase golden(GetParam());
  const Model model = load_model(std::string(MOCO_GOLDEN) + "/mis_weights.safetensors");
  const Index n = golden.integer("n");
  const std::vector<Index> ends = golden.integers("edges");
  std::vector<MisInstance::Edge> edges;
  for (std::size_t i = 0; i < ends.size(); i += 2) {
    if (ends[i] < ends[i + 1]) {
      edges.push_back({ends[i], ends[i + 1]});
    }
  }
  const DecisionGraph graph = mis_decision_graph(std::make_shared<MisInstance>("golden", n, edges));
  const std::vector<float> ones(static_cast<std::size_t>(n), 1.0f);
  for (const int threads : {1, 2}) {
    expect_golden(run(graph, model, ones, golden.floats("node_features"), golden.floats("global_features"), 0, threads),
                  golden);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, GoldenMis, ::testing::Values("mis30", "mis200"));

}  // namespace
}  // namespace moco::cpu
