// Launching a kernel of a step, and choosing the variant of a network kernel by precision and tile.
#pragma once

#include <type_traits>

#include "moco/engine/cuda/batch/batch.cuh"
#include "moco/engine/cuda/batch/pass_shape.h"
#include "moco/engine/cuda/kit/device.h"

namespace moco::cuda {

/// Lets a kernel start before the one in front of it has ended, unless other batches could use its place.
inline cudaLaunchAttribute start_early(const DeviceBatch& batch) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = batch.alone ? 1 : 0;
  return attribute;
}

/// Launches a kernel that calls wait_for_previous(), with this much dynamic shared memory, in clusters of `size` blocks
/// (up to eight).
template <typename... Parameters>
void launch_clusters(void (*kernel)(DeviceBatch, Parameters...), int clusters, int size, int threads, int bytes,
                     cudaStream_t stream, const DeviceBatch& batch,
                     const std::type_identity_t<Parameters>&... arguments) {
  if (clusters == 0) {
    return;
  }
  allow_shared(reinterpret_cast<const void*>(kernel), bytes);
  cudaLaunchAttribute attributes[2] = {start_early(batch), {}};
  attributes[1].id = cudaLaunchAttributeClusterDimension;
  attributes[1].val.clusterDim.x = static_cast<unsigned>(size);
  attributes[1].val.clusterDim.y = 1;
  attributes[1].val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(clusters * size));
  config.blockDim = dim3(static_cast<unsigned>(threads));
  config.dynamicSmemBytes = static_cast<std::size_t>(bytes);
  config.stream = stream;
  config.attrs = attributes;
  config.numAttrs = size > 1 ? 2 : 1;
  MOCO_CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, batch, arguments...));
}

/// The same without clusters.
template <typename... Parameters>
void launch(void (*kernel)(DeviceBatch, Parameters...), int blocks, int threads, int bytes, cudaStream_t stream,
            const DeviceBatch& batch, const std::type_identity_t<Parameters>&... arguments) {
  launch_clusters(kernel, blocks, 1, threads, bytes, stream, batch, arguments...);
}

/// Launches a kernel of clusters of kFusedThreads threads a block that calls wait_for_previous(). Lies where it was
/// made: the configuration points into it.
class ClusterLaunch {
 public:
  ClusterLaunch(const void* kernel, const DeviceBatch& batch, int clusters, int cluster, int bytes, bool cooperative)
      : kernel_(kernel) {
    allow_shared(kernel, bytes);
    if (cluster > 8) {  // has to be asked for
      MOCO_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    }
    attributes_[0].id = cudaLaunchAttributeClusterDimension;
    attributes_[0].val.clusterDim.x = static_cast<unsigned>(cluster);
    attributes_[0].val.clusterDim.y = 1;
    attributes_[0].val.clusterDim.z = 1;
    attributes_[1] = start_early(batch);
    attributes_[2].id = cudaLaunchAttributeCooperative;
    attributes_[2].val.cooperative = cooperative ? 1 : 0;
    config_.gridDim = dim3(static_cast<unsigned>(clusters * cluster));
    config_.blockDim = dim3(kFusedThreads);
    config_.dynamicSmemBytes = static_cast<std::size_t>(bytes);
    config_.attrs = attributes_;
    config_.numAttrs = cooperative ? 3 : 2;
  }
  ClusterLaunch(const ClusterLaunch&) = delete;
  ClusterLaunch& operator=(const ClusterLaunch&) = delete;

  /// How many of the clusters the current device runs at the same time.
  int at_once() const {
    int clusters = 0;
    MOCO_CUDA_CHECK(cudaOccupancyMaxActiveClusters(&clusters, kernel_, &config_));
    return clusters;
  }
  template <typename... Parameters>
  void run(void (*kernel)(Parameters...), cudaStream_t stream, const std::type_identity_t<Parameters>&... arguments) {
    config_.stream = stream;
    MOCO_CUDA_CHECK(cudaLaunchKernelEx(&config_, kernel, arguments...));
  }

 private:
  const void* kernel_;
  cudaLaunchAttribute attributes_[3] = {};
  cudaLaunchConfig_t config_{};
};

/// Calls body<T, M>() with the element type and the tile of the kernels over nodes.
template <typename Body>
void with_node_tile(const PassShape& shape, const Body& body) {
  if (!shape.bf16) {
    body.template operator()<float, 16>();
  } else if (shape.node_tile == 16) {
    body.template operator()<bf16, 16>();
  } else {
    body.template operator()<bf16, 32>();
  }
}

}  // namespace moco::cuda
