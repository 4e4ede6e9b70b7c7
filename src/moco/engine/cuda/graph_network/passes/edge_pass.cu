// The two passes over the edges of a block. Both compute u = ReLU(h_e·W_e + sent_i + received_j + constant);
// edge_moments keeps its moments per column, edge_advance sets h_e ← h_e + u·factor + shift and adds up Σ_out h_e per
// node. Computing u twice costs less than writing and reading it. u is formed less max(constant, 0), which the
// normalisation does not see: ReLU(x + c) − max(c, 0) = max(x + min(c, 0), −max(c, 0)), so that a large constant takes
// no digits from x.
//
// A chunk is a range of nodes with the edges that leave them; the warps of its thread block share them and wait for
// nobody once the weights are there (edge_rows.cuh). After the last block the decoder gives θ̃ = w·h_e + b on the way,
// and where pools are known θ.
// The last thread block of a trajectory turns the moments into the normalisation of edge_advance.
#include "moco/engine/cuda/batch/launch.cuh"
#include "moco/engine/cuda/graph_network/passes/edge_rows.cuh"
#include "moco/engine/cuda/graph_network/passes/pass_kernels.h"
#include "moco/engine/cuda/step/global.cuh"
#include "moco/engine/cuda/step/normalisation.cuh"

namespace moco::cuda {

namespace {

/// Where the rows of a block come from.
enum class Source { state, given, memory };

template <typename T, Source From>
using Rows = std::conditional_t<From == Source::memory, LaterRows<T>, FirstRows<T, From == Source::given>>;

/// Thread blocks on a multiprocessor. Three leave 168 registers to a thread.
template <typename T>
constexpr int kAtOnce = sizeof(T) == 4 ? 1 : 3;

/// Adds `Count` values over the eight lanes that hold the same columns; values[0 …] are then the sums of an eighth of
/// them: those from number lane / 4 · Count / 8 on.
template <int Count>
__device__ inline void sum_over_rows(float (&values)[Count]) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
  for (int level = 1; level <= 3; ++level) {
    const int distance = 32 >> level;
    const int width = Count >> level;
    const bool upper = (lane & distance) != 0;
#pragma unroll
    for (int i = 0; i < Count / 2; ++i) {
      if (i < width) {
        const float kept = upper ? values[i + width] : values[i];
        const float given = upper ? values[i] : values[i + width];
        values[i] = kept + __shfl_xor_sync(kFullWarp, given, distance);
      }
    }
  }
}

/// Σ_out of the nodes of a run.
template <typename T>
class OutgoingSums {
 public:
  /// Goes to a step.
  __device__ void take(int, int) {}
  /// Adds half of h_e of a step's rows.
  __device__ void add(int, const Pair<T> (&)[2][kHalfTiles]) {}
  /// Stores the sums of the rows [nodes · degree × 128] at h_e.
  __device__ void store(const T* h_e, int nodes, int degree, float* out) const {
    __syncwarp();
    const int first = static_cast<int>(threadIdx.x) % 32 * 4;
    for (int c = first; c < first + 4; ++c) {
      for (int node = 0; node < nodes; ++node) {
        float sum = 0.0f;
        for (int e = node * degree; e < (node + 1) * degree; ++e) {
          sum += h_e[static_cast<long long>(e) * kHidden + row_place(c) + c % 2];
        }
        out[node * kHidden + c] = sum;
      }
    }
  }
};

/// bf16: a product [128 × rows] · [rows × nodes] whose right side says which row belongs to which node.
template <>
class OutgoingSums<bf16> {
 public:
  __device__ void take(int step, int degree) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int first = step * kWarpRows + lane % 4 * 2 - lane / 4 * degree;  // row 2q, from the node's first edge on
    const auto belongs = [&](int row) {
      return static_cast<unsigned>(first + row) < static_cast<unsigned>(degree) ? 1u : 0u;
    };
    rows_[0] = pair_of_bits<bf16>(belongs(0) | belongs(1) << 1);
    rows_[1] = pair_of_bits<bf16>(belongs(8) | belongs(9) << 1);
  }
  __device__ void add(int half, const std::uint32_t (&pairs)[2][kHalfTiles]) {
#pragma unroll
    for (int j = 0; j < kHalfTiles; j += 2) {
      const std::uint32_t columns[4] = {transposed(pairs[0][j]), transposed(pairs[0][j + 1]), transposed(pairs[1][j]),
                                        transposed(pairs[1][j + 1])};
      multiply_add(sum_[(half * kHalfTiles + j) / 2], columns, rows_[0], rows_[1]);
    }
  }
  __device__ void store(const bf16*, int nodes, int, float* out) const {
    const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int node = lane % 4 * 2 + i;
      if (node < nodes) {
#pragma unroll
        for (int tile = 0; tile < kHidden / 16; ++tile) {
          out[node * kHidden + 16 * tile + lane / 4] = sum_[tile][i];
          out[node * kHidden + 16 * tile + 8 + lane / 4] = sum_[tile][2 + i];
        }
      }
    }
  }

 private:
  static_assert(kMostEdgeNodes <= 8 * kEdgeWarps);

  /// Of a matrix [8 × 8] whose row lane / 4 has a pair in this thread.
  __device__ static std::uint32_t transposed(std::uint32_t pair) {
    std::uint32_t column;
    asm("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;\n" : "=r"(column) : "r"(pair));
    return column;
  }

  float sum_[kHidden / 16][4] = {};
  std::uint32_t rows_[2];
};

template <typename T, Source From>
__global__ void __launch_bounds__(kEdgeThreads, kAtOnce<T>)
    edge_moments_kernel(const __grid_constant__ DeviceBatch batch, const __grid_constant__ NetworkOffsets net,
                        int block) {
  extern __shared__ __align__(kRowAlignment) unsigned char raw[];
  const RowChunk chunk = batch.network.edge_chunks[blockIdx.x];
  const TrajectoryData t = batch.trajectory[chunk.trajectory];
  const GraphData graph = batch.graphs[t.graph];
  const EdgeRun run(chunk, graph.degree);
  const EdgeContext context{batch, net, t, graph, run, chunk};
  Rows<T, From> rows(context, *reinterpret_cast<typename Rows<T, From>::Shared*>(raw));
  rows.fetch_weights(block);
  if (!wait_for_previous(batch, chunk.trajectory)) {
    wait_async();
    return;
  }
  rows.begin(block);
  wait_matrices();
  __syncthreads();
  float sum[2 * kPairs] = {};  // of this thread's columns, pair by pair
  float square[2 * kPairs] = {};
#pragma unroll 1
  for (int step = 0; step < run.steps; ++step) {
    rows.take(step);
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const HalfRows u = rows.u(half);
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        if (run.has(step, i)) {
#pragma unroll
          for (int c = 0; c < 2 * kHalfTiles; ++c) {
            const float value = u.value[c / 2][2 * i + c % 2];
            sum[half * 2 * kHalfTiles + c] += value;
            square[half * 2 * kHalfTiles + c] = fmaf(value, value, square[half * 2 * kHalfTiles + c]);
          }
        }
      }
    }
  }
  sum_over_rows(sum);
  sum_over_rows(square);
  wait_async();                                 // for rows that nobody needs
  __syncthreads();                              // the weights have been used: their place serves for the moments
  auto* parts = reinterpret_cast<float*>(raw);  // [warps × 2 × 128]
  const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int number = lane / 4 * 4 + i;
    const int column = number / 2 * 8 + lane % 4 * 2 + number % 2;
    float* part = parts + threadIdx.x / 32 * 2 * kHidden + column;
    part[0] = sum[i];
    part[kHidden] = square[i];
  }
  __syncthreads();
  float* out = batch.network.partials + static_cast<long long>(blockIdx.x) * 2 * kHidden;
  for (int c = static_cast<int>(threadIdx.x); c < 2 * kHidden; c += kEdgeThreads) {
    float total = 0.0f;
#pragma unroll
    for (int w = 0; w < kEdgeWarps; ++w) {
      total += parts[w * 2 * kHidden + c];
    }
    out[c] = total;
  }
  if (last_to_arrive(batch.search.arrivals + chunk.trajectory * kArrivals + kArriveEdge, t.edge_chunks.count)) {
    const float* vectors = vectors_of(batch, t.weights);
    set_normalisation(batch.network.partials, t.edge_chunks, static_cast<double>(t.variables),
                      vectors + net.block[block].edge_scale, vectors + net.block[block].edge_shift,
                      reinterpret_cast<double*>(raw),
                      batch.network.edge_norm + static_cast<long long>(chunk.trajectory) * 2 * kHidden);
  }
}

template <typename T, Source From>
struct AdvanceShared {
  typename Rows<T, From>::Shared rows;
  float4 norm[kColumnPairs];  ///< of a pair of columns: factors and shifts
  float2 decoder[kColumnPairs];
};

template <typename T, Source From, bool Last>
__global__ void __launch_bounds__(kEdgeThreads, kAtOnce<T>)
    edge_advance_kernel(const __grid_constant__ DeviceBatch batch, const __grid_constant__ NetworkOffsets net,
                        int block) {
  extern __shared__ __align__(kRowAlignment) unsigned char raw[];
  auto& shared = *reinterpret_cast<AdvanceShared<T, From>*>(raw);
  const RowChunk chunk = batch.network.edge_chunks[blockIdx.x];
  const TrajectoryData t = batch.trajectory[chunk.trajectory];
  const GraphData graph = batch.graphs[t.graph];
  const float* vectors = vectors_of(batch, t.weights);
  const EdgeRun run(chunk, graph.degree);
  const EdgeContext context{batch, net, t, graph, run, chunk};
  Rows<T, From> rows(context, shared.rows);
  rows.fetch_weights(block);
  if (!wait_for_previous(batch, chunk.trajectory)) {
    wait_async();
    return;
  }
  rows.begin(block);
  const int pair = static_cast<int>(threadIdx.x);
  if (pair < kColumnPairs) {
    const float* own = batch.network.edge_norm + static_cast<long long>(chunk.trajectory) * 2 * kHidden + 2 * pair;
    shared.norm[pair] = make_float4(own[0], own[1], own[kHidden], own[kHidden + 1]);
    shared.decoder[pair] = load2(vectors + net.decoder + 2 * pair);
  }
  wait_matrices();
  __syncthreads();
  const bool stores = !Last || needs_last_nodes(batch, net);
  T* h_e = static_cast<T*>(batch.network.h_e);
  OutgoingSums<T> sums;
#pragma unroll 1
  for (int step = 0; step < run.steps; ++step) {
    rows.take(step);
    sums.take(step, graph.degree);
    float decoded[2] = {};
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      HalfRows h;
      const HalfRows u = rows.u_and_h(half, h);
      Pair<T> pairs[2][kHalfTiles];
#pragma unroll
      for (int j = 0; j < kHalfTiles; ++j) {
        const float4 f = shared.norm[column_pair(half, j)];
#pragma unroll
        for (int i = 0; i < 2; ++i) {
          h.value[j][2 * i] += fmaf(u.value[j][2 * i], f.x, f.z);
          h.value[j][2 * i + 1] += fmaf(u.value[j][2 * i + 1], f.y, f.w);
          pairs[i][j] = make_pair_of<T>(h.value[j][2 * i], h.value[j][2 * i + 1]);
          if constexpr (Last) {
            const float2 w = shared.decoder[column_pair(half, j)];
            decoded[i] = fmaf(h.value[j][2 * i], w.x, fmaf(h.value[j][2 * i + 1], w.y, decoded[i]));
          }
        }
      }
      if (stores) {
#pragma unroll
        for (int i = 0; i < 2; ++i) {
          if (run.has(step, i)) {
            store_pairs(h_e + context.variable(step, i) * kHidden + half * kHalf, pairs[i]);
          }
        }
        sums.add(half, pairs);
      }
    }
    if constexpr (Last) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        decoded[i] += __shfl_xor_sync(kFullWarp, decoded[i], 1);
        decoded[i] += __shfl_xor_sync(kFullWarp, decoded[i], 2);
        if (run.has(step, i) && threadIdx.x % 4 == 0) {
          store_decoded(batch, net, context.variable(step, i), vectors[net.decoder_bias] + decoded[i],
                        batch.network.pools_known ? batch.network.theta_divisor + chunk.trajectory : nullptr);
        }
      }
    }
  }
  if (stores) {
    const int node = run.first / graph.degree;
    sums.store(h_e + (t.variable_offset + run.first) * kHidden, (run.end - run.first) / graph.degree, graph.degree,
               batch.network.sum_out + (t.node_offset + node) * kHidden);
  }
}

/// Calls body<T, From>().
template <typename Body>
void with_kind(const DeviceBatch& batch, const NetworkOffsets& net, bool bf16_rows, int block, const Body& body) {
  const auto call = [&]<typename T>() {
    if (block > 0) {
      body.template operator()<T, Source::memory>();
    } else if (batch.network.given_rows != nullptr && net.has_global) {
      body.template operator()<T, Source::given>();
    } else {
      body.template operator()<T, Source::state>();
    }
  };
  bf16_rows ? call.template operator()<bf16>() : call.template operator()<float>();
}

}  // namespace

void edge_moments(const DeviceBatch& batch, const NetworkOffsets& net, const PassShape& shape, int block,
                  cudaStream_t stream) {
  with_kind(batch, net, shape.bf16, block, [&]<typename T, Source From>() {
    constexpr int kBytes = static_cast<int>(sizeof(typename Rows<T, From>::Shared));
    launch(edge_moments_kernel<T, From>, shape.edge_chunks, kEdgeThreads, kBytes, stream, batch, net, block);
  });
}

void edge_advance(const DeviceBatch& batch, const NetworkOffsets& net, const PassShape& shape, int block,
                  cudaStream_t stream) {
  const bool last = block + 1 == net.blocks;
  with_kind(batch, net, shape.bf16, block, [&]<typename T, Source From>() {
    const auto kernel = last ? edge_advance_kernel<T, From, true> : edge_advance_kernel<T, From, false>;
    constexpr int kBytes = static_cast<int>(sizeof(AdvanceShared<T, From>));
    launch(kernel, shape.edge_chunks, kEdgeThreads, kBytes, stream, batch, net, block);
  });
}

}  // namespace moco::cuda
