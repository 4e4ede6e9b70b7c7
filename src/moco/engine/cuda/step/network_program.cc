// Switches, and whose turn it is.
#include "moco/engine/cuda/step/network_program.h"

namespace moco::cuda {

NetworkProgram::NetworkProgram(const BatchSpec& spec, const WeightSets& weights)
    : config_(spec.config),
      init_(weights.plan().init),
      update_(weights.plan().update),
      bf16_(weights.bf16()),
      weight_sets_(weights.count()) {}

std::vector<const NetworkOffsets*> NetworkProgram::networks() const {
  std::vector<const NetworkOffsets*> all;
  for (const NetworkOffsets* net : {&init_, &update_}) {
    if (net->blocks > 0) {
      all.push_back(net);
    }
  }
  return all;
}

void NetworkProgram::place(Arena& arena, const BatchLayout& layout, DeviceBatch& batch) const {
  NetworkData& network = batch.network;
  const bool tsp = batch.is_tsp;
  const bool updates = update_.blocks > 0;
  network.embeds_global = updates;
  network.authors = config_.gcn == GcnVariant::authors;
  network.node_weights = config_.node_weights;
  network.pools_known = updates && tsp && config_.global_pooling != GlobalPooling::max && config_.blocks > 1;
  const bool pool_by_maximum = !tsp && network.authors;
  network.pooling = static_cast<int>(pool_by_maximum ? GlobalPooling::max : config_.global_pooling);
  arena.place(network.crowding, updates && !tsp && config_.crowding ? layout.variables : 0);
  arena.place(network.h_g, layout.per_trajectory() * kHidden);
  arena.place(network.edge_constant, layout.per_trajectory() * kHidden);
  arena.place(network.node_constant, layout.per_trajectory() * kHidden);
  place_state(arena, layout, batch);
}

void NetworkProgram::first_theta(const DeviceBatch& batch, KernelQueue& queue) const {
  run(batch, init_, queue);
}

void NetworkProgram::update(const DeviceBatch& batch, KernelQueue& queue) const {
  run(batch, update_, queue);
}

}  // namespace moco::cuda
