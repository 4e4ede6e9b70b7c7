// How the rows of a batch lie in memory, as the kernels see it: graphs, trajectories, and chunks of work.
//
// Trajectories lie side by side in all arrays (ragged): the variables of trajectory t begin at variable_offset, its
// nodes at node_offset.
#pragma once

#include <cstdint>

#include "moco/core/random.h"

namespace moco::cuda {

struct GraphData {
  int nodes = 0;
  int degree = 0;
  int variables = 0;
  int metric = 0;
  bool symmetric = true;  ///< TSP
  double cost_scale = 1.0;
  const int* targets = nullptr;        ///< TSP [variables]; MIS [edges]
  const double* length = nullptr;      ///< [variables]
  const float* feature = nullptr;      ///< [variables]; MIS: null where nodes have no weights
  const int* in_offsets = nullptr;     ///< [nodes + 1]
  const int* in_edges = nullptr;       ///< [variables]
  const int* reverse = nullptr;        ///< [variables] where networks see both directions of a tour's edges
  const int* deposits = nullptr;       ///< [variables] likewise, where pheromones lie on both directions
  const double* points = nullptr;      ///< [nodes × 2]
  const double* matrix = nullptr;      ///< [nodes × nodes], metric matrix only
  const long long* offsets = nullptr;  ///< MIS [nodes + 1]
  const double* weights = nullptr;     ///< MIS [nodes]; null where nodes have none
  std::uint32_t* bits = nullptr;  ///< MIS, small graphs: a row per node with the bits of its neighbours and its own
  std::uint16_t* near = nullptr;  ///< MIS: neighbours in the order of fused_gcn (near_lists.cuh)
};

/// Which of a trajectory's counters of finished blocks a kernel uses.
enum Arrival { kArriveSample = 0, kArriveEdge = 1, kArriveNode = 2, kArrivals = 3 };

/// A share of a trajectory's rows for one thread block.
struct RowChunk {
  int trajectory;
  int first;  ///< row within the trajectory
  int rows;
};

/// The chunks of one trajectory in a chunk table.
struct ChunkRange {
  int first = 0;
  int count = 0;
};

struct TrajectoryData {
  int graph = 0;
  int weights = 0;
  int start = 0;
  int nodes = 0;
  int variables = 0;
  StreamKey stream;
  bool weighted = false;  ///< MIS: nodes have weights
  long long node_offset = 0;
  long long variable_offset = 0;
  ChunkRange edge_chunks;  ///< edge_moments, edge_advance; in nodes, whose edges they are
  ChunkRange node_chunks;  ///< node_update, node_normalise; MIS: gcn
};

}  // namespace moco::cuda
