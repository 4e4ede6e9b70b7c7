// Cleared before they are filled: the padding stays zero.
#include "moco/engine/cuda/weights/weight_sets.h"

namespace moco::cuda {

void WeightSets::place(Arena& arena, NetworkData& network) const {
  const auto sets = static_cast<std::size_t>(count_);
  const std::size_t element = bf16_ ? 2 : 4;
  network.matrix_stride = plan_.matrix_stride;
  network.vector_stride = plan_.vector_stride;
  arena.place_bytes(network.matrices, sets * static_cast<std::size_t>(plan_.matrix_stride) * element, Cleared::once);
  arena.place(network.vectors, sets * static_cast<std::size_t>(plan_.vector_stride), Cleared::once);
}

void WeightSets::prepare(const NetworkData& network, const WeightTables& tables, cudaStream_t stream) const {
  if (!plan_.entries.empty()) {
    pack_weights(tables.sources, count_, tables.entries, static_cast<int>(plan_.entries.size()), bf16_,
                 const_cast<void*>(network.matrices), network.matrix_stride, const_cast<float*>(network.vectors),
                 network.vector_stride, stream);
  }
}

}  // namespace moco::cuda
