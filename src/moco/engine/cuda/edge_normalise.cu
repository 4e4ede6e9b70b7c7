// Second pass over the edges of a block: h_e ← h_e + u·factor + shift, Σ_out h_e per node, and the pool over all edges.
//
// A warp takes a node and its k edges, two edges at a time: lanes 0 … 15 the even ones, 16 … 31 the odd ones, eight
// columns each. After the last block of edges the decoder gives θ̃ = w·h_e + b on the way. The last thread block of a
// trajectory combines the pools.
#include "moco/engine/cuda/global.cuh"
#include "moco/engine/cuda/network_kernels.h"

namespace moco::cuda {

namespace {

constexpr int kWarps = kThreads / 32;

template <typename T, bool Last>
__global__ void __launch_bounds__(kThreads)
    edge_normalise_kernel(const __grid_constant__ DeviceBatch batch, const __grid_constant__ NetworkOffsets net) {
  __shared__ __align__(16) float pools[kWarps][kHidden];
  const Item item = batch.out_items[blockIdx.x];
  if (batch.state[item.trajectory].active == 0) {
    return;
  }
  const TrajectoryData t = batch.trajectory[item.trajectory];
  const int degree = batch.graphs[t.graph].degree;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int half = lane / 16;
  const int column = lane % 16 * 8;
  const bool maximum = batch.pooling == static_cast<int>(GlobalPooling::max);
  const float* vectors = vectors_of(batch, t.weights);

  float factor[8];
  float shift[8];
  const float* norm = batch.edge_norm + static_cast<long long>(item.trajectory) * 2 * kHidden;
  load8(norm + column, factor);
  load8(norm + kHidden + column, shift);
  float decoder[8] = {};
  float decoder_bias = 0.0f;
  if constexpr (Last) {
    load8(vectors + net.decoder + column, decoder);
    decoder_bias = vectors[net.decoder_bias];
  }

  float pool[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    pool[i] = maximum ? -INFINITY : 0.0f;
  }
  for (int node = item.first + warp; node < item.first + item.rows; node += kWarps) {
    const long long first = t.variable_offset + static_cast<long long>(node) * degree;
    float sum[8] = {};
#pragma unroll 4
    for (int e = 0; e < degree; e += 2) {
      const bool mine = e + half < degree;
      const long long edge = first + e + (mine ? half : 0);
      T* h_at = static_cast<T*>(batch.h_e) + edge * kHidden + column;
      float h[8];
      float u[8];
      load8(h_at, h);
      load8(static_cast<const T*>(batch.u_e) + edge * kHidden + column, u);
      float decoded = 0.0f;
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        h[i] += fmaf(u[i], factor[i], shift[i]);
        decoded = fmaf(h[i], decoder[i], decoded);
      }
      if (mine) {
        if (!Last || net.has_global) {
          store8(h_at, h);
        }
#pragma unroll
        for (int i = 0; i < 8; ++i) {
          sum[i] += h[i];
          if (maximum) {
            pool[i] = fmaxf(pool[i], h[i]);
          }
        }
      }
      if constexpr (Last) {
#pragma unroll
        for (int offset = 8; offset > 0; offset >>= 1) {
          decoded += __shfl_xor_sync(kFullWarp, decoded, offset);
        }
        if (mine && lane % 16 == 0) {
          store_decoded(batch, net, edge, decoder_bias + decoded);
        }
      }
    }
    if (!maximum) {
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        pool[i] += sum[i];
      }
    }
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      sum[i] += __shfl_xor_sync(kFullWarp, sum[i], 16);
    }
    if (half == 0) {
      store8(batch.sum_out + (t.node_offset + node) * kHidden + column, sum);
    }
  }
  if (!net.has_global) {
    return;
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const float other = __shfl_xor_sync(kFullWarp, pool[i], 16);
    pool[i] = maximum ? fmaxf(pool[i], other) : pool[i] + other;
  }
  if (half == 0) {
    store8(pools[warp] + column, pool);
  }
  __syncthreads();
  const int c = static_cast<int>(threadIdx.x);
  if (c < kHidden) {
    float value = pools[0][c];
    for (int w = 1; w < kWarps; ++w) {
      value = maximum ? fmaxf(value, pools[w][c]) : value + pools[w][c];
    }
    batch.partials[static_cast<long long>(blockIdx.x) * kHidden + c] = value;
  }
  if (last_to_arrive(batch.arrivals + item.trajectory * kArrivals + kArriveOut, t.out_items.count) && c < kHidden) {
    batch.pooled_edges[static_cast<long long>(item.trajectory) * kHidden + c] =
        pool_partials(batch.partials, t.out_items, kHidden, static_cast<double>(t.variables), batch.pooling);
  }
}

}  // namespace

void edge_normalise(const DeviceBatch& batch, const NetworkOffsets& net, const NetworkShape& shape, int block,
                    cudaStream_t stream) {
  if (shape.out_items == 0) {
    return;
  }
  const bool last = block + 1 == net.blocks;
  if (shape.bf16) {
    const auto kernel = last ? edge_normalise_kernel<bf16, true> : edge_normalise_kernel<bf16, false>;
    kernel<<<shape.out_items, kThreads, 0, stream>>>(batch, net);
  } else {
    const auto kernel = last ? edge_normalise_kernel<float, true> : edge_normalise_kernel<float, false>;
    kernel<<<shape.out_items, kThreads, 0, stream>>>(batch, net);
  }
  MOCO_CUDA_CHECK(cudaGetLastError());
}

}  // namespace moco::cuda
