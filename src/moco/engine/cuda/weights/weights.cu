// Packing of weight sets. Element i of the flat parameters is base_i + σ·ε_i with ε_i from (key, i) alone
// (core/noise.h).
#include "moco/core/noise.h"
#include "moco/engine/cuda/batch/batch.cuh"
#include "moco/engine/cuda/weights/weights.h"

namespace moco::cuda {

namespace {

/// Where an element of a piece goes in a weight set.
template <typename T>
struct PackedSet {
  const WeightSource& source;
  const PackEntry& entry;
  T* matrices;
  float* vectors;

  __device__ void put(long long index, float noise) const {
    const auto i = static_cast<int>(index - entry.source);
    if (i < 0 || i >= entry.rows * entry.columns) {
      return;
    }
    float value = source.base[index];
    if (source.sigma != 0.0f) {
      value = __fadd_rn(value, __fmul_rn(source.sigma, noise));
    }
    const int place = entry.destination + i / entry.columns * kHidden + i % entry.columns;
    if (entry.matrix) {
      matrices[place] = from_float<T>(value);
    } else {
      vectors[place] = value;
    }
  }
};

/// Block x: a piece; block y: two weight sets, which often have the same noise with opposite signs. A thread takes two
/// elements at a time.
template <typename T>
__global__ void pack_kernel(const WeightSource* sources, int sets, const PackEntry* entries, T* matrices,
                            long long matrix_stride, float* vectors, long long vector_stride) {
  const PackEntry entry = entries[blockIdx.x];
  const int number = 2 * static_cast<int>(blockIdx.y);
  const bool has_other = number + 1 < sets;
  const WeightSource source = sources[number];
  const WeightSource other = sources[has_other ? number + 1 : number];
  const bool same = source.noise.lo == other.noise.lo && source.noise.hi == other.noise.hi;
  const PackedSet<T> to{source, entry, matrices + number * matrix_stride, vectors + number * vector_stride};
  const PackedSet<T> to_other{other, entry, to.matrices + matrix_stride, to.vectors + vector_stride};
  const long long last = (entry.source + static_cast<long long>(entry.rows) * entry.columns - 1) / 2;
  for (long long pair = entry.source / 2 + threadIdx.x; pair <= last; pair += blockDim.x) {
    NormalPair noise{};
    if (source.sigma != 0.0f || (same && other.sigma != 0.0f)) {
      noise = noise_pair(source.noise, static_cast<std::uint64_t>(pair));
    }
    to.put(2 * pair, noise.even);
    to.put(2 * pair + 1, noise.odd);
    if (has_other) {
      if (!same && other.sigma != 0.0f) {
        noise = noise_pair(other.noise, static_cast<std::uint64_t>(pair));
      }
      to_other.put(2 * pair, noise.even);
      to_other.put(2 * pair + 1, noise.odd);
    }
  }
}

constexpr int kStartRows = 4;

/// A row of a product with a part of the first block's W_e; block y: weight set. Block x: the four rows of start_rows,
/// then the bias and the rows of the embedding, times the edge part.
template <typename T>
__global__ void project_kernel(const __grid_constant__ DeviceBatch batch, const __grid_constant__ NetworkOffsets net) {
  const int c = static_cast<int>(threadIdx.x);
  const int row = static_cast<int>(blockIdx.x);
  T* matrices = const_cast<T*>(matrices_of<T>(batch, static_cast<int>(blockIdx.y)));
  float* vectors = const_cast<float*>(vectors_of(batch, static_cast<int>(blockIdx.y)));
  const int part = row < kStartRows ? 1 + row / 2 : 0;
  const bool start = row < kStartRows && row % 2 == 1;
  const T* embedded = matrices + net.embedding + (row - kStartRows - 1) * kHidden;
  const T* matrix = matrices + net.block[0].edge + part * kHidden * kHidden;
  float sum = 0.0f;
  for (int i = 0; i < kHidden; ++i) {
    const float h = row < kStartRows    ? vectors[net.node_bias + i] + (start ? vectors[net.node_embedding + i] : 0.0f)
                    : row == kStartRows ? vectors[net.embedding_bias + i]
                                        : to_float(embedded[i]);
    sum = fmaf(h, to_float(matrix[i * kHidden + c]), sum);
  }
  if (row < kStartRows) {
    vectors[net.start_rows + row * kHidden + c] = sum;
  } else if (row == kStartRows) {
    vectors[net.first_bias + c] = sum;
  } else {
    matrices[net.first_edge + (row - kStartRows - 1) * kHidden + c] = from_float<T>(sum);
  }
}

/// A thread per pair of elements: one Philox block gives both.
__global__ void add_noise_kernel(const StreamKey* keys, const float* factors, int count, float* sum, long long size) {
  const long long pair = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (2 * pair >= size) {
    return;
  }
  const bool has_odd = 2 * pair + 1 < size;
  float even = sum[2 * pair];
  float odd = has_odd ? sum[2 * pair + 1] : 0.0f;
  for (int i = 0; i < count; ++i) {
    const float factor = factors[i];
    if (factor != 0.0f) {
      const NormalPair normal = noise_pair(keys[i], static_cast<std::uint64_t>(pair));
      even = __fadd_rn(even, __fmul_rn(factor, normal.even));
      odd = __fadd_rn(odd, __fmul_rn(factor, normal.odd));
    }
  }
  sum[2 * pair] = even;
  if (has_odd) {
    sum[2 * pair + 1] = odd;
  }
}

}  // namespace

void pack_weights(const WeightSource* sources, int sets, const PackEntry* entries, int entry_count, bool use_bf16,
                  void* matrices, long long matrix_stride, float* vectors, long long vector_stride,
                  cudaStream_t stream) {
  const dim3 grid(static_cast<unsigned>(entry_count), static_cast<unsigned>((sets + 1) / 2));
  if (use_bf16) {
    pack_kernel<<<grid, 256, 0, stream>>>(sources, sets, entries, static_cast<bf16*>(matrices), matrix_stride, vectors,
                                          vector_stride);
  } else {
    pack_kernel<<<grid, 256, 0, stream>>>(sources, sets, entries, static_cast<float*>(matrices), matrix_stride, vectors,
                                          vector_stride);
  }
  MOCO_CUDA_CHECK(cudaGetLastError());
}

void project_embeddings(const DeviceBatch& batch, const NetworkOffsets& net, int sets, bool use_bf16, bool edges,
                        cudaStream_t stream) {
  const dim3 grid(kStartRows + (edges ? 1 + kFeatureRows : 0), static_cast<unsigned>(sets));
  if (use_bf16) {
    project_kernel<bf16><<<grid, kHidden, 0, stream>>>(batch, net);
  } else {
    project_kernel<float><<<grid, kHidden, 0, stream>>>(batch, net);
  }
  MOCO_CUDA_CHECK(cudaGetLastError());
}

void add_noise(const StreamKey* keys, const float* factors, int count, float* sum, long long size,
               cudaStream_t stream) {
  constexpr int kBlock = 256;
  const long long pairs = (size + 1) / 2;
  if (pairs > 0) {
    add_noise_kernel<<<static_cast<unsigned>((pairs + kBlock - 1) / kBlock), kBlock, 0, stream>>>(keys, factors, count,
                                                                                                  sum, size);
    MOCO_CUDA_CHECK(cudaGetLastError());
  }
}

}  // namespace moco::cuda
