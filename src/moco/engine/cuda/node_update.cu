// First pass over the nodes of a block: u = ReLU(h_v·W_0 + Σ_out·W_1 + Σ_in·W_2 + constant) and its moments per column.
//
// h_v, Σ_out, u [n × 128] float; Σ_in is gathered here from h_e over the incoming edges. One thread block per tile of M
// nodes; the three weight matrices arrive while the sums are gathered. The last block of a trajectory sets the
// normalisation of node_normalise.
#include "moco/engine/cuda/launch.cuh"
#include "moco/engine/cuda/tile.cuh"

namespace moco::cuda {

namespace {

template <typename T, int M>
struct NodeShared {
  /// All three matrices for small batches, where their arrival is what a block waits for; one at a time for large ones,
  /// where more blocks on a multiprocessor are worth more.
  static constexpr bool kAtOnce = M == 16;
  T weight[kAtOnce ? 3 : 1][kHidden * kPitch<T>];
  T tile[M * kPitch<T>];
  float constant[kHidden];  ///< min(c, 0) of the constant c
  float floor[kHidden];     ///< −max(c, 0)
  double scratch[2 * kHidden];
};

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

/// Σ_in for the tile's nodes: a warp per node, two edges at a time.
template <typename T>
__device__ void gather_incoming(const GraphData& graph, const T* h_e, int first, int rows, T* tile) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int half = lane / 16;
  const int column = lane % 16 * 8;
  for (int row = static_cast<int>(threadIdx.x) / 32; row < rows; row += kThreads / 32) {
    const int end = graph.in_offsets[first + row + 1];
    float sum[8] = {};
#pragma unroll 4
    for (int p = graph.in_offsets[first + row] + half; p < end; p += 2) {
      float h[8];
      load8(h_e + static_cast<long long>(graph.in_edges[p]) * kHidden + column, h);
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        sum[i] += h[i];
      }
    }
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      sum[i] += __shfl_xor_sync(kFullWarp, sum[i], 16);
    }
    if (half == 0) {
      store8(tile + row * kPitch<T> + column, sum);
    }
  }
}

template <typename T, int M, bool First>
__global__ void __launch_bounds__(kThreads) node_update_kernel(const __grid_constant__ DeviceBatch batch,
                                                               const __grid_constant__ NetworkOffsets net, int block) {
  extern __shared__ __align__(16) unsigned char raw[];
  auto& shared = *reinterpret_cast<NodeShared<T, M>*>(raw);
  const Item item = batch.node_items[blockIdx.x];
  if (batch.state[item.trajectory].active == 0) {
    return;
  }
  const TrajectoryData t = batch.trajectory[item.trajectory];
  const GraphData graph = batch.graphs[t.graph];
  const BlockOffsets& offsets = net.block[block];
  const T* matrices = matrices_of<T>(batch, t.weights);
  const float* vectors = vectors_of(batch, t.weights);
  const int c = static_cast<int>(threadIdx.x);
  constexpr bool kAtOnce = NodeShared<T, M>::kAtOnce;
  const auto fetch = [&](int part) {
    fetch_matrix(shared.weight[kAtOnce ? part : 0], matrices + offsets.node + part * kHidden * kHidden, kHidden);
  };
  const auto weight = [&](int part) { return shared.weight[kAtOnce ? part : 0]; };
  fetch(2);
  if constexpr (kAtOnce) {
    fetch(1);
    fetch(0);
  }
  if (c < kHidden) {
    const float constant = net.has_global ? batch.node_constant[static_cast<long long>(item.trajectory) * kHidden + c]
                                          : vectors[offsets.node_bias + c];
    shared.constant[c] = fminf(constant, 0.0f);
    shared.floor[c] = -fmaxf(constant, 0.0f);
  }
  const T* h_e = static_cast<const T*>(batch.h_e) + t.variable_offset * kHidden;
  const long long row_offset = (t.node_offset + item.first) * kHidden;

  Accumulators<M> acc;
  acc.clear();
  gather_incoming(graph, h_e, item.first, item.rows, shared.tile);
  wait_async();
  __syncthreads();
  acc.add_product(shared.tile, kPitch<T>, weight(2), kHidden / 16);
  __syncthreads();
  if constexpr (!kAtOnce) {
    fetch(1);
  }
  fill_tile(batch.sum_out + row_offset, item.rows, shared.tile);
  wait_async();
  __syncthreads();
  acc.add_product(shared.tile, kPitch<T>, weight(1), kHidden / 16);
  __syncthreads();
  if constexpr (!kAtOnce) {
    fetch(0);
  }
  if constexpr (First) {  // the embedding: one row for all nodes, another for the start
    for (int i = c; i < item.rows * kHidden; i += kThreads) {
      const int row = i / kHidden;
      const int column = i % kHidden;
      const float h =
          vectors[net.node_bias + column] + (item.first + row == t.start ? vectors[net.node_embedding + column] : 0.0f);
      batch.h_v[row_offset + i] = h;
      shared.tile[row * kPitch<T> + column] = from_float<T>(h);
    }
  } else {
    fill_tile(batch.h_v + row_offset, item.rows, shared.tile);
  }
  wait_async();
  __syncthreads();
  acc.add_product(shared.tile, kPitch<T>, weight(0), kHidden / 16);

  ColumnMoments<M> moments;
  moments.clear();
  acc.for_pairs([&](int row, int column, int n, float& a, float& b) {
    if (row < item.rows) {
      a = fmaxf(a + shared.constant[column], shared.floor[column]);
      b = fmaxf(b + shared.constant[column + 1], shared.floor[column + 1]);
      moments.add(n, a, b);
      store2(batch.u_v + row_offset + row * kHidden + column, a, b);
    }
  });
  moments.finish(reinterpret_cast<float*>(shared.scratch),
                 batch.partials + static_cast<long long>(blockIdx.x) * 2 * kHidden);
  if (last_to_arrive(batch.arrivals + item.trajectory * kArrivals + kArriveNode, t.node_items.count)) {
    set_normalisation(batch.partials, t.node_items, static_cast<double>(t.nodes), vectors + offsets.node_scale,
                      vectors + offsets.node_shift, shared.scratch,
                      batch.node_norm + static_cast<long long>(item.trajectory) * 2 * kHidden);
  }
}

}  // namespace

void node_update(const DeviceBatch& batch, const NetworkOffsets& net, const NetworkShape& shape, int block,
                 cudaStream_t stream) {
  with_node_tile(shape, [&]<typename T, int M>() {
    constexpr int kBytes = static_cast<int>(sizeof(NodeShared<T, M>));
    const auto kernel = block == 0 ? node_update_kernel<T, M, true> : node_update_kernel<T, M, false>;
    launch(kernel, shape.node_items, kBytes, stream, batch, net, block);
  });
}

}  // namespace moco::cuda
