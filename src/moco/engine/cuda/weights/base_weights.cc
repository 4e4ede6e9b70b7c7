// Weight sets that share their base on the host share it on the device.
#include "moco/engine/cuda/weights/base_weights.h"

#include <utility>
#include <vector>

#include "moco/engine/cuda/kit/arena.h"

namespace moco::cuda {

BaseWeights::BaseWeights(const BatchSpec& spec, std::shared_ptr<DeviceContext> context) : context_(std::move(context)) {
  const DeviceScope scope(context_->device());
  std::vector<HostPiece> pieces;
  std::size_t bytes = 0;
  for (const WeightSet& set : spec.weights) {
    if (!set.base.empty() && place_.emplace(set.base.data(), bytes).second) {
      pieces.push_back({set.base.data(), set.base.size_bytes(), bytes});
      bytes += aligned(set.base.size_bytes());
    }
  }
  memory_ = std::make_unique<DeviceBuffer>(bytes, context_->stream());
  context_->upload(memory_->data(), bytes, pieces);
  MOCO_CUDA_CHECK(cudaEventRecord(copied_.get(), context_->stream()));
}

const float* BaseWeights::on_device(const float* host) const {
  return host == nullptr ? nullptr : reinterpret_cast<const float*>(memory_->data() + place_.at(host));
}

void BaseWeights::let_wait(cudaStream_t stream) const {
  MOCO_CUDA_CHECK(cudaStreamWaitEvent(stream, copied_.get(), 0));
}

}  // namespace moco::cuda
