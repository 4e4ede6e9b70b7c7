// The stream that a batch's kernels are enqueued on, and their times where somebody asks for them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "moco/engine/cuda/kit/device.h"

namespace moco::cuda {

using KernelTimes = std::vector<std::pair<std::string, float>>;

class KernelQueue {
 public:
  explicit KernelQueue(cudaStream_t stream) : stream_(stream) {}

  cudaStream_t stream() const { return stream_; }
  /// From now on waits for every kernel and appends its name and milliseconds to `times`; not any more with null.
  void record_times(KernelTimes* times) { times_ = times; }

  /// Enqueues the kernel that `launch(stream)` starts.
  template <typename Launch>
  void run(const char* name, const Launch& launch) {
    if (times_ == nullptr) {
      launch(stream_);
      return;
    }
    const Event begin;
    const Event end;
    MOCO_CUDA_CHECK(cudaEventRecord(begin.get(), stream_));
    launch(stream_);
    MOCO_CUDA_CHECK(cudaEventRecord(end.get(), stream_));
    MOCO_CUDA_CHECK(cudaEventSynchronize(end.get()));
    float milliseconds = 0.0f;
    MOCO_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()));
    times_->emplace_back(name, milliseconds);
  }

 private:
  cudaStream_t stream_;
  KernelTimes* times_ = nullptr;
};

}  // namespace moco::cuda
