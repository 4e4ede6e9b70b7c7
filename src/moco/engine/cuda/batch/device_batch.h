// What the kernels see of a batch: plain structures of sizes and device pointers, by owner. Shapes stand beside the
// pointers: T trajectories, V variables and S nodes of all trajectories together, b samples, D = 128 hidden columns.
#pragma once

#include "moco/engine/cuda/batch/network_data.h"
#include "moco/engine/cuda/batch/problem_data.h"
#include "moco/engine/cuda/batch/rows.h"
#include "moco/engine/cuda/batch/rule_data.h"
#include "moco/engine/cuda/batch/search_data.h"

namespace moco::cuda {

struct DeviceBatch {
  int trajectories = 0;
  int samples = 0;  ///< b
  bool is_tsp = false;
  bool alone = true;  ///< no other batch steps at the same time
  long long total_variables = 0;
  const GraphData* graphs = nullptr;
  const TrajectoryData* trajectory = nullptr;  ///< [T]

  SearchData search;
  TourData tours;
  SetData sets;
  NetworkData network;
  AdamData adam;
  PheromoneData pheromones;
};

/// Whether somebody needs the nodes after the last block of a network for the TSP.
MOCO_HOST_DEVICE inline bool needs_last_nodes(const DeviceBatch& batch, const NetworkOffsets& net) {
  return net.has_global && !batch.network.pools_known;
}

}  // namespace moco::cuda
