// The edges that enter a node, looked up ahead of their use by a warp.
#pragma once

#include "moco/engine/cuda/batch/device_batch.h"

namespace moco::cuda {

/// Where they stand in in_edges, and those of them that lanes 0 … 31 look at first.
struct EnteringEdges {
  int begin = 0;
  int end = 0;
  int edge = 0;

  __device__ void look_up(const GraphData& graph, int node) {
    begin = graph.in_offsets[node];
    end = graph.in_offsets[node + 1];
    edge = edge_at(graph, begin);
  }
  /// Of this lane among the 32 from `first` on.
  __device__ int edge_at(const GraphData& graph, int first) const {
    const int at = first + static_cast<int>(threadIdx.x) % 32;
    return at < end ? graph.in_edges[at] : 0;
  }
};

}  // namespace moco::cuda
