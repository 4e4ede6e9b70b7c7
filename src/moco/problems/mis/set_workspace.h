// What a local search of an independent set (set_search.h) works on: the graph, what its nodes weigh, memory, limits.
// One definition for all engines; for nodes that weigh 1 nothing of the weights is left after compilation.
#pragma once

#include "moco/core/team.h"

namespace moco {

/// Adjacency with ascending rows.
template <typename Offset>
struct SetGraph {
  int nodes = 0;
  const Offset* offsets = nullptr;  ///< [n + 1]
  const int* targets = nullptr;
};

/// Memory of a search on n nodes.
struct SetWorkspace {
  int* tightness = nullptr;         ///< [n]
  int* inside = nullptr;            ///< [n] exclusive or of the neighbours in the set
  int* queue = nullptr;             ///< [n]
  int* loose = nullptr;             ///< [n] neighbours of tightness 1 of the node at hand
  unsigned char* queued = nullptr;  ///< [n]
  unsigned char* chosen = nullptr;  ///< [n]
  unsigned char* kept = nullptr;    ///< [n] the best set seen; with plateau steps only
};

struct SetSearchLimits {
  int moves = 0;          ///< swaps at most; 0: no limit
  int plateau_steps = 0;  ///< plateau swaps, those of one node for two included
};

/// Every node weighs 1.
struct UnitWeights {
  static constexpr bool weighted = false;
  using Total = int;

  MOCO_TEAM_CODE static constexpr int of(int) { return 1; }
  MOCO_TEAM_CODE void clear(int) const {}
  MOCO_TEAM_CODE void change(int, int, bool) const {}
  MOCO_TEAM_CODE static constexpr bool outweighs(int) { return false; }
  MOCO_TEAM_CODE static constexpr bool outweigh(int, int, int) { return true; }
};

/// Weights whose sums are all exact (DecisionGraph::weights), so that those carried along stay so.
struct NodeWeights {
  static constexpr bool weighted = true;
  using Total = double;

  const double* weight = nullptr;  ///< [n]
  double* inside = nullptr;        ///< [n] weight of a node's neighbours in the set
  int* leaving = nullptr;          ///< [n] neighbours that a node drives out

  MOCO_TEAM_CODE double of(int node) const { return weight[node]; }
  MOCO_TEAM_CODE void clear(int node) const { inside[node] = 0.0; }
  /// A neighbour of `node` entered the set or left it.
  MOCO_TEAM_CODE void change(int node, int neighbour, bool entered) const {
    inside[node] += entered ? weight[neighbour] : -weight[neighbour];
  }
  /// Whether a node weighs more than its neighbours in the set.
  MOCO_TEAM_CODE bool outweighs(int node) const { return weight[node] > inside[node]; }
  /// Whether two nodes weigh more than a third.
  MOCO_TEAM_CODE bool outweigh(int one, int two, int third) const { return weight[one] + weight[two] > weight[third]; }
};

}  // namespace moco
