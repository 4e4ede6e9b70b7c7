// The TSP's network of a hidden size of up to 32 as one kernel, a thread block per trajectory. In bf16, for batches and
// graphs of any size: what shared memory does not hold lies in global memory.
#pragma once

#include "moco/engine/cuda/graph_network/graph_network_program.h"
#include "moco/engine/cuda/graph_network/narrow/narrow_kernel.h"

namespace moco::cuda {

class NarrowProgram final : public GraphNetworkProgram {
 public:
  NarrowProgram(const BatchSpec& spec, const WeightSets& weights, const BatchLayout& layout);

  std::string_view name() const override { return "narrow graph network in one kernel"; }
  int steps_together() const override { return 4; }

 private:
  void place_state(Arena& arena, const BatchLayout& layout, DeviceBatch& batch) const override;
  void run(const DeviceBatch& batch, const NetworkOffsets& net, KernelQueue& queue) const override;

  NarrowShape shape_;
};

}  // namespace moco::cuda
