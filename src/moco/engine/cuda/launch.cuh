// Launching a network kernel, and choosing its variant by precision and tile.
#pragma once

#include "moco/engine/cuda/common.cuh"
#include "moco/engine/cuda/network_kernels.h"

namespace moco::cuda {

/// One block of kThreads threads per item, with this much dynamic shared memory.
template <typename Kernel, typename... Arguments>
void launch(Kernel kernel, int items, int bytes, cudaStream_t stream, const Arguments&... arguments) {
  if (items == 0) {
    return;
  }
  allow_shared(kernel, bytes);
  kernel<<<items, kThreads, bytes, stream>>>(arguments...);
  MOCO_CUDA_CHECK(cudaGetLastError());
}

/// Calls body<T, M>() with the element type and the tile of the kernels over nodes.
template <typename Body>
void with_node_tile(const NetworkShape& shape, const Body& body) {
  if (!shape.bf16) {
    body.template operator()<float, 16>();
  } else if (shape.node_tile == 16) {
    body.template operator()<bf16, 16>();
  } else {
    body.template operator()<bf16, 32>();
  }
}

}  // namespace moco::cuda
