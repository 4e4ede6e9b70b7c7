// The flat parameters of a batch on the device, from which its parts make their weight sets.
#pragma once

#include <cstddef>
#include <map>
#include <memory>

#include "moco/engine/cuda/kit/device.h"
#include "moco/engine/engine.h"

namespace moco::cuda {

class BaseWeights {
 public:
  /// Copies every distinct array of the spec's weight sets, on the context's stream.
  BaseWeights(const BatchSpec& spec, std::shared_ptr<DeviceContext> context);

  /// The copy of one of those arrays, for streams that wait for it.
  const float* on_device(const float* host) const;
  void let_wait(cudaStream_t stream) const;

 private:
  std::shared_ptr<DeviceContext> context_;
  std::map<const float*, std::size_t> place_;  ///< in bytes
  std::unique_ptr<DeviceBuffer> memory_;
  Event copied_;
};

}  // namespace moco::cuda
