// What the readers have in common: names, warnings, and the way from edges, points or a matrix to data.
#include "moco/formats/readers.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "moco/error.h"
#include "moco/formats/tsplib.h"

namespace moco {

namespace {

/// Whether as many edges go up as down, which they do when each is given in both directions.
bool may_go_both_ways(const std::vector<Edge>& edges) {
  const auto up = std::ranges::count_if(edges, [](const Edge& edge) { return edge.u < edge.v; });
  const auto down = std::ranges::count_if(edges, [](const Edge& edge) { return edge.u > edge.v; });
  return up > 0 && up == down;
}

bool is_zero_one(const std::vector<double>& matrix) {
  return std::ranges::all_of(matrix, [](double entry) { return entry == 0.0 || entry == 1.0; });
}

/// The edges of an adjacency matrix. Throws when it is none.
std::vector<Edge> edges_of_adjacency(const ReaderInput& input, Index n, const std::vector<double>& matrix) {
  std::vector<Edge> edges;
  const auto size = static_cast<std::size_t>(n);
  for (std::size_t row = 0; row < size; ++row) {
    for (std::size_t column = 0; column < size; ++column) {
      const double entry = matrix[row * size + column];
      const auto blame = [&](std::string_view what) {
        throw InputError(input.file, fmt::format("row {}, column {}: {} {}", row + 1, column + 1, entry, what));
      };
      if (entry != 0.0 && entry != 1.0) {
        blame("is neither 0 nor 1, which the entries of an adjacency matrix are");
      }
      if (entry != matrix[column * size + row]) {
        blame("differs from the entry on the other side of the diagonal; the graph is not undirected");
      }
      if (entry == 1.0 && column >= row) {
        edges.push_back({static_cast<Index>(row), static_cast<Index>(column)});
      }
    }
  }
  return edges;
}

}  // namespace

void ReaderInput::warn(std::string_view what) const {
  if (warnings != nullptr) {
    warnings->push_back(fmt::format("{}: {}", file, what));
  }
}

void ReaderInput::took(std::string what) const {
  if (taken != nullptr) {
    *taken = std::move(what);
  }
}

std::string name_in_file(std::string_view name, std::size_t index, std::size_t count) {
  return count > 1 ? fmt::format("{}#{}", name, index) : std::string(name);
}

void require_plausible_size(const ReaderInput& input, std::int64_t line, std::int64_t nodes) {
  constexpr std::int64_t always_plausible = 1'000'000;
  const auto bytes = static_cast<std::int64_t>(input.content.size());
  if (nodes > std::numeric_limits<Index>::max() || nodes > always_plausible + bytes) {
    throw InputError(input.file, line,
                     fmt::format("{} nodes are too many to be true for a file of {} bytes", nodes, bytes));
  }
}

void warn_of_conflicts(const ReaderInput& input, std::size_t conflicts) {
  if (conflicts > 0) {
    input.warn(fmt::format("{} edge{} different weights in the two directions; the first is used", conflicts,
                           conflicts == 1 ? " has" : "s have"));
  }
}

std::vector<InstanceData> finish_graph(const ReaderInput& input, Index nodes, EdgeList edges,
                                       std::vector<double> node_weights, std::vector<std::string> labels) {
  if (may_go_both_ways(edges.edges)) {
    JoinedEdges joined = join_directions(edges);
    if (!joined.one_way) {
      warn_of_conflicts(input, joined.conflicts);
      edges = std::move(joined.list);
    }
  }
  if (std::ranges::all_of(node_weights, [](double weight) { return weight == 1.0; })) {
    node_weights.clear();
  }
  GraphData graph{.nodes = nodes,
                  .edges = std::move(edges.edges),
                  .node_weights = std::move(node_weights),
                  .edge_weights = std::move(edges.weights)};
  return {{.name = input.name, .content = std::move(graph), .labels = std::move(labels), .reference = {}}};
}

std::vector<InstanceData> finish_points(const ReaderInput& input, PointData points, std::vector<std::string> labels) {
  return {{.name = input.name, .content = std::move(points), .labels = std::move(labels), .reference = {}}};
}

std::vector<InstanceData> finish_matrix(const ReaderInput& input, Index n, std::vector<double> matrix,
                                        std::vector<std::string> labels) {
  if (input.wanted == DataKind::graph) {
    return finish_graph(input, n, {edges_of_adjacency(input, n, matrix), {}}, {}, std::move(labels));
  }
  if (!input.wanted && n > 1 && is_zero_one(matrix) && is_symmetric(matrix, n)) {
    throw InputError(
        input.file, "a symmetric matrix of 0 and 1 may be distances or the adjacency of a graph; --problem says which");
  }
  return finish_points(input, {.metric = Metric::matrix, .points = {}, .matrix = std::move(matrix), .heights = {}},
                       std::move(labels));
}

}  // namespace moco
