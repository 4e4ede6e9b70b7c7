// Three kernels that do one thing as fast as the device allows: copy, read from L2, multiply on the tensor cores.
#include <algorithm>
#include <cstdint>

#include "moco/engine/cuda/kit/ceilings.h"
#include "moco/engine/cuda/kit/device.h"
#include "moco/engine/cuda/kit/tile.cuh"

namespace moco {

namespace cuda {

namespace {

constexpr int kBlockThreads = 256;
constexpr int kRuns = 5;  // after a warm-up; the best counts, because a ceiling is what can be reached

constexpr long long kCopyBytes = 1LL << 30;  // far more than the caches hold
constexpr int kAhead = 8;                    // loads of a thread that are under way together

/// Each block copies consecutive pieces of kAhead · kBlockThreads words.
__global__ void __launch_bounds__(kBlockThreads) copy_kernel(const uint4* from, uint4* to, long long words) {
  constexpr long long kPiece = static_cast<long long>(kAhead) * kBlockThreads;
  for (long long first = blockIdx.x * kPiece + threadIdx.x; first < words; first += gridDim.x * kPiece) {
    uint4 x[kAhead];
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      x[i] = from[first + i * kBlockThreads];
    }
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      to[first + i * kBlockThreads] = x[i];
    }
  }
}
static_assert(kCopyBytes % (16LL * kAhead * kBlockThreads) == 0);

constexpr unsigned kCachedWords = (16u << 20) / 16;  // 16 MiB: more than the first-level caches share, less than L2
constexpr unsigned kLoads = 1024;                    // of a thread
static_assert((kCachedWords & (kCachedWords - 1)) == 0 && kLoads % kAhead == 0);

/// Past the first-level cache; volatile, so that every round loads anew.
__device__ uint4 load_from_l2(const uint4* at) {
  uint4 x;
  asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];\n" : "=r"(x.x), "=r"(x.y), "=r"(x.z), "=r"(x.w) : "l"(at));
  return x;
}

/// All threads together read the words again and again. A block's part of them changes with every load, so that each
/// multiprocessor meets the near and the far half of the cache.
__global__ void __launch_bounds__(kBlockThreads, 8) l2_kernel(const uint4* words, unsigned* out) {
  const unsigned step = (gridDim.x + 33) * kBlockThreads;
  unsigned at = blockIdx.x * kBlockThreads + threadIdx.x;
  unsigned sum = 0;
#pragma unroll 1
  for (unsigned done = 0; done < kLoads; done += kAhead) {
    uint4 x[kAhead];
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      x[i] = load_from_l2(words + (at & (kCachedWords - 1)));
      at += step;
    }
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      sum ^= x[i].x ^ x[i].y ^ x[i].z ^ x[i].w;
    }
  }
  if (sum != 0) {  // never, as the words are zero; the compiler does not know
    *out = sum;
  }
}

constexpr int kTiles = 8;  // sums of a warp that do not wait for each other
constexpr int kProducts = 4096;

/// Two bf16 numbers of size 1 to 2 and any sign: with zeros the units would draw less power than in use.
__device__ std::uint32_t some_pair(unsigned which) {
  const std::uint32_t bits = (32 * which + threadIdx.x % 32 + 1) * 0x9E3779B9u;
  return 0x3F803F80u | ((bits ^ (bits >> 15)) & 0x807F807Fu);
}

/// `kProducts` products [16 × 16] · [16 × 8] for each of `kTiles` sums per warp, operands in registers.
__global__ void __launch_bounds__(kBlockThreads) tensor_kernel(float* out) {
  const std::uint32_t a[4] = {some_pair(0), some_pair(1), some_pair(2), some_pair(3)};
  const std::uint32_t b[2] = {some_pair(4), some_pair(5)};
  float sums[kTiles][4] = {};
#pragma unroll 1
  for (int i = 0; i < kProducts; ++i) {
#pragma unroll
    for (int tile = 0; tile < kTiles; ++tile) {
      multiply_add(sums[tile], a, b[0], b[1]);
    }
  }
  float total = 0.0f;
#pragma unroll
  for (int tile = 0; tile < kTiles; ++tile) {
    total += sums[tile][0] + sums[tile][1] + sums[tile][2] + sums[tile][3];
  }
  if (total == 0.123f) {  // hardly ever, and harmless; what is never used would not be computed
    *out = total;
  }
}

/// Seconds of the fastest of a few runs.
template <typename Launch>
double least_seconds(const Stream& stream, const Launch& launch) {
  const Event begin;
  const Event end;
  double least = 0.0;
  for (int run = 0; run <= kRuns; ++run) {
    MOCO_CUDA_CHECK(cudaEventRecord(begin.get(), stream.get()));
    launch();
    MOCO_CUDA_CHECK(cudaGetLastError());
    MOCO_CUDA_CHECK(cudaEventRecord(end.get(), stream.get()));
    MOCO_CUDA_CHECK(cudaEventSynchronize(end.get()));
    float milliseconds = 0.0f;
    MOCO_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()));
    const double seconds = 1e-3 * static_cast<double>(milliseconds);
    least = run <= 1 ? seconds : std::min(least, seconds);  // run 0 is the warm-up
  }
  return least;
}

double copy_rate(const Stream& stream, int multiprocessors) {
  const DeviceBuffer from(kCopyBytes, stream.get());
  const DeviceBuffer to(kCopyBytes, stream.get());
  MOCO_CUDA_CHECK(cudaMemsetAsync(from.data(), 0, kCopyBytes, stream.get()));
  const double seconds = least_seconds(stream, [&] {
    copy_kernel<<<8 * multiprocessors, kBlockThreads, 0, stream.get()>>>(
        reinterpret_cast<const uint4*>(from.data()), reinterpret_cast<uint4*>(to.data()), kCopyBytes / 16);
  });
  return 2.0 * static_cast<double>(kCopyBytes) / seconds;
}

double l2_rate(const Stream& stream, int multiprocessors) {
  constexpr std::size_t kBytes = 16 * static_cast<std::size_t>(kCachedWords);
  const DeviceBuffer words(kBytes, stream.get());
  const DeviceBuffer out(sizeof(unsigned), stream.get());
  MOCO_CUDA_CHECK(cudaMemsetAsync(words.data(), 0, kBytes, stream.get()));
  const int blocks = 8 * multiprocessors;  // all at once
  const double seconds = least_seconds(stream, [&] {
    l2_kernel<<<blocks, kBlockThreads, 0, stream.get()>>>(reinterpret_cast<const uint4*>(words.data()),
                                                          reinterpret_cast<unsigned*>(out.data()));
  });
  return 16.0 * kLoads * kBlockThreads * blocks / seconds;
}

double tensor_rate(const Stream& stream, int multiprocessors) {
  const DeviceBuffer out(sizeof(float), stream.get());
  const int blocks = 4 * multiprocessors;
  const double seconds = least_seconds(
      stream, [&] { tensor_kernel<<<blocks, kBlockThreads, 0, stream.get()>>>(reinterpret_cast<float*>(out.data())); });
  const double flops_of_a_product = 2.0 * 16 * 8 * 16;
  return flops_of_a_product * kProducts * kTiles * (kBlockThreads / 32) * blocks / seconds;
}

}  // namespace

}  // namespace cuda

DeviceCeilings measure_ceilings(int device) {
  const cuda::DeviceScope scope(device);
  int multiprocessors = 0;
  MOCO_CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  const cuda::Stream stream;
  DeviceCeilings ceilings{};
  ceilings.copy_bytes_per_second = cuda::copy_rate(stream, multiprocessors);
  ceilings.l2_bytes_per_second = cuda::l2_rate(stream, multiprocessors);
  ceilings.tensor_flops = cuda::tensor_rate(stream, multiprocessors);
  stream.wait();
  return ceilings;
}

}  // namespace moco
