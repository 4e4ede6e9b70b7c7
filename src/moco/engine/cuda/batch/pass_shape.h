// How the networks that run pass by pass cut a batch's rows into items, one thread block each.
#pragma once

namespace moco::cuda {

struct PassShape {
  bool bf16 = true;
  int node_tile = 32;  ///< 16 or 32
  int edge_items = 0;  ///< TSP
  int node_items = 0;
};

}  // namespace moco::cuda
