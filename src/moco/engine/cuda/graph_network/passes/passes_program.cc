// Chunks of edges and of nodes, and the kernels in their order.
#include "moco/engine/cuda/graph_network/passes/passes_program.h"

#include <algorithm>
#include <limits>

#include "moco/core/ceil_div.h"
#include "moco/engine/cuda/graph_network/passes/pass_kernels.h"

namespace moco::cuda {

namespace {

/// Nodes per chunk of the passes over edges: those with which the blocks of the device, three per multiprocessor, are
/// through first. A block's warps take a quarter each, 16 edges at a time; its start costs as much as two times 16.
int nodes_of_edge_chunk(const std::vector<TrajectoryData>& trajectories) {
  constexpr long long kStart = 2;
  constexpr long long kAtOnce = 3 * kMultiprocessors;
  long long best = 1;
  long long least = std::numeric_limits<long long>::max();
  for (long long per_warp = 1; kEdgeWarps * per_warp <= kMostEdgeNodes; ++per_warp) {
    long long chunks = 0;
    long long steps = 0;
    for (const TrajectoryData& t : trajectories) {
      if (t.variables > 0) {
        chunks += ceil_div<long long>(t.nodes, kEdgeWarps * per_warp);
        steps = std::max(steps, ceil_div<long long>(per_warp * t.variables / t.nodes, kWarpRows));
      }
    }
    const long long time = ceil_div(chunks, kAtOnce) * (steps + kStart);
    if (time < least) {
      least = time;
      best = per_warp;
    }
  }
  return static_cast<int>(kEdgeWarps * best);
}

}  // namespace

PassesProgram::PassesProgram(const BatchSpec& spec, const WeightSets& weights, BatchLayout& layout)
    : GraphNetworkProgram(spec, weights, true), shape_(cut_nodes(layout, weights.bf16())) {
  const int edge_nodes = nodes_of_edge_chunk(layout.trajectories);
  for (int i = 0; i < layout.count(); ++i) {
    TrajectoryData& t = layout.trajectories[static_cast<std::size_t>(i)];
    if (t.variables > 0) {
      t.edge_chunks = append_chunks(layout.edge_chunks, i, t.nodes, edge_nodes);
    }
  }
  shape_.edge_chunks = static_cast<int>(layout.edge_chunks.size());
}

void PassesProgram::place_state(Arena& arena, const BatchLayout& layout, DeviceBatch& batch) const {
  NetworkData& network = batch.network;
  const std::size_t element = element_bytes();
  arena.place_bytes(network.sent, layout.nodes * kHidden * element);
  arena.place_bytes(network.received, layout.nodes * kHidden * element);
  arena.place_bytes(network.h_e, layout.variables * kHidden * element);
  arena.place(network.u_v, layout.nodes * kHidden);
  arena.place(network.sum_out, layout.nodes * kHidden);
  arena.place(network.edge_pools, static_cast<std::size_t>(shape_.node_chunks) * kHidden);
  arena.place(network.h_v, layout.nodes * kHidden);
  arena.place(network.edge_norm, layout.per_trajectory() * 2 * kHidden);
  arena.place(network.node_norm, layout.per_trajectory() * 2 * kHidden);
  arena.place(network.pooled_edges, layout.per_trajectory() * kHidden);
  arena.place(network.theta_divisor, network.pools_known ? layout.per_trajectory() : 0);
  const auto chunks = static_cast<std::size_t>(std::max(shape_.edge_chunks, shape_.node_chunks));
  arena.place(network.partials, chunks * 2 * kHidden);
}

void PassesProgram::run(const DeviceBatch& batch, const NetworkOffsets& net, KernelQueue& queue) const {
  for (int block = 0; block < net.blocks; ++block) {
    queue.run("edge_moments", [&](cudaStream_t stream) { edge_moments(batch, net, shape_, block, stream); });
    queue.run("edge_advance", [&](cudaStream_t stream) { edge_advance(batch, net, shape_, block, stream); });
    if (block + 1 < net.blocks || needs_last_nodes(batch, net)) {
      queue.run("node_update", [&](cudaStream_t stream) { node_update(batch, net, shape_, block, stream); });
      queue.run("node_normalise", [&](cudaStream_t stream) { node_normalise(batch, net, shape_, block, stream); });
    }
  }
}

}  // namespace moco::cuda
