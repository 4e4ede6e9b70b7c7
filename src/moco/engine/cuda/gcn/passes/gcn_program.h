// The GCN pass by pass: an embedding, then a kernel per block, on dense graphs with one in front that finds the largest
// messages of neighbours. For batches of any size, in bf16 and float32.
#pragma once

#include "moco/engine/cuda/batch/pass_shape.h"
#include "moco/engine/cuda/gcn/passes/gcn_kernels.h"
#include "moco/engine/cuda/step/network_program.h"

namespace moco::cuda {

class GcnProgram final : public NetworkProgram {
 public:
  /// Cuts the trajectories' rows into chunks, which the layout keeps.
  GcnProgram(const BatchSpec& spec, const WeightSets& weights, BatchLayout& layout);

  std::string_view name() const override { return "gcn, pass by pass"; }

 private:
  void place_state(Arena& arena, const BatchLayout& layout, DeviceBatch& batch) const override;
  void run(const DeviceBatch& batch, const NetworkOffsets& net, KernelQueue& queue) const override;

  PassShape shape_;
  NeighbourMaxShape neighbour_max_;
};

}  // namespace moco::cuda
