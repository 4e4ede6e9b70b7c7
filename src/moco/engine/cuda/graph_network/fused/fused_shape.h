// How the fused network (fused_network.cu) cuts a trajectory over a cluster of thread blocks, and what a block keeps in
// shared memory: its slice of h_e, weight matrices, a work area, small vectors, and as many tiles of u as fit.
#pragma once

#include <vector>

#include "moco/engine/cuda/batch/rows.h"
#include "moco/engine/cuda/kit/sizes.h"

namespace moco::cuda {

inline constexpr int kMaxCluster = 16;
inline constexpr int kMaxSlots = 3;
inline constexpr int kFusedRowBytes = 2 * (kHidden + 8);  ///< of a row of bf16 in shared memory; kPitch in tile.cuh
inline constexpr int kSliceBytes = 2048;  ///< of a block's slice (fused_slice.cuh), before everything else
inline constexpr int kStateBytes = 15 * kHidden * static_cast<int>(sizeof(float));  ///< of FusedState (fused_slice.cuh)
inline constexpr int kMatrixBytes = kHidden * kFusedRowBytes;
inline constexpr int kEdgeTile = 128;                       ///< edges of a block at a time
inline constexpr int kUnitRows = 32;                        ///< edges of a warp at a time
inline constexpr int kUnitBytes = kUnitRows * kHidden * 2;  ///< of a unit of u
inline constexpr int kNodeTile = 32;                        ///< the nodes of a block are one tile at most

struct FusedShape {
  int cluster = 0;       ///< thread blocks per trajectory; 0: the fused network is not used
  int slots = 1;         ///< weight matrices in shared memory: 1 … kMaxSlots
  int rows = 0;          ///< edges of a block, at most
  int units = 0;         ///< ⌈rows / 32⌉
  int shared_units = 0;  ///< those whose u stays in shared memory; the others' goes to global memory
  int work_bytes = 0;
  int shared_bytes = 0;
};

/// The shape for these trajectories (TSP), with `cluster` blocks each, or as many as suit the size of the batch if that
/// is 0. Cluster 0 comes back when some trajectory does not fit.
FusedShape fused_shape(const std::vector<TrajectoryData>& trajectories, int cluster);

}  // namespace moco::cuda
