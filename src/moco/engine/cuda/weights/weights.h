// Fills weight sets on the device: base + σ·noise, regenerated from its key, padded and converted.
#pragma once

#include "moco/engine/cuda/kit/device.h"
#include "moco/engine/cuda/weights/weight_plan.h"

namespace moco::cuda {

/// One weight set to fill.
struct WeightSource {
  const float* base = nullptr;  ///< on the device
  float sigma = 0.0f;
  StreamKey noise;
};

/// Tables of a batch on the device: its weight sets, and the entries that make one.
struct WeightTables {
  const WeightSource* sources = nullptr;
  const PackEntry* entries = nullptr;
};

/// Writes all sets; the buffers must be zero beforehand (the padding stays zero).
void pack_weights(const WeightSource* sources, int sets, const PackEntry* entries, int entry_count, bool bf16,
                  void* matrices, long long matrix_stride, float* vectors, long long vector_stride,
                  cudaStream_t stream);

/// What the first block's W_e makes of the embeddings (TSP): its sender and receiver parts of the two kinds of nodes
/// and, with `edges`, its edge part of the edges' embedding.
void project_embeddings(const DeviceBatch& batch, const NetworkOffsets& net, int sets, bool bf16, bool edges,
                        cudaStream_t stream);

/// sum[p] += Σ_i factors[i] · ε_i[p], key after key, each product rounded: the CPU's sum to the last bit.
void add_noise(const StreamKey* keys, const float* factors, int count, float* sum, long long size, cudaStream_t stream);

}  // namespace moco::cuda
