// The GCN as one kernel on clusters of thread blocks that wait for each other, so that all of them have to run at once.
// For small batches (fused_gcn_shape), in bf16 and float32.
#pragma once

#include "moco/engine/cuda/gcn/fused/fused_gcn_kernels.h"
#include "moco/engine/cuda/step/network_program.h"

namespace moco::cuda {

class FusedGcnProgram final : public NetworkProgram {
 public:
  FusedGcnProgram(const BatchSpec& spec, const WeightSets& weights, const BatchLayout& layout,
                  const FusedGcnShape& shape);

  std::string_view name() const override { return "gcn in one kernel"; }
  int steps_together() const override { return 4; }

 private:
  void add_prepared(const DeviceBatch& batch, std::span<GraphData> graphs) const override;
  void place_state(Arena& arena, const BatchLayout& layout, DeviceBatch& batch) const override;
  void prepare(const DeviceBatch& batch, cudaStream_t stream) const override;
  void run(const DeviceBatch& batch, const NetworkOffsets& net, KernelQueue& queue) const override;

  FusedGcnShape shape_;
  std::vector<std::size_t> near_at_{0};  ///< places before each graph's lists, and at the end
  int graphs_;
  int largest_graph_;
};

}  // namespace moco::cuda
