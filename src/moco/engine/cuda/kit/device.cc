// Checked calls and RAII.
#include "moco/engine/cuda/kit/device.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "moco/core/cpus.h"
#include "moco/engine/cuda/kit/arena.h"

namespace moco::cuda {

void check(cudaError_t status, const char* call, const char* file, int line) {
  if (status == cudaSuccess) {
    return;
  }
  const std::string what = fmt::format("{} failed at {}:{}: {} ({})", call, file, line, cudaGetErrorString(status),
                                       cudaGetErrorName(status));
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // not sticky: the next call may succeed
    throw ResourceError(what);
  }
  throw CudaError(what);
}

DeviceScope::DeviceScope(int device) {
  MOCO_CUDA_CHECK(cudaGetDevice(&previous_));
  MOCO_CUDA_CHECK(cudaSetDevice(device));
}

DeviceScope::~DeviceScope() {
  cudaSetDevice(previous_);
}

Stream::Stream() {
  MOCO_CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
}
Stream::~Stream() {
  cudaStreamDestroy(stream_);
}
void Stream::wait() const {
  MOCO_CUDA_CHECK(cudaStreamSynchronize(stream_));
}

Event::Event() {
  MOCO_CUDA_CHECK(cudaEventCreate(&event_));
}
Event::~Event() {
  cudaEventDestroy(event_);
}

DeviceBuffer::DeviceBuffer(std::size_t bytes, cudaStream_t stream) : stream_(stream) {
  void* pointer = nullptr;
  MOCO_CUDA_CHECK(cudaMallocAsync(&pointer, bytes > 0 ? bytes : 1, stream));
  data_ = static_cast<std::byte*>(pointer);
}

DeviceBuffer::~DeviceBuffer() {
  cudaFreeAsync(data_, stream_);
}

PinnedBuffer::PinnedBuffer(std::size_t bytes) {
  void* pointer = nullptr;
  MOCO_CUDA_CHECK(cudaMallocHost(&pointer, bytes > 0 ? bytes : 1));
  data_ = static_cast<std::byte*>(pointer);
}

PinnedBuffer::~PinnedBuffer() {
  cudaFreeHost(data_);
}

DeviceContext::DeviceContext(int device) : device_(device) {
  // Freed memory stays with the pool: batches follow each other with the same sizes.
  cudaMemPool_t pool = nullptr;
  MOCO_CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, device));
  std::uint64_t threshold = std::numeric_limits<std::uint64_t>::max();
  MOCO_CUDA_CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
}

void DeviceContext::wait() {
  stream_.wait();
  staging_used_ = 0;
}

std::byte* DeviceContext::staging(std::size_t bytes) {
  constexpr std::size_t kLeast = std::size_t{4} << 20;  // taking more room takes milliseconds
  constexpr std::size_t kMost = std::size_t{64} << 20;  // that is kept so that nobody has to wait
  const std::size_t place = aligned(bytes);
  if (staging_used_ + place > staging_bytes_ || staging_ == nullptr) {
    const std::size_t together = std::max(place, std::clamp(2 * (staging_used_ + place), kLeast, kMost));
    wait();
    if (together > staging_bytes_ || staging_ == nullptr) {
      staging_.reset();
      staging_ = std::make_unique<PinnedBuffer>(together);
      staging_bytes_ = together;
    }
  }
  staging_used_ += place;
  return staging_->data() + staging_used_ - place;
}

void DeviceContext::upload(std::byte* device, std::size_t bytes, std::span<const HostPiece> pieces) {
  constexpr std::size_t kChunk = std::size_t{256} << 10;
  if (bytes == 0) {
    return;
  }
  std::byte* staged = staging(bytes);
  std::vector<HostPiece> chunks;  // one thread alone would take longer than the device
  for (const HostPiece& piece : pieces) {
    for (std::size_t at = 0; at < piece.bytes; at += kChunk) {
      chunks.push_back(
          {static_cast<const std::byte*>(piece.data) + at, std::min(kChunk, piece.bytes - at), piece.offset + at});
    }
  }
  if (bytes > 2 * kChunk && copiers_ == nullptr) {
    copiers_ = std::make_unique<ThreadPool>(std::min(usable_cpus(), 4));
  }
  const Executor executor = bytes > 2 * kChunk ? Executor(*copiers_) : Executor();
  executor.for_each(chunks.size(), [&](std::size_t i, std::size_t) {
    std::memcpy(staged + chunks[i].offset, chunks[i].data, chunks[i].bytes);
  });
  MOCO_CUDA_CHECK(cudaMemcpyAsync(device, staged, bytes, cudaMemcpyHostToDevice, stream_.get()));
}

void allow_shared(const void* kernel, int bytes) {
  if (bytes <= 24 * 1024) {  // no kernel declares as much as the rest
    return;
  }
  static std::mutex mutex;
  static std::map<std::pair<int, const void*>, int> allowed;
  int device = 0;
  MOCO_CUDA_CHECK(cudaGetDevice(&device));
  const std::lock_guard lock(mutex);
  int& most = allowed[{device, kernel}];
  if (bytes > most) {
    MOCO_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    most = bytes;
  }
}

Graph::~Graph() {
  clear();
}

void Graph::clear() {
  if (graph_ != nullptr) {
    cudaGraphExecDestroy(graph_);
    graph_ = nullptr;
  }
}

void Graph::launch(cudaStream_t stream) const {
  MOCO_CUDA_CHECK(cudaGraphLaunch(graph_, stream));
}

void Graph::abandon(cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  cudaStreamEndCapture(stream, &graph);
  if (graph != nullptr) {
    cudaGraphDestroy(graph);
  }
}

void Graph::finish(cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  MOCO_CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
  const cudaError_t status = cudaGraphInstantiate(&graph_, graph, 0);
  cudaGraphDestroy(graph);
  MOCO_CUDA_CHECK(status);
}

}  // namespace moco::cuda
