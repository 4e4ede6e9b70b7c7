// Triangles around a sample of the nodes, and the spread of the degrees.
#include "moco/problems/graph_kind.h"

#include <algorithm>

namespace moco {

namespace {

constexpr Index kSampledNodes = 128;
/// Literals contradict far fewer others in any formula worth solving; the bound keeps the look at dense graphs short.
constexpr std::size_t kMostNeighbours = 128;
/// Share of the sample that must agree. A random graph has at most 1/e of its nodes in exactly one triangle.
constexpr double kAgreement = 0.8;
/// Mean degree of a road graph at most.
constexpr double kMostRoads = 4.5;
/// Variance of its degrees at most, as a multiple of their mean; that of a random graph is 1.
constexpr double kMostSpread = 0.6;

bool lies_in_one_triangle(const GraphInstance& graph, Index node) {
  const auto neighbours = graph.neighbours(node);
  if (neighbours.size() < 2 || neighbours.size() > kMostNeighbours) {
    return false;
  }
  int triangles = 0;
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    const auto others = graph.neighbours(neighbours[i]);
    for (std::size_t j = i + 1; j < neighbours.size(); ++j) {
      if (std::ranges::binary_search(others, neighbours[j]) && ++triangles > 1) {
        return false;
      }
    }
  }
  return triangles == 1;
}

bool is_sat_graph(const GraphInstance& graph) {
  const Index sampled = std::min(graph.size(), kSampledNodes);
  Index in_one = 0;
  for (Index i = 0; i < sampled; ++i) {
    const auto node = static_cast<Index>(Offset{i} * graph.size() / sampled);
    in_one += lies_in_one_triangle(graph, node) ? 1 : 0;
  }
  return in_one >= kAgreement * sampled;
}

bool is_road_graph(const GraphInstance& graph) {
  const auto nodes = static_cast<double>(graph.size());
  const double mean = 2.0 * static_cast<double>(graph.edges()) / nodes;
  if (graph.edges() == 0 || mean > kMostRoads) {
    return false;
  }
  double variance = 0.0;
  for (Index node = 0; node < graph.size(); ++node) {
    const double excess = static_cast<double>(graph.neighbours(node).size()) - mean;
    variance += excess * excess / nodes;
  }
  return variance < kMostSpread * mean;
}

}  // namespace

std::string_view recognised_kind(const GraphInstance& graph) {
  if (is_sat_graph(graph)) {
    return "sat";
  }
  return is_road_graph(graph) ? "road" : "";
}

}  // namespace moco
