// Rows of 32 columns.
#include "moco/engine/cuda/graph_network/narrow/narrow_program.h"

namespace moco::cuda {

NarrowProgram::NarrowProgram(const BatchSpec& spec, const WeightSets& weights, const BatchLayout& layout)
    : GraphNetworkProgram(spec, weights, false), shape_(narrow_shape(layout.max_nodes, layout.max_variables)) {}

void NarrowProgram::place_state(Arena& arena, const BatchLayout& layout, DeviceBatch& batch) const {
  NetworkData& network = batch.network;
  const std::size_t row = kNarrowHidden * element_bytes();
  arena.place_bytes(network.h_e, shape_.edges_shared ? 0 : layout.variables * row);
  arena.place_bytes(network.sent, shape_.messages_shared ? 0 : layout.nodes * row);
  arena.place_bytes(network.received, shape_.messages_shared ? 0 : layout.nodes * row);
  arena.place(network.h_v, layout.nodes * kNarrowHidden);
  arena.place(network.u_v, layout.nodes * kNarrowHidden);
}

void NarrowProgram::run(const DeviceBatch& batch, const NetworkOffsets& net, KernelQueue& queue) const {
  queue.run("network", [&](cudaStream_t stream) { narrow_network(batch, net, shape_, stream); });
}

}  // namespace moco::cuda
