// How thread blocks of one kernel wait for each other: all of a trajectory by way of global memory, those of a cluster
// by what they send each other.
#pragma once

#include <cuda/atomic>

#include "moco/engine/cuda/kit/cluster.cuh"
#include "moco/engine/cuda/kit/common.cuh"

namespace moco::cuda {

/// All thread blocks of a trajectory meet: what they wrote to global memory before they arrive, each sees after it has
/// waited (by way of L2). The counter only grows; whenever nobody is on the way it is a multiple of their number.
class Meeting {
 public:
  __device__ Meeting(unsigned long long* counter, int blocks) : counter_(counter), blocks_(blocks) {
    if (threadIdx.x == 0) {
      next_ = Counter(*counter_).load(::cuda::std::memory_order_relaxed) / blocks_ * blocks_;
    }
  }
  __device__ void arrive() {
    __syncthreads();
    if (threadIdx.x == 0) {
      next_ += blocks_;
      asm volatile("red.release.gpu.global.add.u64 [%0], 1;\n" ::"l"(counter_) : "memory");
    }
  }
  __device__ void wait() {
    if (threadIdx.x == 0) {
      while (Counter(*counter_).load(::cuda::std::memory_order_acquire) < next_) {
      }
    }
    __syncthreads();
  }

 private:
  using Counter = ::cuda::atomic_ref<unsigned long long, ::cuda::thread_scope_device>;
  unsigned long long* counter_;
  unsigned long long blocks_;
  unsigned long long next_ = 0;  // of the first thread
};

/// Tells a block that what the others of its cluster send has arrived, time after time. Lies in shared memory.
class Inbox {
 public:
  /// One thread; a barrier of the cluster must follow.
  __device__ void begin() {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\nfence.mbarrier_init.release.cluster;\n" ::"r"(address(&word_))
                 : "memory");
  }
  /// How much is to arrive this time, from all together; one thread.
  __device__ void expect(int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;\n" ::"r"(address(&word_)), "r"(bytes)
                 : "memory");
  }
  /// Stores 16 bytes to the place `to` in the shared memory of the block with this rank, which expects them here.
  __device__ void send(uint4* to, const uint4& word, int rank) {
    asm volatile(
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1, %2, %3, %4}, [%5];\n" ::"r"(
            remote(address(to), rank)),
        "r"(word.x), "r"(word.y), "r"(word.z), "r"(word.w), "r"(remote(address(&word_), rank))
        : "memory");
  }
  /// Until all has arrived; `odd` alternates from false on. Every thread that reads it.
  __device__ void wait(bool odd) {
    std::uint32_t done = 0;
    while (done == 0) {
      asm volatile(
          "{\n.reg .pred p;\nmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, "
          "p;\n}\n"
          : "=r"(done)
          : "r"(address(&word_)), "r"(odd ? 1u : 0u)
          : "memory");
    }
  }

 private:
  __device__ static std::uint32_t address(const void* shared) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  }
  __device__ static std::uint32_t remote(std::uint32_t own, int rank) {
    std::uint32_t there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;\n" : "=r"(there) : "r"(own), "r"(rank));
    return there;
  }

  std::uint64_t word_;
};

}  // namespace moco::cuda
