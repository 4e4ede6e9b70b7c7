// Many trajectories take the smallest cluster that holds one, few take larger ones until the device is full.
#include "moco/engine/cuda/graph_network/fused/fused_shape.h"

#include <algorithm>

#include "moco/core/ceil_div.h"

namespace moco::cuda {

namespace {

constexpr int kSharedLimit = kMostShared - kSliceBytes;  // what is left for the other regions
constexpr int kFeatureBytes = kFeatureRows * kFusedRowBytes + kEdgeTile * 2 * (kFeatureRows + 8);
constexpr int kNodeBytes =
    3 * kNodeTile * kFusedRowBytes + kFusedThreads / 32 * kHidden * static_cast<int>(sizeof(float));
constexpr int kFewestNodes = 4;   // of a block, when a larger cluster is a choice
constexpr long long kFewest = 4;  // trajectories that get 16 blocks, which are hard to place side by side

FusedShape shape_of(const std::vector<TrajectoryData>& trajectories, int cluster) {
  FusedShape shape;
  shape.work_bytes = std::max(kFeatureBytes, kNodeBytes);
  for (const TrajectoryData& t : trajectories) {
    if (t.variables == 0) {
      continue;
    }
    const int nodes = ceil_div(t.nodes, cluster);
    if (nodes > kNodeTile || t.variables > kSharedLimit / kFusedRowBytes * cluster) {
      return {};
    }
    shape.rows = std::max(shape.rows, nodes * (t.variables / t.nodes));
    shape.work_bytes = std::max(shape.work_bytes, t.nodes * kHidden * 2);  // received
  }
  shape.units = ceil_div(shape.rows, kUnitRows);
  const int left =
      kSharedLimit - shape.rows * kFusedRowBytes - shape.work_bytes - kStateBytes - shape.slots * kMatrixBytes;
  if (left < 0) {
    return {};
  }
  shape.cluster = cluster;
  const int more = std::min(left / kMatrixBytes, kMaxSlots - 1);
  shape.slots += more;
  shape.shared_units = std::min((left - more * kMatrixBytes) / kUnitBytes, shape.units);
  shape.shared_bytes = kSliceBytes + kSharedLimit - left + more * kMatrixBytes + shape.shared_units * kUnitBytes;
  return shape;
}

}  // namespace

FusedShape fused_shape(const std::vector<TrajectoryData>& trajectories, int cluster) {
  if (cluster != 0) {
    return cluster <= kMaxCluster ? shape_of(trajectories, cluster) : FusedShape{};
  }
  int nodes = 0;
  for (const TrajectoryData& t : trajectories) {
    nodes = std::max(nodes, t.nodes);
  }
  FusedShape best;
  const auto count = static_cast<long long>(trajectories.size());
  for (int size = 1; size <= kMaxCluster; size *= 2) {
    const bool room =
        count * size <= kMultiprocessors && nodes >= kFewestNodes * size && (size < kMaxCluster || count <= kFewest);
    if (best.cluster == 0 || room) {
      const FusedShape shape = shape_of(trajectories, size);
      best = shape.cluster != 0 ? shape : best;
    }
  }
  return best;
}

}  // namespace moco::cuda
