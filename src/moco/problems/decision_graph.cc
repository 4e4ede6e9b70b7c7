// Building decision graphs.
#include "moco/problems/decision_graph.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "moco/error.h"
#include "moco/graph/knn.h"
#include "moco/problems/tsp/city_grid.h"

namespace moco {

namespace {

constexpr std::size_t kRowsPerTask = 4096;

/// Weights rounded to multiples of a power of two of which fewer than 2^53 make up the total: whatever is added up in
/// whatever order, every sum of weights is exact, so that engines agree on costs and searches may carry sums along.
std::vector<double> summable(std::span<const double> weights) {
  constexpr int kSmallest = -1074;  // of all numbers: they are multiples of 2 to this already
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  // 2^52 steps up to the power of two above the total leave room for what rounding adds.
  const int step = total > 0.0 ? std::ilogb(total) + 1 - 52 : kSmallest;
  if (step <= kSmallest) {
    return {weights.begin(), weights.end()};
  }
  std::vector<double> rounded;
  rounded.reserve(weights.size());
  for (const double weight : weights) {
    rounded.push_back(std::scalbn(std::nearbyint(std::scalbn(weight, -step)), step));
  }
  return rounded;
}

}  // namespace

DecisionGraph decision_graph_shape(const InstancePtr& instance, Index k) {
  DecisionGraph graph;
  graph.instance = instance;
  graph.kind = instance->problem() == "tsp" ? VariableKind::edge : VariableKind::node;
  graph.nodes = instance->size();
  graph.variables = graph.nodes;
  if (graph.kind == VariableKind::edge) {
    graph.degree = std::min(k, graph.nodes - 1);
    const auto count = static_cast<Offset>(graph.nodes) * graph.degree;
    if (count > std::numeric_limits<Index>::max()) {
      throw ResourceError(fmt::format("{}: {} cities with {} neighbours each are more edges than {}", instance->name(),
                                      graph.nodes, graph.degree, std::numeric_limits<Index>::max()));
    }
    graph.variables = static_cast<Index>(count);
  } else if (const auto* mis = dynamic_cast<const GraphInstance*>(instance.get())) {
    graph.offsets = mis->offsets();
    graph.targets = mis->targets();
    graph.weighted = !mis->weights().empty();
  }
  return graph;
}

DecisionGraph tsp_decision_graph(std::shared_ptr<const TspInstance> instance, Index k, const Executor& executor) {
  DecisionGraph graph = decision_graph_shape(instance, k);
  const Index n = graph.nodes;
  graph.cost_scale = instance->scale();
  graph.symmetric = instance->symmetric();
  graph.neighbours = nearest_neighbours(*instance, graph.degree, executor);
  graph.targets = graph.neighbours;
  const auto k_of_row = static_cast<std::size_t>(graph.degree);
  const auto for_rows = [&](const auto& body) {  // body(city, first edge of its row)
    const auto rows = static_cast<std::size_t>(n);
    executor.for_each((rows + kRowsPerTask - 1) / kRowsPerTask, [&](std::size_t task, std::size_t) {
      for (std::size_t i = task * kRowsPerTask; i < std::min(rows, (task + 1) * kRowsPerTask); ++i) {
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
  graph.in_offsets.assign(static_cast<std::size_t>(n) + 1, 0);
  for (const Index j : graph.neighbours) {
    ++graph.in_offsets[static_cast<std::size_t>(j) + 1];
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
    graph.in_offsets[i + 1] += graph.in_offsets[i];
  }
  graph.in_edges.resize(graph.neighbours.size());
  std::vector<Offset> next(graph.in_offsets.begin(), graph.in_offsets.end() - 1);
  for (std::size_t e = 0; e < graph.neighbours.size(); ++e) {
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
  graph.cells = std::make_shared<CityCells>(*instance, cities);
  return graph;
}

Index edge_between(const DecisionGraph& graph, Index from, Index to) {
  const auto row = static_cast<std::ptrdiff_t>(from) * graph.degree;
  const auto first = graph.targets.begin() + row;
  const auto last = first + graph.degree;
  const auto found = std::find(first, last, to);
  return found == last ? -1 : static_cast<Index>(found - graph.targets.begin());
}

DecisionGraph mis_decision_graph(std::shared_ptr<const GraphInstance> instance) {
  DecisionGraph graph = decision_graph_shape(instance, 0);
  if (graph.weighted) {
    graph.weights = summable(instance->weights());
    const double mean = std::accumulate(graph.weights.begin(), graph.weights.end(), 0.0) / graph.nodes;
    graph.cost_scale = mean > 0.0 ? mean : 1.0;
    graph.feature.reserve(graph.weights.size());
    for (const double weight : graph.weights) {
      graph.feature.push_back(static_cast<float>(weight / graph.cost_scale));
    }
  }
  return graph;
}

DecisionGraph decision_graph(const InstancePtr& instance, Index k, const Executor& executor) {
  if (auto tsp = std::dynamic_pointer_cast<const TspInstance>(instance)) {
    return tsp_decision_graph(std::move(tsp), k, executor);
  }
  if (auto mis = std::dynamic_pointer_cast<const GraphInstance>(instance)) {
    return mis_decision_graph(std::move(mis));
  }
  throw OptionError(fmt::format("no decision graph for problem '{}'", instance->problem()));
}

}  // namespace moco
