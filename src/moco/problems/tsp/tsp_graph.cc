// Candidate graphs: neighbours with their distances, and both directions of each edge.
#include "moco/problems/tsp/tsp_graph.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "moco/error.h"
#include "moco/problems/tsp/city_grid.h"
#include "moco/problems/tsp/fixed_paths.h"
#include "moco/problems/tsp/knn.h"
#include "moco/problems/tsp/quadrant_neighbours.h"

namespace moco {

namespace {

constexpr std::size_t kRowsPerTask = 4096;

}  // namespace

DecisionGraph tsp_graph_shape(const std::shared_ptr<const TspInstance>& instance, Index k) {
  DecisionGraph graph;
  graph.instance = instance;
  graph.kind = VariableKind::edge;
  graph.nodes = instance->size();
  graph.start_nodes = graph.nodes;
  graph.cost_scale = instance->scale();
  graph.symmetric = instance->symmetric();
  graph.reversible = graph.symmetric;
  graph.degree = std::min(k, graph.nodes - 1);
  const auto count = static_cast<Offset>(graph.nodes) * graph.degree;
  if (count > std::numeric_limits<Index>::max()) {
    throw ResourceError(fmt::format("{}: {} cities with {} neighbours each are more edges than {}", instance->name(),
                                    graph.nodes, graph.degree, std::numeric_limits<Index>::max()));
  }
  graph.variables = static_cast<Index>(count);
  return graph;
}

DecisionGraph tsp_decision_graph(const std::shared_ptr<const TspInstance>& instance, Index k, const Executor& executor,
                                 CandidateRule candidates) {
  DecisionGraph graph = tsp_graph_shape(instance, k);
  const Index n = graph.nodes;
  graph.neighbours = candidates == CandidateRule::quadrant ? quadrant_neighbours(*instance, graph.degree, executor)
                                                           : nearest_neighbours(*instance, graph.degree, executor);
  graph.targets = graph.neighbours;
  const auto k_of_row = static_cast<std::size_t>(graph.degree);
  const auto for_rows = [&](const auto& body) {  // body(city, first edge of its row)
    executor.for_each_range(static_cast<std::size_t>(n), kRowsPerTask,
                            [&](std::size_t begin, std::size_t end, std::size_t) {
                              for (std::size_t i = begin; i < end; ++i) {
                                body(static_cast<Index>(i), i * k_of_row);
                              }
                            });
  };
  graph.length.resize(graph.neighbours.size());
  graph.feature.resize(graph.neighbours.size());
  for_rows([&](Index i, std::size_t row) {
    for (std::size_t e = row; e < row + k_of_row; ++e) {
      graph.length[e] = instance->distance(i, graph.neighbours[e]);
      graph.feature[e] = static_cast<float>(graph.length[e] / graph.cost_scale);
    }
  });
  HaltWatch watch(executor.halt());
  graph.in_offsets.assign(static_cast<std::size_t>(n) + 1, 0);
  for (const Index j : graph.neighbours) {
    watch.look();
    ++graph.in_offsets[static_cast<std::size_t>(j) + 1];
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
    graph.in_offsets[i + 1] += graph.in_offsets[i];
  }
  graph.in_edges.resize(graph.neighbours.size());
  std::vector<Offset> next(graph.in_offsets.begin(), graph.in_offsets.end() - 1);
  for (std::size_t e = 0; e < graph.neighbours.size(); ++e) {
    watch.look();
    graph.in_edges[static_cast<std::size_t>(next[static_cast<std::size_t>(graph.neighbours[e])]++)] =
        static_cast<Index>(e);
  }
  graph.reverse.resize(graph.neighbours.size());
  for_rows([&](Index i, std::size_t row) {
    for (std::size_t e = row; e < row + k_of_row; ++e) {
      graph.reverse[e] = edge_between(graph, graph.neighbours[e], i);
    }
  });
  std::vector<Index> cities(static_cast<std::size_t>(n));
  std::iota(cities.begin(), cities.end(), Index{0});
  std::erase_if(cities, [&](Index city) { return is_inside_fixed_path(instance->fixed_partners(), city); });
  graph.cells = std::make_shared<CityCells>(*instance, cities);
  return graph;
}

}  // namespace moco
