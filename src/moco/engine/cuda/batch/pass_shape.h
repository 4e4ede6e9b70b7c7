// How the networks that run pass by pass cut a batch's rows into chunks, one thread block each.
#pragma once

namespace moco::cuda {

struct PassShape {
  bool bf16 = true;
  int node_tile = 32;   ///< 16 or 32
  int edge_chunks = 0;  ///< TSP
  int node_chunks = 0;
  int node_cluster = 0;  ///< TSP: node chunks of a trajectory, at most, where one kernel works on them; else 0
};

}  // namespace moco::cuda
