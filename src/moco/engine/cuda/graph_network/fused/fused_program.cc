// Messages pass through memory, and the units of u that shared memory does not hold.
#include "moco/engine/cuda/graph_network/fused/fused_program.h"

#include "moco/engine/cuda/graph_network/fused/fused_kernel.h"

namespace moco::cuda {

FusedProgram::FusedProgram(const BatchSpec& spec, const WeightSets& weights, const FusedShape& shape)
    : GraphNetworkProgram(spec, weights, false), shape_(shape) {}

void FusedProgram::place_state(Arena& arena, const BatchLayout& layout, DeviceBatch& batch) const {
  NetworkData& network = batch.network;
  arena.place_bytes(network.sent, layout.nodes * kHidden * element_bytes());
  arena.place_bytes(network.received, layout.nodes * kHidden * element_bytes());
  const auto units =
      static_cast<std::size_t>(shape_.cluster) * static_cast<std::size_t>(shape_.units - shape_.shared_units);
  arena.place_bytes(network.u_e, layout.per_trajectory() * units * kUnitBytes);
  arena.place(network.h_v, layout.nodes * kHidden);
}

void FusedProgram::run(const DeviceBatch& batch, const NetworkOffsets& net, KernelQueue& queue) const {
  queue.run("network", [&](cudaStream_t stream) { fused_network(batch, net, shape_, stream); });
}

}  // namespace moco::cuda
