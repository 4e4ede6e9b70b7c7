// Graphs and points made of others: complements, and coordinates as whole numbers.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "moco/core/memory.h"
#include "moco/error.h"
#include "moco/formats/edges.h"
#include "moco/formats/formats.h"
#include "moco/formats/limits.h"

namespace moco {

GraphData complement(const GraphData& graph) {
  const EdgeList given = simple_edges(graph);
  const auto n = static_cast<std::uint64_t>(graph.nodes);
  const std::uint64_t missing = n * (n - std::min<std::uint64_t>(n, 1)) / 2 - given.edges.size();
  // The edges themselves, and what an instance makes of them: two arcs each, and these once more while it sorts.
  const std::uint64_t bytes = missing * (sizeof(Edge) + 5 * sizeof(Edge));
  if (bytes > available_memory()) {
    throw ResourceError(
        fmt::format("the complement of {} nodes and {} edges has {} edges and needs about {} bytes; {} are available",
                    n, given.edges.size(), missing, bytes, available_memory()));
  }
  GraphData result{.nodes = graph.nodes, .edges = {}, .node_weights = graph.node_weights, .edge_weights = {}};
  result.edges.reserve(missing);
  auto next = given.edges.begin();
  for (Index u = 0; u < graph.nodes; ++u) {
    for (Index v = u + 1; v < graph.nodes; ++v) {
      if (next != given.edges.end() && next->u == u && next->v == v) {
        ++next;
      } else {
        result.edges.push_back({u, v});
      }
    }
  }
  return result;
}

InstanceData scaled(const InstanceData& data, double factor) {
  const auto* given = std::get_if<PointData>(&data.content);
  if (given == nullptr || (given->metric != Metric::euclidean && given->metric != Metric::euc_2d)) {
    throw OptionError(
        fmt::format("'{}' cannot be scaled: only points with Euclidean distances in the plane can", data.name));
  }
  if (!std::isfinite(factor) || factor <= 0.0) {
    throw OptionError(fmt::format("a scale of {} is not a positive number", factor));
  }
  PointData result{.metric = Metric::euc_2d, .fixed = given->fixed};
  result.points.reserve(given->points.size());
  for (const auto& [x, y] : given->points) {
    const Point point{std::round(x * factor), std::round(y * factor)};
    if (!(std::abs(point.x) <= largest_coordinate && std::abs(point.y) <= largest_coordinate)) {
      throw OptionError(
          fmt::format("a scale of {} takes ({}, {}) of '{}' beyond {}", factor, x, y, data.name, largest_coordinate));
    }
    result.points.push_back(point);
  }
  return {.name = data.name, .content = std::move(result), .labels = data.labels, .reference = data.reference};
}

}  // namespace moco
