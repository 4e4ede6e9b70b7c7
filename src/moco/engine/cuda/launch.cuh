// Launching a kernel of a step, and choosing the variant of a network kernel by precision and tile.
#pragma once

#include <type_traits>

#include "moco/engine/cuda/common.cuh"
#include "moco/engine/cuda/network_kernels.h"

namespace moco::cuda {

/// Lets a kernel start before the one in front of it has ended, unless other batches could use its place.
inline cudaLaunchAttribute start_early(const DeviceBatch& batch) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = batch.alone ? 1 : 0;
  return attribute;
}

/// Launches a kernel that calls wait_for_previous(), with this much dynamic shared memory.
template <typename... Parameters>
void launch(void (*kernel)(DeviceBatch, Parameters...), int blocks, int threads, int bytes, cudaStream_t stream,
            const DeviceBatch& batch, const std::type_identity_t<Parameters>&... arguments) {
  if (blocks == 0) {
    return;
  }
  allow_shared(reinterpret_cast<const void*>(kernel), bytes);
  cudaLaunchAttribute early = start_early(batch);
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(blocks));
  config.blockDim = dim3(static_cast<unsigned>(threads));
  config.dynamicSmemBytes = static_cast<std::size_t>(bytes);
  config.stream = stream;
  config.attrs = &early;
  config.numAttrs = 1;
  MOCO_CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, batch, arguments...));
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
