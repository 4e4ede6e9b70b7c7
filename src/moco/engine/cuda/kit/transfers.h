// Small copies between host and device, in the order of a context's stream.
#pragma once

#include <cstddef>
#include <vector>

#include "moco/engine/cuda/kit/arena.h"
#include "moco/engine/cuda/kit/device.h"

namespace moco::cuda {

/// Ordinary host memory is read before this returns.
template <typename T>
void send(DeviceContext& context, T* device, const T* host, std::size_t count) {
  if (count > 0) {
    MOCO_CUDA_CHECK(cudaMemcpyAsync(device, host, count * sizeof(T), cudaMemcpyHostToDevice, context.stream()));
  }
}

/// Waits for everything that was started.
template <typename T>
std::vector<T> fetch(DeviceContext& context, const T* device, std::size_t count) {
  std::vector<T> values(count);
  if (count > 0) {
    const DeviceScope scope(context.device());
    context.wait();
    MOCO_CUDA_CHECK(cudaMemcpy(values.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
  }
  return values;
}

inline void clear(DeviceContext& context, const Region& region) {
  if (region.bytes > 0) {
    MOCO_CUDA_CHECK(cudaMemsetAsync(region.data, 0, region.bytes, context.stream()));
  }
}

}  // namespace moco::cuda
