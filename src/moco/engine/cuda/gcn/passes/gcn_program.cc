// Items of nodes, and the kernels in their order.
#include "moco/engine/cuda/gcn/passes/gcn_program.h"

namespace moco::cuda {

namespace {

/// Neighbours per node, over all trajectories.
double mean_degree(const BatchSpec& spec) {
  double neighbours = 0.0;
  double nodes = 0.0;
  for (const Trajectory& trajectory : spec.trajectories) {
    const DecisionGraph& graph = *spec.graphs[trajectory.graph];
    neighbours += static_cast<double>(graph.targets.size());
    nodes += graph.nodes;
  }
  return nodes > 0.0 ? neighbours / nodes : 0.0;
}

}  // namespace

GcnProgram::GcnProgram(const BatchSpec& spec, const WeightSets& weights, BatchLayout& layout)
    : NetworkProgram(spec, weights),
      shape_(cut_nodes(layout, weights.bf16())),
      neighbour_max_(neighbour_max_shape(layout.max_nodes, mean_degree(spec), layout.count(), weights.bf16() ? 2 : 4)) {
}

void GcnProgram::place_state(Arena& arena, const BatchLayout& layout, DeviceBatch& batch) const {
  NetworkData& network = batch.network;
  const std::size_t row = kHidden * element_bytes();
  arena.place(network.updated, layout.per_trajectory(), Cleared::at_begin);
  arena.place_bytes(network.sent, layout.nodes * row);
  arena.place_bytes(network.received, layout.nodes * row);
  arena.place_bytes(network.top, neighbour_max_.width != 0 ? layout.nodes * row : 0);
  arena.place(network.h_v, layout.nodes * kHidden);
  arena.place(network.partials, static_cast<std::size_t>(shape_.node_chunks) * 2 * kHidden);
}

void GcnProgram::run(const DeviceBatch& batch, const NetworkOffsets& net, KernelQueue& queue) const {
  queue.run("gcn_embed", [&](cudaStream_t stream) { gcn_embed(batch, net, shape_, stream); });
  for (int block = 0; block < net.blocks; ++block) {
    if (neighbour_max_.width != 0) {
      queue.run("neighbour_max",
                [&](cudaStream_t stream) { neighbour_max(batch, net, neighbour_max_, bf16(), block, stream); });
    }
    queue.run("gcn_block", [&](cudaStream_t stream) { gcn_block(batch, net, shape_, block, stream); });
  }
}

}  // namespace moco::cuda
