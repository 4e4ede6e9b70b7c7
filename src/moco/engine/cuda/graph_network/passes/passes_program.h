// The TSP's network pass by pass: two kernels over the edges and two over the nodes of each block. For batches of any
// size, in bf16 and float32.
#pragma once

#include "moco/engine/cuda/batch/pass_shape.h"
#include "moco/engine/cuda/graph_network/graph_network_program.h"

namespace moco::cuda {

class PassesProgram final : public GraphNetworkProgram {
 public:
  /// Cuts the trajectories' rows into chunks, which the layout keeps.
  PassesProgram(const BatchSpec& spec, const WeightSets& weights, BatchLayout& layout);

  std::string_view name() const override { return "graph network, pass by pass"; }

 private:
  void place_state(Arena& arena, const BatchLayout& layout, DeviceBatch& batch) const override;
  void run(const DeviceBatch& batch, const NetworkOffsets& net, KernelQueue& queue) const override;

  PassShape shape_;
};

}  // namespace moco::cuda
