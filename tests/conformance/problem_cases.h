// The instances every problem must get through, from ordinary to degenerate. A new problem adds its own list here and
// passes the whole suite.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "moco/generate.h"
#include "moco/instance.h"

namespace moco::test {

struct ProblemCase {
  std::string name;
  std::function<InstancePtr()> make;
};

inline InstancePtr points(std::vector<Point> all, Metric metric = Metric::euclidean) {
  return std::make_shared<TspInstance>("points", std::move(all), metric);
}

inline InstancePtr generated(const std::string& kind, Index nodes, double probability = 0.15) {
  GeneratorOptions options;
  options.kind = kind;
  options.nodes = nodes;
  options.probability = probability;
  options.cliques = 8;
  options.clique_size = 5;
  options.variables = 12;
  options.clauses = 40;
  options.max_clauses = 50;
  return generate(options);
}

inline InstancePtr graph(Index n, const std::vector<Edge>& edges) {
  return std::make_shared<GraphInstance>("graph", n, edges);
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
      {"Uniform", [] { return generated("uniform", 60); }},
      {"Clustered", [] { return generated("clustered", 60); }},
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

inline std::vector<ProblemCase> mis_cases() {
  return {
      {"OneNode", [] { return graph(1, {}); }},
      {"OneEdge",
       [] {
         return graph(2, {{0, 1}});
       }},
      {"NoEdges", [] { return graph(40, {}); }},
      {"SelfLoopsAndDuplicates",
       [] {
         return graph(4, {{0, 0}, {0, 1}, {1, 0}, {0, 1}, {3, 3}});
       }},
      {"Complete",
       [] {
         std::vector<Edge> edges;
         for (Index i = 0; i < 20; ++i) {
           for (Index j = i + 1; j < 20; ++j) {
             edges.push_back({i, j});
           }
         }
         return graph(20, edges);
       }},
      {"Star",
       [] {
         std::vector<Edge> edges;
         for (Index i = 1; i < 50; ++i) {
           edges.push_back({0, i});
         }
         return graph(50, edges);
       }},
      {"ErdosRenyi", [] { return generated("er", 120); }},
      {"SparseErdosRenyi", [] { return generated("er", 200, 0.01); }},
      {"BarabasiAlbert", [] { return generated("ba", 90); }},
      {"RbModel", [] { return generated("rb", 0); }},
      {"FromSat", [] { return generated("sat", 0); }},
  };
}

}  // namespace moco::test
