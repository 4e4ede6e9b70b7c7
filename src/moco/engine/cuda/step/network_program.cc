// Weights, and whose turn it is.
#include "moco/engine/cuda/step/network_program.h"

#include "moco/engine/cuda/step/step_kernels.h"

namespace moco::cuda {

NetworkProgram::NetworkProgram(const BatchSpec& spec, const BatchLayout& layout, bool bf16)
    : UpdateProgram(spec.config), config_(spec.config), bf16_(bf16), weight_sets_(layout.weight_sets) {}

void NetworkProgram::place(Arena& arena, const BatchLayout& layout, DeviceBatch& batch) const {
  NetworkData& network = batch.network;
  const bool tsp = batch.is_tsp;
  network.learned = true;
  network.authors = config_.gcn == GcnVariant::authors;
  network.node_weights = config_.node_weights;
  network.pools_known = tsp && config_.global_pooling != GlobalPooling::max && config_.blocks > 1;
  const bool pool_by_maximum = !tsp && network.authors;
  network.pooling = static_cast<int>(pool_by_maximum ? GlobalPooling::max : config_.global_pooling);
  network.theta_update = config_.theta_update;
  network.gradient_scale = static_cast<float>(config_.gradient_scale);
  network.matrix_stride = weights().matrix_stride;
  network.vector_stride = weights().vector_stride;

  const auto sets = static_cast<std::size_t>(weight_sets_);
  arena.place_bytes(network.matrices, sets * static_cast<std::size_t>(weights().matrix_stride) * element_bytes(),
                    Cleared::once);
  arena.place(network.vectors, sets * static_cast<std::size_t>(weights().vector_stride), Cleared::once);
  arena.place(network.first_theta, config_.theta_update == ThetaUpdate::anchored ? layout.variables : 0);
  arena.place(network.crowding, !tsp && config_.crowding ? layout.variables : 0);
  arena.place(network.h_g, layout.per_trajectory() * kHidden);
  arena.place(network.edge_constant, layout.per_trajectory() * kHidden);
  arena.place(network.node_constant, layout.per_trajectory() * kHidden);
  place_state(arena, layout, batch);
}

void NetworkProgram::prepare(const DeviceBatch& batch, const WeightTables& tables, cudaStream_t stream) const {
  const NetworkData& network = batch.network;
  pack_weights(tables.sources, weight_sets_, tables.entries, static_cast<int>(weights().entries.size()), bf16_,
               const_cast<void*>(network.matrices), network.matrix_stride, const_cast<float*>(network.vectors),
               network.vector_stride, stream);
  prepare_more(batch, stream);
}

void NetworkProgram::begin(const DeviceBatch& batch, KernelQueue& queue) const {
  run(batch, weights().init, queue);
}

void NetworkProgram::take_over(const DeviceBatch& batch, KernelQueue& queue) const {
  if (batch.network.first_theta != nullptr) {
    queue.run("keep_theta", [&](cudaStream_t stream) { keep_theta(batch, batch.network.first_theta, stream); });
  }
}

void NetworkProgram::update(const DeviceBatch& batch, KernelQueue& queue) const {
  run(batch, weights().update, queue);
}

}  // namespace moco::cuda
