// Edges: softmax over the ways out of each city. Nodes: e^θ as a share of the largest.
#include "moco/search/heatmap.h"

#include <algorithm>
#include <cmath>

namespace moco {

Heatmap make_heatmap(const DecisionGraph& graph, std::span<const float> theta) {
  Heatmap map;
  const bool edges = graph.kind == VariableKind::edge;
  const std::size_t row = edges ? static_cast<std::size_t>(graph.degree) : theta.size();
  map.probability.resize(theta.size());
  for (std::size_t first = 0; first < theta.size(); first += row) {
    const float top = *std::max_element(theta.begin() + static_cast<std::ptrdiff_t>(first),
                                        theta.begin() + static_cast<std::ptrdiff_t>(first + row));
    float total = edges ? 0.0f : 1.0f;
    for (std::size_t v = first; v < first + row; ++v) {
      map.probability[v] = std::exp(theta[v] - top);
      total += edges ? map.probability[v] : 0.0f;
    }
    for (std::size_t v = first; v < first + row; ++v) {
      map.probability[v] /= total;
      map.from.push_back(static_cast<Index>(edges ? v / row : v));
    }
  }
  if (edges) {
    map.to.assign(graph.targets.begin(), graph.targets.end());
  }
  return map;
}

}  // namespace moco
