// The two passes over the edges of a block. Both compute u = ReLU(h_e·W_e + sent_i + received_j + constant);
// edge_moments keeps its moments per column, edge_advance sets h_e ← h_e + u·factor + shift and adds up Σ_out h_e per
// node. Computing u twice costs less than writing and reading it. u is formed less max(constant, 0), which the
// normalisation does not see: ReLU(x + c) − max(c, 0) = max(x + min(c, 0), −max(c, 0)), so that a large constant takes
// no digits from x.
//
// In the first block h_e = F·A + a with the feature rows F, so that h_e·W_e = F·(A·W_e) + a·W_e with the products in
// parentheses formed beforehand, and the ends of an edge add one of two rows each: nothing is written before the first
// block ends. After the last block the decoder gives θ̃ = w·h_e + b on the way, and where pools are known θ.
// A chunk is a range of nodes with the edges that leave them. The last thread block of a trajectory turns the moments
// into the normalisation of edge_advance.
//
// Here they are in float32, for comparisons: 16 edges at a time. bf16: edge_tile_pass.cu.
#include "moco/engine/cuda/batch/launch.cuh"
#include "moco/engine/cuda/graph_network/passes/pass_kernels.h"
#include "moco/engine/cuda/kit/row_order.cuh"
#include "moco/engine/cuda/step/feature_rows.cuh"
#include "moco/engine/cuda/step/global.cuh"
#include "moco/engine/cuda/step/normalisation.cuh"

namespace moco::cuda {

namespace {

constexpr int kRows = 16;  // edges at a time
using Product = Accumulators<kRows>;

template <bool First>
struct EdgeShared {
  static constexpr int kInputs = First ? kFeatureRows : kHidden;  ///< columns of a row on the left of the product
  static constexpr int kApart = First ? kFeaturePitch<float> : kPitch<float>;
  float weight[kInputs * kPitch<float>];  ///< W_e, or the embedding times W_e
  float embedding[First ? kInputs * kPitch<float> : 4];
  float rows[kRows * kApart];
  float result[kRows * kPitch<float>];  ///< h_e after the block
  float constant[kHidden];              ///< min(c, 0) of the constant c
  float floor[kHidden];                 ///< −max(c, 0)
  double scratch[2 * kHidden];
};

/// The edges of a chunk, 16 at a time. All functions are for the whole thread block.
template <bool First>
class ChunkEdges {
 public:
  using Shared = EdgeShared<First>;

  __device__ ChunkEdges(const DeviceBatch& batch, const NetworkOffsets& net, const RowChunk& chunk, Shared& shared)
      : batch_(batch),
        net_(net),
        chunk_(chunk),
        t_(batch.trajectory[chunk.trajectory]),
        graph_(batch.graphs[t_.graph]),
        vectors_(vectors_of(batch, t_.weights)),
        shared_(shared) {}

  __device__ const TrajectoryData& trajectory() const { return t_; }
  __device__ int count() const { return chunk_.rows * graph_.degree; }
  __device__ int degree() const { return graph_.degree; }
  __device__ const float* vectors() const { return vectors_; }
  /// Of an edge of the chunk among the variables of the batch.
  __device__ long long variable(int edge) const { return t_.variable_offset + chunk_.first * graph_.degree + edge; }

  /// Fetches the weights and sets the constants; step() must follow.
  __device__ void begin(int block) {
    const float* matrices = matrices_of<float>(batch_, t_.weights);
    if constexpr (First) {
      constexpr int kUsed = kVariableFeatures;  // the others' features are zero, and so must their weights be
      fetch_matrix(shared_.weight, matrices + net_.first_edge, kUsed);
      fetch_matrix(shared_.embedding, matrices + net_.embedding, kUsed);
      for (int i = kUsed * kPitch<float> + thread(); i < kFeatureRows * kPitch<float>; i += kThreads) {
        shared_.weight[i] = 0.0f;
        shared_.embedding[i] = 0.0f;
      }
    } else {
      fetch_matrix(shared_.weight, matrices + net_.block[block].edge, kHidden);
    }
    if (const int c = thread(); c < kHidden) {
      const float constant = net_.has_global
                                 ? batch_.network.edge_constant[static_cast<long long>(chunk_.trajectory) * kHidden + c]
                                 : vectors_[net_.block[block].edge_bias + c];
      shared_.constant[c] = fminf(constant, 0.0f) + (First ? vectors_[net_.first_bias + c] : 0.0f);
      shared_.floor[c] = -fmaxf(constant, 0.0f);
    }
    wait_async();
  }

  /// u of edges first … first + 15, in acc.
  __device__ void step(int first, Product& acc) {
    __syncthreads();  // the rows before have been used
    const int rows = min(kRows, count() - first);
    if constexpr (First) {
      build_features(batch_, graph_, t_.variable_offset, chunk_.first * graph_.degree + first, rows, kRows,
                     !net_.has_global, shared_.rows);
    } else {
      for (int i = thread(); i < rows * kHidden; i += kThreads) {
        shared_.rows[i / kHidden * Shared::kApart + i % kHidden] = h_e(first + i / kHidden, i % kHidden);
      }
    }
    __syncthreads();
    acc.clear();
    acc.add_product(shared_.rows, Shared::kApart, shared_.weight, Shared::kInputs / 16);
    acc.for_pairs([&](int row, int column, int, float& a, float& b) {
      if (row < rows) {
        a = u(first + row, column, a);
        b = u(first + row, column + 1, b);
      }
    });
  }

  /// h_e of the edges of the last step, before the block, in acc.
  __device__ void before(int first, Product& acc) {
    acc.clear();
    if constexpr (First) {
      acc.add_product(shared_.rows, Shared::kApart, shared_.embedding, Shared::kInputs / 16);
    }
    acc.for_pairs([&](int row, int column, int, float& a, float& b) {
      if (first + row < count()) {
        a = First ? a + vectors_[net_.embedding_bias + column] : h_e(first + row, column);
        b = First ? b + vectors_[net_.embedding_bias + column + 1] : h_e(first + row, column + 1);
      }
    });
  }

  /// Where a column of an edge's row lies.
  __device__ float& h_e(int edge, int column) const {
    return static_cast<float*>(batch_.network.h_e)[variable(edge) * kHidden + row_place(column) + column % 2];
  }

 private:
  __device__ static int thread() { return static_cast<int>(threadIdx.x); }

  /// From the product, what the ends of the edge add, and the constant.
  __device__ float u(int edge, int column, float product) const {
    const int sender = chunk_.first + edge / graph_.degree;
    const int receiver = graph_.targets[chunk_.first * graph_.degree + edge];
    float ends;
    if constexpr (First) {
      const float* rows = vectors_ + net_.start_rows + column;  // of ordinary nodes and of the start
      ends = rows[sender == t_.start ? kHidden : 0] + rows[2 * kHidden + (receiver == t_.start ? kHidden : 0)];
    } else {
      const auto message = [&](const void* rows, int node) {
        return static_cast<const float*>(rows)[(t_.node_offset + node) * kHidden + row_place(column) + column % 2];
      };
      ends = message(batch_.network.sent, sender) + message(batch_.network.received, receiver);
    }
    return fmaxf(product + ends + shared_.constant[column], shared_.floor[column]);
  }

  const DeviceBatch& batch_;
  const NetworkOffsets& net_;
  const RowChunk chunk_;
  const TrajectoryData t_;
  const GraphData graph_;
  const float* vectors_;
  Shared& shared_;
};

template <bool First>
__global__ void __launch_bounds__(kThreads) edge_moments_kernel(const __grid_constant__ DeviceBatch batch,
                                                                const __grid_constant__ NetworkOffsets net, int block) {
  extern __shared__ __align__(16) unsigned char raw[];
  auto& shared = *reinterpret_cast<EdgeShared<First>*>(raw);
  const RowChunk chunk = batch.network.edge_chunks[blockIdx.x];
  if (!wait_for_previous(batch, chunk.trajectory)) {
    return;
  }
  ChunkEdges<First> edges(batch, net, chunk, shared);
  edges.begin(block);
  ColumnMoments<kRows> moments;
  moments.clear();
  for (int first = 0; first < edges.count(); first += kRows) {
    Product acc;
    edges.step(first, acc);
    acc.for_pairs([&](int row, int, int n, float a, float b) {
      if (first + row < edges.count()) {
        moments.add(n, a, b);
      }
    });
  }
  moments.finish(reinterpret_cast<float*>(shared.scratch),
                 batch.network.partials + static_cast<long long>(blockIdx.x) * 2 * kHidden);
  const TrajectoryData& t = edges.trajectory();
  if (last_to_arrive(batch.search.arrivals + chunk.trajectory * kArrivals + kArriveEdge, t.edge_chunks.count)) {
    set_normalisation(batch.network.partials, t.edge_chunks, static_cast<double>(t.variables),
                      edges.vectors() + net.block[block].edge_scale, edges.vectors() + net.block[block].edge_shift,
                      shared.scratch, batch.network.edge_norm + static_cast<long long>(chunk.trajectory) * 2 * kHidden);
  }
}

/// θ̃ of the edges in `result`, a warp for two of them.
template <bool First>
__device__ void decode(const DeviceBatch& batch, const NetworkOffsets& net, const ChunkEdges<First>& edges, int first,
                       int trajectory, const EdgeShared<First>& shared) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for (int row = static_cast<int>(threadIdx.x) / 32; row < kRows; row += kThreads / 32) {
    float sum = 0.0f;
    for (int c = lane; c < kHidden; c += 32) {
      sum = fmaf(shared.result[row * kPitch<float> + c], edges.vectors()[net.decoder + c], sum);
    }
#pragma unroll
    for (int offset = 16; offset > 0; offset >>= 1) {
      sum += __shfl_xor_sync(kFullWarp, sum, offset);
    }
    if (lane == 0 && first + row < edges.count()) {
      store_decoded(batch, net, edges.variable(first + row), edges.vectors()[net.decoder_bias] + sum,
                    batch.network.pools_known ? batch.network.theta_divisor + trajectory : nullptr);
    }
  }
}

template <bool First>
__global__ void __launch_bounds__(kThreads) edge_advance_kernel(const __grid_constant__ DeviceBatch batch,
                                                                const __grid_constant__ NetworkOffsets net, int block) {
  extern __shared__ __align__(16) unsigned char raw[];
  auto& shared = *reinterpret_cast<EdgeShared<First>*>(raw);
  const RowChunk chunk = batch.network.edge_chunks[blockIdx.x];
  if (!wait_for_previous(batch, chunk.trajectory)) {
    return;
  }
  ChunkEdges<First> edges(batch, net, chunk, shared);
  edges.begin(block);
  const float* factor = batch.network.edge_norm + static_cast<long long>(chunk.trajectory) * 2 * kHidden;
  const float* shift = factor + kHidden;
  const bool last = block + 1 == net.blocks;
  for (int first = 0; first < edges.count(); first += kRows) {
    Product u;
    Product h;
    edges.step(first, u);
    edges.before(first, h);
    int pair = 0;
    h.for_pairs([&](int row, int column, int n, float a, float b) {
      const float* own = u.value[0][n] + (pair++ < Product::kColumnTiles ? 0 : 2);
      store2(shared.result + row * kPitch<float> + column, a + fmaf(own[0], factor[column], shift[column]),
             b + fmaf(own[1], factor[column + 1], shift[column + 1]));
    });
    __syncthreads();
    if (!last || needs_last_nodes(batch, net)) {
      for (int i = static_cast<int>(threadIdx.x); i < min(kRows, edges.count() - first) * kHidden; i += kThreads) {
        edges.h_e(first + i / kHidden, i % kHidden) = shared.result[i / kHidden * kPitch<float> + i % kHidden];
      }
    }
    if (last) {
      decode(batch, net, edges, first, chunk.trajectory, shared);
    }
  }
  if (!last || needs_last_nodes(batch, net)) {
    __syncthreads();
    float* out = batch.network.sum_out + (edges.trajectory().node_offset + chunk.first) * kHidden;
    for (int i = static_cast<int>(threadIdx.x); i < chunk.rows * kHidden; i += kThreads) {
      float sum = 0.0f;
      for (int e = 0; e < edges.degree(); ++e) {
        sum += edges.h_e(i / kHidden * edges.degree() + e, i % kHidden);
      }
      out[i] = sum;
    }
  }
}

}  // namespace

void edge_moments(const DeviceBatch& batch, const NetworkOffsets& net, const PassShape& shape, int block,
                  cudaStream_t stream) {
  if (shape.bf16) {
    tile_moments(batch, net, shape.edge_chunks, block, stream);
  } else if (block == 0) {
    launch(edge_moments_kernel<true>, shape.edge_chunks, kThreads, static_cast<int>(sizeof(EdgeShared<true>)), stream,
           batch, net, block);
  } else {
    launch(edge_moments_kernel<false>, shape.edge_chunks, kThreads, static_cast<int>(sizeof(EdgeShared<false>)), stream,
           batch, net, block);
  }
}

void edge_advance(const DeviceBatch& batch, const NetworkOffsets& net, const PassShape& shape, int block,
                  cudaStream_t stream) {
  if (shape.bf16) {
    tile_advance(batch, net, shape.edge_chunks, block, stream);
  } else if (block == 0) {
    launch(edge_advance_kernel<true>, shape.edge_chunks, kThreads, static_cast<int>(sizeof(EdgeShared<true>)), stream,
           batch, net, block);
  } else {
    launch(edge_advance_kernel<false>, shape.edge_chunks, kThreads, static_cast<int>(sizeof(EdgeShared<false>)), stream,
           batch, net, block);
  }
}

}  // namespace moco::cuda
