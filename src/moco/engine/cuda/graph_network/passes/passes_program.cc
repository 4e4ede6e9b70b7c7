// Chunks of edges and of nodes, and the kernels in their order.
#include "moco/engine/cuda/graph_network/passes/passes_program.h"

#include <algorithm>
#include <limits>

#include "moco/core/ceil_div.h"
#include "moco/engine/cuda/graph_network/passes/pass_kernels.h"

namespace moco::cuda {

namespace {

/// Nodes per chunk of the passes over edges: those with which the blocks of the device, two per multiprocessor, are
/// through first. A block takes 64 edges at a time; its start costs as much as two times 64.
int nodes_of_edge_chunk(const std::vector<TrajectoryData>& trajectories) {
  constexpr long long kStart = 2;
  constexpr long long kAtOnce = 2 * kMultiprocessors;
  long long best = 1;
  long long least = std::numeric_limits<long long>::max();
  for (long long nodes = 1; nodes <= kMostEdgeNodes; ++nodes) {
    long long chunks = 0;
    long long tiles = 0;
    for (const TrajectoryData& t : trajectories) {
      if (t.variables > 0) {
        chunks += ceil_div<long long>(t.nodes, nodes);
        tiles = std::max(tiles, ceil_div<long long>(nodes * t.variables / t.nodes, kTileEdges));
      }
    }
    const long long time = ceil_div(chunks, kAtOnce) * (tiles + kStart);
    if (time < least) {
      least = time;
      best = nodes;
    }
  }
  return static_cast<int>(best);
}

/// Thread blocks of node_cluster for the nodes of a trajectory: as many as it takes to fill the device, with at least
/// 16 nodes each; 0 where a cluster cannot hold the largest one, and for many trajectories. Measured: 200 steps of 32
/// of TSP100 take 0.0394 s instead of 0.0405 with two kernels, training steps in parts of 64 and 128 0.0531 and 0.1041
/// instead of 0.0522 and 0.1035.
int node_cluster_size(const std::vector<TrajectoryData>& trajectories) {
  constexpr int kMost = 7;  // and one for the global state
  constexpr int kMostTrajectories = 48;
  const auto count = static_cast<int>(trajectories.size());
  int nodes = 0;
  for (const TrajectoryData& t : trajectories) {
    nodes = std::max(nodes, t.nodes);
  }
  const int fewest = std::max(ceil_div(nodes, kClusterNodes), 1);
  if (fewest > kMost || count > kMostTrajectories) {
    return 0;
  }
  const int wanted = static_cast<int>(kMultiprocessors * 5 / 4) / std::max(count, 1);
  return std::clamp(std::min(wanted, nodes / 16), fewest, kMost);
}

}  // namespace

PassesProgram::PassesProgram(const BatchSpec& spec, const WeightSets& weights, BatchLayout& layout)
    : GraphNetworkProgram(spec, weights, true) {
  const int parts = weights.bf16() ? node_cluster_size(layout.trajectories) : 0;
  if (parts > 0) {
    for (int i = 0; i < layout.count(); ++i) {
      TrajectoryData& t = layout.trajectories[static_cast<std::size_t>(i)];
      if (t.variables > 0) {
        t.node_chunks = append_chunks(layout.node_chunks, i, t.nodes, ceil_div(t.nodes, parts));
      }
    }
    shape_.node_chunks = static_cast<int>(layout.node_chunks.size());
    shape_.node_cluster = parts;
  } else {
    shape_ = cut_nodes(layout, weights.bf16());
  }
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
    if (block + 1 == net.blocks && !needs_last_nodes(batch, net)) {
      continue;
    }
    if (shape_.node_cluster > 0) {
      queue.run("node_cluster", [&](cudaStream_t stream) { node_cluster(batch, net, shape_, block, stream); });
    } else {
      queue.run("node_update", [&](cudaStream_t stream) { node_update(batch, net, shape_, block, stream); });
      queue.run("node_normalise", [&](cudaStream_t stream) { node_normalise(batch, net, shape_, block, stream); });
    }
  }
}

}  // namespace moco::cuda
