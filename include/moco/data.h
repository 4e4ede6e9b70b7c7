// What files hold and generators make, before a problem makes an instance of it.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "moco/types.h"

namespace moco {

struct Point {
  double x = 0.0;
  double y = 0.0;

  friend bool operator==(const Point&, const Point&) = default;
};

/// Distance functions of TSPLIB 95 with its rounding; `euclidean` is the unrounded one for plain coordinate files.
enum class Metric { euclidean, euc_2d, ceil_2d, man_2d, max_2d, geo, att, matrix, euc_3d, ceil_3d };

/// Whether places have a height beside x and y.
constexpr bool is_spatial(Metric metric) {
  return metric == Metric::euc_3d || metric == Metric::ceil_3d;
}

struct Edge {
  Index u = 0;
  Index v = 0;

  friend bool operator==(const Edge&, const Edge&) = default;
};

/// Places with a distance function, or explicit distances.
struct PointData {
  Metric metric = Metric::euclidean;
  std::vector<Point> points = {};    ///< with Metric::matrix for drawing only, or none
  std::vector<double> matrix = {};   ///< Metric::matrix: row-major n×n
  std::vector<double> heights = {};  ///< spatial metrics: one per point
  std::vector<Edge> fixed = {};      ///< edges that are part of every tour
};

/// An undirected graph as it is given: self-loops and repeated edges may be among the edges.
struct GraphData {
  Index nodes = 0;
  std::vector<Edge> edges = {};
  std::vector<double> node_weights = {};  ///< one per node; empty: all 1
  std::vector<double> edge_weights = {};  ///< one per edge; empty: none given
};

/// One instance of a file or generator.
struct InstanceData {
  std::string name = {};
  std::variant<PointData, GraphData> content = {};
  /// What the file calls its cities or nodes, in the order of their numbers; empty: 0 … n−1.
  std::vector<std::string> labels = {};
  std::optional<Solution> reference = {};  ///< a solution that came with it
};

/// What a solution is: all cities or nodes in some order, or a set of them in ascending order.
enum class SolutionShape { order, subset };

/// Which of the two an instance is made of.
enum class DataKind { points, graph };

inline DataKind kind_of(const InstanceData& data) {
  return std::holds_alternative<PointData>(data.content) ? DataKind::points : DataKind::graph;
}

}  // namespace moco
