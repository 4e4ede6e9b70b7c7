// Ownership of device things: every call is checked, everything is released when its owner goes.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include <cuda_runtime_api.h>

#include "moco/core/thread_pool.h"
#include "moco/error.h"

namespace moco::cuda {

/// A CUDA call that failed on a device that was usable: an error of ours or of the machine.
class CudaError : public DeviceError {
 public:
  using DeviceError::DeviceError;
};

/// Throws CudaError (ResourceError when memory ran out) naming the call and where it stands.
void check(cudaError_t status, const char* call, const char* file, int line);

#define MOCO_CUDA_CHECK(call) ::moco::cuda::check((call), #call, __FILE__, __LINE__)

/// Makes a device current while it lives.
class DeviceScope {
 public:
  explicit DeviceScope(int device);
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  int previous_ = 0;
};

class Stream {
 public:
  Stream();
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  cudaStream_t get() const { return stream_; }
  void wait() const;

 private:
  cudaStream_t stream_ = nullptr;
};

class Event {
 public:
  Event();
  ~Event();
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  cudaEvent_t get() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Device memory from the device's pool, which keeps what is freed for the next batch.
class DeviceBuffer {
 public:
  DeviceBuffer(std::size_t bytes, cudaStream_t stream);
  ~DeviceBuffer();
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  std::byte* data() const { return data_; }

 private:
  std::byte* data_ = nullptr;
  cudaStream_t stream_;
};

/// Page-locked host memory.
class PinnedBuffer {
 public:
  explicit PinnedBuffer(std::size_t bytes);
  ~PinnedBuffer();
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;
  std::byte* data() const { return data_; }

 private:
  std::byte* data_ = nullptr;
};

/// Host memory to be copied to a place behind an address on the device.
struct HostPiece {
  const void* data;
  std::size_t bytes;
  std::size_t offset;
};

/// What the batches of an engine share: the device, one stream, and a page-locked buffer for uploads.
class DeviceContext {
 public:
  explicit DeviceContext(int device);

  int device() const { return device_; }
  cudaStream_t stream() const { return stream_.get(); }
  void wait();
  /// Page-locked room for at least these bytes; after wait() it may be given to somebody else.
  std::byte* staging(std::size_t bytes);
  /// Starts copying pieces of host memory to the device, through that room; they may be changed at once.
  void upload(std::byte* device, std::size_t bytes, std::span<const HostPiece> pieces);

 private:
  int device_;
  Stream stream_;
  std::unique_ptr<PinnedBuffer> staging_;
  std::size_t staging_bytes_ = 0;
  std::size_t staging_used_ = 0;         ///< since the last wait()
  std::unique_ptr<ThreadPool> copiers_;  ///< made for the first large upload
};

/// Lets a kernel use more shared memory than the default of 48 KiB, in which what it declares itself counts as well; on
/// the current device, which is asked only when it has not allowed as much before.
void allow_shared(const void* kernel, int bytes);

/// A captured sequence of kernels that is launched as one.
class Graph {
 public:
  Graph() = default;
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  bool empty() const { return graph_ == nullptr; }
  /// It must not be running.
  void clear();
  /// Captures what `body` enqueues on the stream.
  template <typename Body>
  void capture(cudaStream_t stream, const Body& body) {
    MOCO_CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    try {
      body();
    } catch (...) {
      abandon(stream);
      throw;
    }
    finish(stream);
  }
  void launch(cudaStream_t stream) const;

 private:
  void abandon(cudaStream_t stream);
  void finish(cudaStream_t stream);

  cudaGraphExec_t graph_ = nullptr;
};

}  // namespace moco::cuda
