// The TSP's network as one kernel on clusters of thread blocks, a cluster per trajectory. In bf16, for graphs whose h_e
// fits into the shared memory of a cluster (fused_shape.h).
#pragma once

#include "moco/engine/cuda/graph_network/fused/fused_shape.h"
#include "moco/engine/cuda/graph_network/graph_network_program.h"

namespace moco::cuda {

class FusedProgram final : public GraphNetworkProgram {
 public:
  FusedProgram(const BatchSpec& spec, const WeightSets& weights, const FusedShape& shape);

  std::string_view name() const override { return "graph network in one kernel"; }
  int steps_together() const override { return 4; }

 private:
  void place_state(Arena& arena, const BatchLayout& layout, DeviceBatch& batch) const override;
  void run(const DeviceBatch& batch, const NetworkOffsets& net, KernelQueue& queue) const override;

  FusedShape shape_;
};

}  // namespace moco::cuda
