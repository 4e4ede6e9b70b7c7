// Lists of neighbours in the kernel's order, and one launch per network.
#include "moco/engine/cuda/gcn/fused/fused_gcn_program.h"

namespace moco::cuda {

FusedGcnProgram::FusedGcnProgram(const BatchSpec& spec, const WeightSets& weights, const BatchLayout& layout,
                                 const FusedGcnShape& shape)
    : NetworkProgram(spec, weights), shape_(shape), graphs_(layout.graphs), largest_graph_(layout.largest_graph) {
  for (const DecisionGraph* graph : spec.graphs) {
    near_at_.push_back(near_at_.back() + near_list_places(graph->nodes, graph->targets.size()));
  }
}

void FusedGcnProgram::place_state(Arena& arena, const BatchLayout& layout, DeviceBatch& batch) const {
  NetworkData& network = batch.network;
  arena.place(network.meetings, layout.per_trajectory(), Cleared::once);
  arena.place_bytes(network.sent, layout.nodes * kHidden * element_bytes());
  arena.place_bytes(network.received, layout.nodes * kHidden * element_bytes());
  arena.place(network.near, near_at_.back());
  arena.place(network.partials, layout.per_trajectory() * 2 * static_cast<std::size_t>(shape_.parts) * kHidden);
}

void FusedGcnProgram::add_prepared(const DeviceBatch& batch, std::span<GraphData> graphs) const {
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    graphs[i].near = batch.network.near + near_at_[i];
  }
}

void FusedGcnProgram::prepare(const DeviceBatch& batch, cudaStream_t stream) const {
  near_lists(batch, graphs_, largest_graph_, stream);
}

void FusedGcnProgram::run(const DeviceBatch& batch, const NetworkOffsets& net, KernelQueue& queue) const {
  queue.run("network", [&](cudaStream_t stream) { fused_gcn(batch, net, shape_, bf16(), stream); });
}

}  // namespace moco::cuda
