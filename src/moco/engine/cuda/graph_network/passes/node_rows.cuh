// What the passes over nodes gather for their products: rows of floats as tiles, and Σ_in from h_e over the edges that
// enter a node.
#pragma once

#include "moco/engine/cuda/graph_network/entering_edges.cuh"
#include "moco/engine/cuda/kit/row_order.cuh"

namespace moco::cuda {

/// Rows of floats [rows × 128] as T in shared memory.
template <typename T>
__device__ void fill_tile(const float* global, int rows, T* tile) {
  for (int i = static_cast<int>(threadIdx.x); i < rows * (kHidden / 8); i += kThreads) {
    const int row = i / (kHidden / 8);
    const int column = i % (kHidden / 8) * 8;
    float x[8];
    load8(global + static_cast<long long>(row) * kHidden + column, x);
    store8(tile + row * kPitch<T> + column, x);
  }
}

/// Edges that a lane has under way together; twice as many for a warp.
constexpr int kTogether = 12;

/// Adds up h_e over edges for one node, by a warp: lanes 0 … 15 the even edges, 16 … 31 the odd ones, eight columns
/// each from place 8·(lane % 16) on.
struct RowSum {
  float value[8] = {};

  /// Adds the first 2·kTogether of edges edge(0) … edge(count − 1); each(h) sees every one once. All lanes call edge,
  /// which gives some edge for larger numbers: loads under a condition would wait for each other. meanwhile() is called
  /// while h_e is on its way.
  template <typename T, typename Edge, typename Each, typename Meanwhile>
  __device__ void add(const T* h_e, int count, const Edge& edge, const Each& each, const Meanwhile& meanwhile) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    Raw8<T> raw[kTogether];
#pragma unroll
    for (int p = 0; p < kTogether; ++p) {
      const long long row = edge(2 * p + lane / 16);
      raw[p] = load_raw8(h_e + row * kHidden + lane % 16 * 8);
    }
    meanwhile();
#pragma unroll
    for (int p = 0; p < kTogether; ++p) {
      if (2 * p + lane / 16 < count) {
        float h[8];
        floats_of(raw[p], h);
        each(h);
#pragma unroll
        for (int i = 0; i < 8; ++i) {
          value[i] += h[i];
        }
      }
    }
  }

  /// Stores the sum, or the maximum, of both halves of the warp in the order of the columns.
  template <typename T>
  __device__ void store(T* row, bool maximum = false) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const float other = __shfl_xor_sync(kFullWarp, value[i], 16);
      value[i] = maximum ? fmaxf(value[i], other) : value[i] + other;
    }
    if (lane < 16) {
#pragma unroll
      for (int n = 0; n < 4; ++n) {
        store2(row + column_at(lane, n), value[2 * n], value[2 * n + 1]);
      }
    }
  }
};

/// Σ_in of the chunk's nodes, a warp per node, in rows kPitch apart, and every warp's pool of the edges that enter
/// them.
template <typename T>
__device__ void gather_incoming(const GraphData& graph, const T* h_e, const RowChunk& chunk, EnteringEdges entering,
                                bool maximum, T* incoming, float (&pools)[kThreads / 32][kHidden]) {
  constexpr int kWarps = kThreads / 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  RowSum pool;
#pragma unroll
  for (float& value : pool.value) {
    value = maximum ? -INFINITY : 0.0f;
  }
  for (int row = warp; row < chunk.rows; row += kWarps) {
    RowSum in;
    EnteringEdges next;
    const int entries = entering.end - entering.begin;
    for (int first = 0; first == 0 || first < entries; first += 2 * kTogether) {
      if (first > 0) {
        entering.edge = entering.edge_at(graph, entering.begin + first);
      }
      in.add(
          h_e, entries - first, [&](int p) { return __shfl_sync(kFullWarp, entering.edge, p); },
          [&](const float(&h)[8]) {
            if (maximum) {
#pragma unroll
              for (int i = 0; i < 8; ++i) {
                pool.value[i] = fmaxf(pool.value[i], h[i]);
              }
            }
          },
          [&] {
            if (first == 0 && row + kWarps < chunk.rows) {
              next.look_up(graph, chunk.first + row + kWarps);
            }
          });
    }
    entering = next;
    if (!maximum) {
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        pool.value[i] += in.value[i];
      }
    }
    in.store(incoming + row * kPitch<T>);
  }
  pool.store(pools[warp], maximum);
}

}  // namespace moco::cuda
