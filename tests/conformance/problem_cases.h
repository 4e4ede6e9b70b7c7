// The instances every problem must get through, from ordinary to degenerate. A new problem adds its own list here and
// passes the whole suite.
#pragma once

#include <algorithm>
#include <cctype>
#include <functional>
#include <string>
#include <vector>

#include "moco/generate.h"
#include "moco/instance.h"
#include "moco/problems/decision_graph.h"
#include "options.h"

namespace moco::test {

struct ProblemCase {
  std::string name;
  std::function<InstancePtr()> make;
};

inline InstancePtr points(std::vector<Point> all, Metric metric = Metric::euclidean) {
  return std::make_shared<TspInstance>("points", std::move(all), metric);
}

inline InstancePtr generated(const Problem& problem, const std::string& kind, Index nodes, double probability = 0.15) {
  GeneratorOptions options{.problem = std::string(problem.name()), .kind = kind, .nodes = nodes};
  set_where_declared(options, "probability", probability);
  set_where_declared(options, "cliques", 8);
  set_where_declared(options, "clique_size", 5);
  set_where_declared(options, "variables", 12);
  set_where_declared(options, "clauses", 40);
  set_where_declared(options, "max_clauses", 50);
  return generate(options);
}

inline InstancePtr graph(const Problem& problem, Index n, std::vector<Edge> edges, std::vector<double> weights = {}) {
  GraphData data{.nodes = n, .edges = std::move(edges), .node_weights = std::move(weights)};
  return problem.make({.name = "graph", .content = std::move(data)});
}

/// An Erdős–Rényi graph whose node i weighs weight_of(i).
template <typename WeightOf>
InstancePtr weighted_graph(const Problem& problem, Index nodes, const WeightOf& weight_of) {
  InstanceData data = problem.data_of(*generated(problem, "er", nodes));
  auto& given = std::get<GraphData>(data.content);
  for (Index node = 0; node < nodes; ++node) {
    given.node_weights.push_back(weight_of(node));
  }
  return problem.make(std::move(data));
}

/// Whether the device knows such instances: it has no distances in three dimensions and no fixed edges, and says so.
inline bool runs_on_device(const Instance& instance) {
  const auto* cities = dynamic_cast<const TspInstance*>(&instance);
  return cities == nullptr || (!is_spatial(cities->metric()) && cities->fixed_partners().empty());
}

/// Whether the CUDA engine draws partial samples of an instance that it runs.
inline bool changes_on_device(const Instance& instance) {
  const auto* cities = dynamic_cast<const TspInstance*>(&instance);
  return cities != nullptr && cities->symmetric();
}

/// What the checker says of the solution that items of a search stand for, at the cost that the search sees.
inline CheckResult check_items(const DecisionGraph& graph, const Solution& items) {
  const Instance& instance = *graph.instance;
  CheckResult result = instance.check(instance.problem().from_search(instance, items));
  result.cost -= graph.cost_offset;
  return result;
}

/// The same cities with fixed edges.
inline InstancePtr with_fixed_edges(const InstancePtr& cities, std::vector<Edge> fixed) {
  InstanceData data = cities->problem().data_of(*cities);
  std::get<PointData>(data.content).fixed = std::move(fixed);
  return cities->problem().make(std::move(data));
}

/// Letters and digits of a name, which those of tests consist of.
inline std::string plain(std::string_view name) {
  std::string letters(name);
  std::erase_if(letters, [](unsigned char letter) { return std::isalnum(letter) == 0; });
  return letters;
}

inline std::vector<ProblemCase> tsp_cases() {
  std::vector<ProblemCase> cases{
      {"OneCity",
       [] {
         return points({{3, 4}});
       }},
      {"TwoCities",
       [] {
         return points({{0, 0}, {3, 4}});
       }},
      {"ThreeCities",
       [] {
         return points({{0, 0}, {3, 4}, {0, 4}});
       }},
      {"AllTheSamePoint",
       [] {
         return points(std::vector<Point>(9, {2, 2}));
       }},
      {"PairsOfDuplicates",
       [] {
         return points({{0, 0}, {0, 0}, {5, 1}, {5, 1}, {2, 7}, {2, 7}});
       }},
      {"Collinear",
       [] {
         std::vector<Point> all;
         for (int i = 0; i < 30; ++i) {
           all.push_back({static_cast<double>((i * 7) % 30), 1.0});
         }
         return points(all);
       }},
      {"FarAwayClusters",  // neighbour lists cannot leave a cluster: dead ends are certain
       [] {
         std::vector<Point> all;
         for (int i = 0; i < 60; ++i) {
           all.push_back({1000.0 * (i % 3) + i * 0.01, i * 0.02});
         }
         return points(all);
       }},
      {"HugeCoordinates",
       [] {
         return points({{1e12, 1e12}, {-1e12, 5}, {3, -1e12}, {7, 7}, {1e11, 0}});
       }},
      {"Matrix",
       [] {
         std::vector<double> matrix;
         for (int i = 0; i < 12; ++i) {
           for (int j = 0; j < 12; ++j) {
             matrix.push_back(i == j ? 0.0 : 1.0 + (i * 5 + j * 3) % 11);
           }
         }
         return InstancePtr(std::make_shared<TspInstance>("matrix", 12, matrix));
       }},
      {"ZeroMatrix",
       [] { return InstancePtr(std::make_shared<TspInstance>("zero", 5, std::vector<double>(25, 0.0))); }},
      {"Uniform", [] { return generated(find_problem("tsp"), "uniform", 60); }},
      {"Clustered", [] { return generated(find_problem("tsp"), "clustered", 60); }},
      {"FixedEdges",  // single ones and paths, none of them short
       [] {
         std::vector<Edge> fixed{{1, 0}, {5, 40}};
         for (Index i = 10; i < 30; ++i) {
           fixed.push_back({i, i + 1});
         }
         return with_fixed_edges(generated(find_problem("tsp"), "uniform", 60), fixed);
       }},
      {"OneWayWithFixedEdges",
       [] {
         std::vector<double> matrix;
         for (int i = 0; i < 144; ++i) {
           matrix.push_back(i % 13 == 0 ? 0.0 : 1.0 + (i / 12 * 5 + i % 12 * 3) % 11);
         }
         return with_fixed_edges(std::make_shared<TspInstance>("matrix", 12, matrix), {{0, 7}, {7, 3}, {2, 9}});
       }},
      {"AllEdgesFixed",
       [] {
         return with_fixed_edges(points({{0, 0}, {3, 4}, {0, 4}, {9, 9}}), {{0, 2}, {2, 3}, {3, 1}, {1, 0}});
       }},
      {"TwoCitiesAndTheirEdge",
       [] {
         return with_fixed_edges(points({{0, 0}, {3, 4}}), {{1, 0}});
       }},
  };
  for (const Metric metric : {Metric::euc_2d, Metric::ceil_2d, Metric::man_2d, Metric::max_2d, Metric::geo, Metric::att,
                              Metric::euc_3d, Metric::ceil_3d}) {
    cases.push_back({"Metric" + std::to_string(static_cast<int>(metric)), [metric] {
                       std::vector<Point> all;
                       for (int i = 0; i < 25; ++i) {
                         all.push_back({static_cast<double>((i * 37) % 80), static_cast<double>((i * 53) % 90)});
                       }
                       std::vector<double> heights;
                       for (int i = 0; is_spatial(metric) && i < 25; ++i) {
                         heights.push_back((i * 29) % 70);
                       }
                       return InstancePtr(std::make_shared<TspInstance>("points", all, metric, heights));
                     }});
  }
  return cases;
}

/// Of a problem on sets of nodes.
inline std::vector<ProblemCase> set_cases(const Problem& problem) {
  return {
      {"OneNode", [&] { return graph(problem, 1, {}); }},
      {"OneEdge",
       [&] {
         return graph(problem, 2, {{0, 1}});
       }},
      {"NoEdges", [&] { return graph(problem, 40, {}); }},
      {"SelfLoopsAndDuplicates",
       [&] {
         return graph(problem, 4, {{0, 0}, {0, 1}, {1, 0}, {0, 1}, {3, 3}});
       }},
      {"Complete",
       [&] {
         std::vector<Edge> edges;
         for (Index i = 0; i < 20; ++i) {
           for (Index j = i + 1; j < 20; ++j) {
             edges.push_back({i, j});
           }
         }
         return graph(problem, 20, edges);
       }},
      {"Star",
       [&] {
         std::vector<Edge> edges;
         for (Index i = 1; i < 50; ++i) {
           edges.push_back({0, i});
         }
         return graph(problem, 50, edges);
       }},
      {"ErdosRenyi", [&] { return generated(problem, "er", 120); }},
      {"SparseErdosRenyi", [&] { return generated(problem, "er", 200, 0.01); }},
      {"BarabasiAlbert", [&] { return generated(problem, "ba", 90); }},
      {"RbModel", [&] { return generated(problem, "rb", 0); }},
      {"FromSat", [&] { return generated(problem, "sat", 0); }},
      {"OneWeightedNode", [&] { return graph(problem, 1, {}, {2.5}); }},
      {"IntegerWeights", [&] { return weighted_graph(problem, 120, [](Index i) { return 1.0 + i * 37 % 100; }); }},
      {"RealWeights", [&] { return weighted_graph(problem, 90, [](Index i) { return 1.0 / (1.0 + i * 29 % 90); }); }},
      {"OneHugeWeight",
       [&] { return weighted_graph(problem, 60, [](Index i) { return i == 17 ? 1e15 : 1.0 + i % 7; }); }},
      {"TinyWeights", [&] { return weighted_graph(problem, 40, [](Index i) { return 5e-324 * (1 + i % 3); }); }},
      {"ZeroWeights", [&] { return weighted_graph(problem, 60, [](Index) { return 0.0; }); }},
      {"SomeZeroWeights",
       [&] { return weighted_graph(problem, 80, [](Index i) { return i % 3 == 0 ? 0.0 : 1.0 + i % 5; }); }},
      {"EqualWeights", [&] { return weighted_graph(problem, 100, [](Index) { return 0.7; }); }},
      {"HeavyCentre",
       [&] {
         std::vector<Edge> edges;
         std::vector<double> weights{100.0};
         for (Index i = 1; i < 50; ++i) {
           edges.push_back({0, i});
           weights.push_back(2.0 + i % 2);
         }
         return graph(problem, 50, edges, weights);
       }},
  };
}

inline std::vector<ProblemCase> mis_cases() {
  return set_cases(mis());
}

/// Those of every problem.
inline std::vector<ProblemCase> all_cases() {
  std::vector<ProblemCase> all = tsp_cases();
  for (const char* problem : {"mis", "vertex-cover", "clique"}) {
    const std::vector<ProblemCase> cases = set_cases(find_problem(problem));
    all.insert(all.end(), cases.begin(), cases.end());
  }
  return all;
}

}  // namespace moco::test
