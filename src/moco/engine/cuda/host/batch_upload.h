// Constant data of a batch on the device: graphs, trajectory and item tables.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "moco/engine/cuda/host/base_weights.h"
#include "moco/engine/cuda/host/batch_plan.h"
#include "moco/engine/cuda/step/weights.h"

namespace moco::cuda {

/// Collects arrays, then copies them to the device in one go.
class BatchUpload {
 public:
  /// Fills the plan's constant pointers and uploads.
  BatchUpload(const BatchSpec& spec, const BaseWeights& bases, BatchPlan& plan, DeviceContext& context);

  const WeightSource* weight_sources() const { return weight_sources_; }
  const PackEntry* pack_entries() const { return pack_entries_; }

 private:
  template <typename T>
  std::size_t add(const T* data, std::size_t count);
  template <typename T>
  const T* address(std::size_t offset) const {
    return reinterpret_cast<const T*>(device_->data() + offset);
  }
  void collect_graphs(const BatchSpec& spec);

  /// Offsets of a graph's arrays.
  struct GraphPieces {
    std::size_t targets, length, feature, in_offsets, in_edges, reverse, points, matrix, offsets, weights;
  };

  std::vector<HostPiece> pieces_;
  std::size_t bytes_ = 0;
  std::vector<std::vector<int>> in_offsets_;  ///< narrowed copies
  std::vector<GraphPieces> graph_pieces_;
  std::unique_ptr<DeviceBuffer> device_;
  const WeightSource* weight_sources_ = nullptr;
  const PackEntry* pack_entries_ = nullptr;
};

}  // namespace moco::cuda
