// The engine: a usable device, its memory, its batches.
#include "moco/engine/cuda/cuda_engine.h"

#include <cstring>

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "moco/engine/cuda/host/split_batch.h"
#include "moco/engine/cuda/host/window_kicks.h"
#include "moco/engine/cuda/plan/planned_batch.h"
#include "moco/engine/cuda/weights/weights.h"
#include "moco/error.h"

namespace moco {

namespace cuda {

namespace {

constexpr std::uint64_t kVariablesToFill = 1u << 20;  // steps take time in proportion well before this

std::shared_ptr<DeviceContext> make_context(int device) {
  const DeviceScope scope(device);
  return std::make_shared<DeviceContext>(device);
}

class DeviceEngine final : public CudaEngine {
 public:
  explicit DeviceEngine(const CudaOptions& options) : options_(options), contexts_{make_context(options.device)} {}

  std::string_view name() const override { return "cuda"; }

  MemoryNeed memory_need(const BatchSpec& spec) const override { return plan(spec).need; }

  std::uint64_t available_bytes() const override {
    const DeviceScope scope(options_.device);
    std::size_t free = 0;
    std::size_t total = 0;
    MOCO_CUDA_CHECK(cudaMemGetInfo(&free, &total));
    cudaMemPool_t pool = nullptr;
    std::uint64_t reserved = 0;
    std::uint64_t used = 0;
    MOCO_CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, options_.device));
    MOCO_CUDA_CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved));
    MOCO_CUDA_CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    return free + (reserved - used);
  }

  bool filled_by(std::uint64_t variables) const override { return variables >= kVariablesToFill; }

  std::unique_ptr<Batch> create(BatchSpec spec) override { return create_cuda(std::move(spec)); }

  void add_noise(std::span<const StreamKey> keys, std::span<const float> weights, std::span<float> sum) override {
    const DeviceScope scope(options_.device);
    DeviceContext& context = *contexts_.front();
    const cudaStream_t stream = context.stream();
    const DeviceBuffer device_keys(keys.size_bytes(), stream);
    const DeviceBuffer device_weights(weights.size_bytes(), stream);
    const DeviceBuffer device_sum(sum.size_bytes(), stream);
    const auto copy = [&](void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
      MOCO_CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, kind, stream));
    };
    copy(device_keys.data(), keys.data(), keys.size_bytes(), cudaMemcpyHostToDevice);
    copy(device_weights.data(), weights.data(), weights.size_bytes(), cudaMemcpyHostToDevice);
    std::byte* staging = context.staging(sum.size_bytes());  // pageable memory would travel several times slower
    std::memcpy(staging, sum.data(), sum.size_bytes());
    copy(device_sum.data(), staging, sum.size_bytes(), cudaMemcpyHostToDevice);
    cuda::add_noise(reinterpret_cast<const StreamKey*>(device_keys.data()),
                    reinterpret_cast<const float*>(device_weights.data()), static_cast<int>(keys.size()),
                    reinterpret_cast<float*>(device_sum.data()), static_cast<long long>(sum.size()), stream);
    copy(staging, device_sum.data(), sum.size_bytes(), cudaMemcpyDeviceToHost);
    context.wait();
    std::memcpy(sum.data(), staging, sum.size_bytes());
  }

  WindowKicks* window_kicks() override {
    if (window_kicks_ == nullptr) {
      const DeviceScope scope(options_.device);
      window_kicks_ = std::make_unique<DeviceWindowKicks>(contexts_.front());
    }
    return window_kicks_.get();
  }

  std::unique_ptr<CudaBatch> create_cuda(BatchSpec spec) override {
    PlannedBatch planned = plan(spec);  // which may refuse
    while (contexts_.size() < planned.parts.size()) {
      contexts_.push_back(make_context(options_.device));
    }
    return std::make_unique<SplitBatch>(std::move(planned), options_, base_weights(spec), contexts_);
  }

 private:
  PlannedBatch plan(BatchSpec spec) const {
    const DeviceScope scope(options_.device);
    return {std::move(spec), options_, DeviceOccupancy()};
  }

  std::shared_ptr<const BaseWeights> base_weights(const BatchSpec& spec) {
    if (spec.base_weights == 0) {
      return std::make_shared<const BaseWeights>(spec, contexts_.front());
    }
    if (spec.base_weights != kept_number_) {
      kept_weights_ = std::make_shared<const BaseWeights>(spec, contexts_.front());
      kept_number_ = spec.base_weights;
    }
    return kept_weights_;
  }

  CudaOptions options_;
  std::vector<std::shared_ptr<DeviceContext>> contexts_;  ///< one, or as many as a batch has had parts
  std::shared_ptr<const BaseWeights> kept_weights_;       ///< of the last batch whose base weights had a number
  std::uint64_t kept_number_ = 0;
  std::unique_ptr<DeviceWindowKicks> window_kicks_;
};

}  // namespace

}  // namespace cuda

int cuda_devices() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    cudaGetLastError();
    return 0;
  }
  return count;
}

std::string cuda_problem(int device) {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess) {
    cudaGetLastError();
    return fmt::format("no CUDA device can be used here: {}", cudaGetErrorString(status));
  }
  if (device < 0 || device >= count) {
    return fmt::format("there is no CUDA device {}: {} found", device, count);
  }
  int major = 0;
  int minor = 0;
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
  if (major < 9) {
    return fmt::format("CUDA device {} has compute capability {}.{}; this build needs 9.0 or later", device, major,
                       minor);
  }
  return {};
}

std::string cuda_device_name(int device) {
  cudaDeviceProp properties{};
  MOCO_CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
  return fmt::format("{}, {} multiprocessors", properties.name, properties.multiProcessorCount);
}

std::unique_ptr<CudaEngine> make_cuda_engine(const CudaOptions& options) {
  if (const std::string problem = cuda_problem(options.device); !problem.empty()) {
    throw OptionError(problem + "; use the CPU engine");
  }
  return std::make_unique<cuda::DeviceEngine>(options);
}

}  // namespace moco
