// Outputs of the authors' own network code, with the inputs that led to them.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "moco/core/files.h"
#include "moco/model/safetensors.h"
#include "moco/problems/tsp/tsp_graph.h"
#include "options.h"

namespace moco::golden {

inline constexpr float kTolerance = 5e-4f;  // of the output's scale

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

inline void expect_close(const std::vector<float>& actual, const std::vector<float>& expected, const char* what) {
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

/// The candidate graph of a TSP case; its edge features are the distances the authors' program saw.
inline DecisionGraph tsp_graph(const GoldenCase& golden) {
  const std::vector<float> coords = golden.floats("coords");
  std::vector<Point> points;
  for (std::size_t i = 0; i < coords.size(); i += 2) {
    points.push_back({static_cast<double>(coords[i]), static_cast<double>(coords[i + 1])});
  }
  const std::vector<Index> neighbours = golden.integers("neighbours");
  const auto degree = static_cast<Index>(neighbours.size() / points.size());
  DecisionGraph graph = tsp_decision_graph(std::make_shared<TspInstance>("golden", points, Metric::euclidean), degree);
  EXPECT_EQ(graph.neighbours, neighbours);
  graph.feature = golden.floats("distances");
  return graph;
}

inline DecisionGraph mis_graph(const GoldenCase& golden) {
  const std::vector<Index> ends = golden.integers("edges");
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < ends.size(); i += 2) {
    if (ends[i] < ends[i + 1]) {
      edges.push_back({ends[i], ends[i + 1]});
    }
  }
  return decision_graph(std::make_shared<GraphInstance>(mis(), "golden", golden.integer("n"), edges));
}

}  // namespace moco::golden
