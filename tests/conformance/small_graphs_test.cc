// Thousands of small graphs on which all subsets can be tried: what `solve` finds for each problem on sets of nodes,
// with weights and without, is the best there is.
#include <bit>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "moco/core/random.h"
#include "moco/problem.h"
#include "moco/solver.h"

namespace moco {
namespace {

/// One to nine nodes of any density; every second graph has weights, whole numbers or not.
InstancePtr small_graph(const Problem& problem, std::uint64_t number) {
  RandomSequence random(stream_key(17, number, 0), Purpose::generator);
  GraphData graph;
  graph.nodes = static_cast<Index>(1 + random.next_below(9));
  const double density = random.next_double();
  for (Index node = 0; node < graph.nodes; ++node) {
    for (Index other = 0; other < node; ++other) {
      if (random.next_double() < density) {
        graph.edges.push_back({other, node});
      }
    }
  }
  for (Index node = 0; number % 2 == 1 && node < graph.nodes; ++node) {
    graph.node_weights.push_back(number % 4 == 1 ? random.next_below(6) : random.next_double());
  }
  return problem.make({.name = "small", .content = std::move(graph)});
}

/// Least cost of all subsets, by definition: adjacency is looked up, the checker is not asked.
double least_cost(const std::string& problem, const GraphInstance& graph) {
  const auto n = static_cast<unsigned>(graph.size());
  std::vector<unsigned> near(n, 0);
  for (unsigned node = 0; node < n; ++node) {
    for (const Index other : graph.neighbours(static_cast<Index>(node))) {
      near[node] |= 1u << other;
    }
  }
  double best = std::numeric_limits<double>::infinity();
  for (unsigned set = 0; set < 1u << n; ++set) {
    double weight = 0.0;
    bool feasible = true;
    for (unsigned node = 0; node < n; ++node) {
      const bool inside = (set >> node & 1u) != 0;
      weight += !inside ? 0.0 : graph.weights().empty() ? 1.0 : graph.weights()[node];
      if (problem == "mis") {
        feasible = feasible && (!inside || (near[node] & set) == 0);
      } else if (problem == "clique") {
        feasible = feasible && (!inside || ((near[node] | 1u << node) & set) == set);
      } else {
        feasible = feasible && (inside || (near[node] & ~set) == 0);
      }
    }
    if (feasible) {
      best = std::min(best, problem == "vertex-cover" ? weight : -weight);
    }
  }
  return best;
}

class SmallGraphs : public ::testing::TestWithParam<const char*> {};

TEST_P(SmallGraphs, AreSolved) {
  const Problem& problem = find_problem(GetParam());
  SolveOptions options;
  options.loop.steps = 0;
  options.greedy_start = true;
  options.kicks = 320;
  Solver solver(adam_model(problem.family()), {EngineKind::cpu, 1});
  for (std::uint64_t number = 0; number < 1200; ++number) {
    const std::vector<InstancePtr> instance = {small_graph(problem, number)};
    const SolveResult result = solver.solve(instance, options).at(0);
    const double best = least_cost(GetParam(), dynamic_cast<const GraphInstance&>(*instance[0]));
    ASSERT_TRUE(result.feasible) << "graph " << number;
    EXPECT_NEAR(result.cost, best, 1e-12 * std::abs(best)) << "graph " << number;
  }
}

INSTANTIATE_TEST_SUITE_P(All, SmallGraphs, ::testing::Values("mis", "vertex-cover", "clique"), [](const auto& name) {
  return std::string(name.param) == "vertex-cover" ? "cover" : std::string(name.param);
});

}  // namespace
}  // namespace moco
