// Lists of edges on their way from a file to a graph.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "moco/data.h"

namespace moco {

/// Edges with their weights, or without.
struct EdgeList {
  std::vector<Edge> edges;
  std::vector<double> weights;  ///< one per edge, or empty
};

/// What became of a list when the two directions of each edge were taken for one.
struct JoinedEdges {
  EdgeList list;                ///< in ascending order of (lower end, higher end)
  std::optional<Edge> one_way;  ///< an edge that only one of its ends lists
  std::size_t conflicts = 0;    ///< edges whose two directions have different weights: the first counts
};

/// Takes an edge (u, v) with u < v and an edge (v, u) for one; repetitions within one direction stay.
JoinedEdges join_directions(const EdgeList& list);

/// The edges of a simple graph: no self-loops, each once as (lower, higher) in ascending order, with the weight it has
/// first.
EdgeList simple_edges(const GraphData& graph);

}  // namespace moco
