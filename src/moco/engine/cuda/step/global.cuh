// The global part of the networks, by one block of 256 threads per trajectory: features, embedding, update, α.
//
// h_g = W [45 features] + b;  h_g ← h_g + ReLU(W_g[Σ_v h_v; Σ_e h_e; h_g] + b_g);  θ ← θ̃ / α(w·h_g + b).
// The constants are what h_g and the biases add to every edge and node of a block.
//
// TSP: a block adds normalised rows to h_v and h_e, and normalised rows add up to the offset of their normalisation,
// times the number of rows. Sums and means after a block are therefore those before it and the offsets, whatever the
// rows are: only the edges of the first block have to be added up, and after the last block nobody needs the nodes.
#pragma once

#include <type_traits>

#include "moco/engine/cuda/batch/batch.cuh"
#include "moco/engine/features.h"

namespace moco::cuda {

/// Shared memory of the functions below.
struct GlobalScratch {
  static constexpr int kSlices = 16;
  float x[3 * kHidden];
  float h_g[kHidden];
  float y[kHidden];
  float slices[kSlices][kHidden];
};

/// Four consecutive elements, as they are.
template <typename T>
using Raw4 = std::conditional_t<sizeof(T) == 2, uint2, float4>;
__device__ inline float4 floats_of(const uint2& raw) {
  const float2 a = unpack2(raw.x);
  const float2 b = unpack2(raw.y);
  return make_float4(a.x, a.y, b.x, b.y);
}
__device__ inline float4 floats_of(const float4& raw) {
  return raw;
}

/// y [128] ← y + x [rows] · W [rows × 128]; x and y in shared memory. `Threads` of the block work. Begins and ends with
/// a barrier.
template <int Threads = kThreads, typename T>
__device__ inline void add_row_product(const float* x, const T* w, int rows, float* y, GlobalScratch& scratch) {
  constexpr int kSlices = Threads / 32;
  constexpr int kTogether = kHidden / kSlices;  // rows on their way at a time
  static_assert(kSlices <= GlobalScratch::kSlices);
  __syncthreads();
  const int slice = static_cast<int>(threadIdx.x) / 32;
  const int column = static_cast<int>(threadIdx.x) % 32 * 4;
  float sum[4] = {};
  for (int first = slice; slice < kSlices && first < rows; first += kHidden) {
    Raw4<T> raw[kTogether] = {};
#pragma unroll
    for (int i = 0; i < kTogether; ++i) {
      const int row = first + kSlices * i;
      if (row < rows) {
        raw[i] = *reinterpret_cast<const Raw4<T>*>(w + row * kHidden + column);
      }
    }
#pragma unroll
    for (int i = 0; i < kTogether; ++i) {
      const float factor = first + kSlices * i < rows ? x[first + kSlices * i] : 0.0f;
      const float4 f = floats_of(raw[i]);
      sum[0] = fmaf(factor, f.x, sum[0]);
      sum[1] = fmaf(factor, f.y, sum[1]);
      sum[2] = fmaf(factor, f.z, sum[2]);
      sum[3] = fmaf(factor, f.w, sum[3]);
    }
  }
  if (slice < kSlices) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      scratch.slices[slice][column + j] = sum[j];
    }
  }
  __syncthreads();
  if (threadIdx.x < kHidden) {
    float total = y[threadIdx.x];
#pragma unroll
    for (int s = 0; s < kSlices; ++s) {
      total += scratch.slices[s][threadIdx.x];
    }
    y[threadIdx.x] = total;
  }
  __syncthreads();
}

/// What h_g (in scratch) and the biases add to the edges and nodes of a block; MIS: to the mix.
template <int Threads = kThreads, typename T>
__device__ inline void set_constants(const DeviceBatch& batch, int trajectory, const T* matrices, const float* vectors,
                                     const BlockOffsets& block, GlobalScratch& scratch) {
  const int c = static_cast<int>(threadIdx.x);
  for (int part = 0; part < (batch.is_tsp ? 2 : 1); ++part) {
    const int bias = !batch.is_tsp ? block.mix_bias : part == 0 ? block.edge_bias : block.node_bias;
    const int matrix = !batch.is_tsp ? block.mix : (part == 0 ? block.edge : block.node) + 3 * kHidden * kHidden;
    if (c < kHidden) {
      scratch.y[c] = vectors[bias + c];
    }
    add_row_product<Threads>(scratch.h_g, matrices + matrix, kHidden, scratch.y, scratch);
    float* out = part == 0 ? batch.network.edge_constant : batch.network.node_constant;
    if (c < kHidden) {
      out[static_cast<long long>(trajectory) * kHidden + c] = scratch.y[c];
    }
  }
}

/// A global feature of a state after sampling; `step` steps have been made before.
__device__ inline float seen_global_feature(const DeviceBatch& batch, const SearchState& state, int step, int c) {
  return batch.network.given_global != nullptr
             ? batch.network.given_global[c]
             : global_feature(c, state.elite_cost, state.elite_size, state.previous_best, step, *batch.search.budget);
}

/// h_g from the state after sampling, and the constants of the first block.
template <typename T>
__device__ inline void embed_global(const DeviceBatch& batch, const NetworkOffsets& net, int trajectory, int weights,
                                    int step, GlobalScratch& scratch) {
  const SearchState& state = batch.search.state[trajectory];
  const int c = static_cast<int>(threadIdx.x);
  const T* matrices = matrices_of<T>(batch, weights);
  const float* vectors = vectors_of(batch, weights);
  if (c < kGlobalFeatures) {
    scratch.x[c] = seen_global_feature(batch, state, step, c);
  }
  if (c < kHidden) {
    scratch.h_g[c] = vectors[net.global_bias + c];
  }
  add_row_product(scratch.x, matrices + net.global_embedding, kGlobalFeatures, scratch.h_g, scratch);
  if (c < kHidden) {
    batch.network.h_g[static_cast<long long>(trajectory) * kHidden + c] = scratch.h_g[c];
  }
  set_constants(batch, trajectory, matrices, vectors, net.block[0], scratch);
}

/// Combines partial pools over `rows` rows; part(i) is the i-th partial value of a column.
template <typename Part>
__device__ inline float pool_parts(int parts, const Part& part, double rows, int pooling) {
  const bool maximum = pooling == static_cast<int>(GlobalPooling::max);
  double value = maximum ? -INFINITY : 0.0;
  in_order<8>(parts, part, [&](int, double other) { value = maximum ? fmax(value, other) : value + other; });
  return static_cast<float>(pooling == static_cast<int>(GlobalPooling::mean) ? value / rows : value);
}

/// Combines partial pools [chunks × stride] of 128 columns in global memory: column threadIdx.x % 128.
__device__ inline float pool_partials(const float* partials, ChunkRange chunks, int stride, double rows, int pooling) {
  const float* first = partials + static_cast<long long>(chunks.first) * stride + threadIdx.x % kHidden;
  return pool_parts(
      chunks.count, [&](int i) { return __ldcg(first + static_cast<long long>(i) * stride); }, rows, pooling);
}

/// A sum or mean over `rows` rows to which normalised ones with this offset have been added.
__device__ inline float grown_pool(float pool, double rows, float offset, int pooling) {
  return pool + static_cast<float>((pooling == static_cast<int>(GlobalPooling::mean) ? 1.0 : rows) * offset);
}

/// The pools after a block, for update_h_g, where they are known.
__device__ inline void set_known_pools(const DeviceBatch& batch, const NetworkOffsets& net, int trajectory,
                                       const TrajectoryData& t, int block, GlobalScratch& scratch) {
  if (const int c = static_cast<int>(threadIdx.x); c < kHidden) {
    const float* vectors = vectors_of(batch, t.weights) + c;
    const bool mean = batch.network.pooling == static_cast<int>(GlobalPooling::mean);
    const float start = vectors[net.node_embedding];
    float nodes = grown_pool(mean ? start / static_cast<float>(t.nodes) : start, t.nodes, vectors[net.node_bias],
                             batch.network.pooling);
    float edges = batch.network.pooled_edges[static_cast<long long>(trajectory) * kHidden + c];
    for (int l = 0; l <= block; ++l) {
      nodes = grown_pool(nodes, t.nodes, vectors[net.block[l].node_shift], batch.network.pooling);
      edges = l > 0 ? grown_pool(edges, t.variables, vectors[net.block[l].edge_shift], batch.network.pooling) : edges;
    }
    scratch.x[c] = nodes;
    scratch.x[kHidden + c] = edges;
  }
}

/// What GNN_update's θ̃ of variable `at` (of the whole batch) is added to.
__device__ inline float theta_before(const DeviceBatch& batch, const NetworkOffsets& net, long long at) {
  const bool anchored = batch.network.theta_update == ThetaUpdate::anchored;
  return net.has_global ? (anchored ? batch.network.first_theta : batch.search.theta)[at] : 0.0f;
}

/// θ̃ of variable `at`, from what theta_before() has given. GNN_update's still waits for the division by α unless a
/// divisor is given.
__device__ inline void store_decoded(const DeviceBatch& batch, const NetworkOffsets& net, long long at, float before,
                                     float decoded, const float* divisor) {
  if (net.has_global) {
    const float theta = proposed_theta(batch.network.theta_update, before, decoded);
    batch.search.theta[at] = divisor != nullptr ? bounded_theta(theta / *divisor) : theta;
    return;
  }
  batch.search.theta[at] = bounded_theta(decoded);
}
__device__ inline void store_decoded(const DeviceBatch& batch, const NetworkOffsets& net, long long at, float decoded,
                                     const float* divisor = nullptr) {
  store_decoded(batch, net, at, theta_before(batch, net, at), decoded, divisor);
}

/// Sets what θ is divided by, from h_g (h_g(c) is an element) and the global decoder. Begins and ends with a barrier.
template <typename Global>
__device__ inline void set_divisor(const DeviceBatch& batch, const float* decoder, float bias, const Global& h_g,
                                   float& divisor) {
  __syncthreads();
  if (threadIdx.x < 32) {
    float sum = 0.0f;
    for (int c = static_cast<int>(threadIdx.x); c < kHidden; c += 32) {
      sum = fmaf(h_g(c), decoder[c], sum);
    }
#pragma unroll
    for (int offset = 16; offset > 0; offset >>= 1) {
      sum += __shfl_xor_sync(kFullWarp, sum, offset);
    }
    if (threadIdx.x == 0) {
      divisor = theta_divisor(batch.network.theta_update, bias + sum);
    }
  }
  __syncthreads();
}

/// The same from h_g in the scratch, known to all threads.
__device__ inline float divisor_of(const DeviceBatch& batch, const NetworkOffsets& net, const float* vectors,
                                   GlobalScratch& scratch) {
  set_divisor(
      batch, vectors + net.global_decoder, vectors[net.global_decoder_bias], [&](int c) { return scratch.h_g[c]; },
      scratch.y[0]);
  return scratch.y[0];
}

/// Divides what stands in `theta` for `count` variables.
__device__ inline void scale_theta(const DeviceBatch& batch, const NetworkOffsets& net, const float* vectors,
                                   float* theta, int count, GlobalScratch& scratch) {
  const float divisor = divisor_of(batch, net, vectors, scratch);
  for (int v = static_cast<int>(threadIdx.x); v < count; v += static_cast<int>(blockDim.x)) {
    theta[v] = bounded_theta(__ldcg(theta + v) / divisor);
  }
}

/// The global update of a block from the pooled states (x of the scratch: TSP nodes, edges; MIS nodes).
template <typename T, int Threads = kThreads>
__device__ inline void update_h_g(const DeviceBatch& batch, const NetworkOffsets& net, int trajectory,
                                  const TrajectoryData& t, int block, GlobalScratch& scratch) {
  const int c = static_cast<int>(threadIdx.x);
  const T* matrices = matrices_of<T>(batch, t.weights);
  const float* vectors = vectors_of(batch, t.weights);
  const BlockOffsets& offsets = net.block[block];
  const int pooled = batch.is_tsp ? 2 * kHidden : kHidden;
  const bool sees_itself = batch.is_tsp || batch.network.authors;
  float* stored = batch.network.h_g + static_cast<long long>(trajectory) * kHidden;
  if (c < kHidden) {
    scratch.y[c] = vectors[offsets.global_bias + c];
    scratch.h_g[c] = stored[c];
    scratch.x[pooled + c] = scratch.h_g[c];
  }
  add_row_product<Threads>(scratch.x, matrices + offsets.global, pooled + (sees_itself ? kHidden : 0), scratch.y,
                           scratch);
  if (c < kHidden) {
    scratch.h_g[c] += fmaxf(scratch.y[c], 0.0f);
    stored[c] = scratch.h_g[c];
  }
  __syncthreads();
}

/// The same, then the next block's constants.
template <typename T, int Threads = kThreads>
__device__ inline void update_global(const DeviceBatch& batch, const NetworkOffsets& net, int trajectory,
                                     const TrajectoryData& t, int block, GlobalScratch& scratch) {
  update_h_g<T, Threads>(batch, net, trajectory, t, block, scratch);
  set_constants<Threads>(batch, trajectory, matrices_of<T>(batch, t.weights), vectors_of(batch, t.weights),
                         net.block[block + 1], scratch);
}

/// The same after the last block, then the division of θ.
template <typename T>
__device__ inline void finish_global(const DeviceBatch& batch, const NetworkOffsets& net, int trajectory,
                                     const TrajectoryData& t, GlobalScratch& scratch) {
  float* theta = batch.search.theta + t.variable_offset + threadIdx.x;
  constexpr int kTogether = 4;
  float ahead[kTogether];  // of θ, on its way during the update
  const auto load = [&](int first) {
#pragma unroll
    for (int i = 0; i < kTogether; ++i) {
      const int v = first + i * kThreads;
      ahead[i] = v + static_cast<int>(threadIdx.x) < t.variables ? __ldcg(theta + v) : 0.0f;
    }
  };
  load(0);
  update_h_g<T>(batch, net, trajectory, t, net.blocks - 1, scratch);
  const float divisor = divisor_of(batch, net, vectors_of(batch, t.weights), scratch);
  for (int first = 0; first < t.variables; first += kTogether * kThreads) {
    if (first > 0) {
      load(first);
    }
#pragma unroll
    for (int i = 0; i < kTogether; ++i) {
      const int v = first + i * kThreads;
      if (v + static_cast<int>(threadIdx.x) < t.variables) {
        theta[v] = bounded_theta(ahead[i] / divisor);
      }
    }
  }
}

/// The same where pools are known, after any block but the last; after the last but one also the last one's update, and
/// what θ will be divided by.
template <typename T>
__device__ inline void update_known_global(const DeviceBatch& batch, const NetworkOffsets& net, int trajectory,
                                           int block, GlobalScratch& scratch) {
  const TrajectoryData t = batch.trajectory[trajectory];
  set_known_pools(batch, net, trajectory, t, block, scratch);
  update_global<T>(batch, net, trajectory, t, block, scratch);
  if (block + 2 == net.blocks) {
    set_known_pools(batch, net, trajectory, t, block + 1, scratch);
    update_h_g<T>(batch, net, trajectory, t, block + 1, scratch);
    const float divisor = divisor_of(batch, net, vectors_of(batch, t.weights), scratch);
    if (threadIdx.x == 0) {
      batch.network.theta_divisor[trajectory] = divisor;
    }
  }
}

/// The pools of the MIS, for update_h_g, from the partial ones of the trajectory's nodes; groups of 128 threads share
/// them. Ends without a barrier.
template <int Threads = kThreads>
__device__ inline void pool_node_chunks(const DeviceBatch& batch, const TrajectoryData& t, GlobalScratch& scratch) {
  constexpr int kGroups = Threads / kHidden;
  const int c = static_cast<int>(threadIdx.x) % kHidden;
  const int group = static_cast<int>(threadIdx.x) / kHidden;
  const int each = (t.node_chunks.count + kGroups - 1) / kGroups;
  const int first = min(group * each, t.node_chunks.count);
  const ChunkRange own{t.node_chunks.first + first, min(each, t.node_chunks.count - first)};
  scratch.slices[group][c] = pool_partials(batch.network.partials, own, kHidden, 1.0, batch.network.pooling);
  __syncthreads();
  if (group == 0) {
    scratch.x[c] = pool_parts(
        kGroups, [&](int i) { return scratch.slices[i][c]; }, static_cast<double>(t.nodes), batch.network.pooling);
  }
}

}  // namespace moco::cuda
