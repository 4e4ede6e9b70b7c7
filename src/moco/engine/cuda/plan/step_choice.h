// Which kernels a batch runs: the one place that chooses, and why.
#pragma once

#include "moco/engine/cuda/batch/batch_layout.h"
#include "moco/engine/cuda/cuda_engine.h"
#include "moco/engine/cuda/graph_network/fused/fused_shape.h"
#include "moco/engine/cuda/step/step.h"

namespace moco::cuda {

/// How much the device runs at the same time. Asked only where a choice depends on it.
class Occupancy {
 public:
  virtual ~Occupancy() = default;
  /// Clusters of the graph network in one kernel, of this shape.
  virtual int fused_networks(const FusedShape& shape) const = 0;
  /// Clusters of the GCN in one kernel, whatever their shape.
  virtual int fused_gcns(bool bf16) const = 0;
};

/// That of the current device.
class DeviceOccupancy final : public Occupancy {
 public:
  int fused_networks(const FusedShape& shape) const override;
  int fused_gcns(bool bf16) const override;
};

/// Throws OptionError for families without kernels, and for what the kernels cannot hold.
Step choose_step(const BatchSpec& spec, const CudaOptions& options, const Occupancy& occupancy, BatchLayout& layout);

}  // namespace moco::cuda
