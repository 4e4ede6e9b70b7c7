// First pass over the nodes of a block: u = ReLU(h_v·W_0 + Σ_out·W_1 + Σ_in·W_2 + constant) and its moments per column.
//
// h_v, Σ_out, u [n × 128] float; Σ_in is added up here from h_e over the edges that enter, and with it the pool over
// all edges where it is not known. One thread block per tile of M nodes; the three weight matrices arrive meanwhile.
// The last block of a trajectory combines the pools and sets the normalisation of node_normalise.
#include "moco/engine/cuda/batch/launch.cuh"
#include "moco/engine/cuda/graph_network/passes/node_rows.cuh"
#include "moco/engine/cuda/graph_network/passes/pass_kernels.h"
#include "moco/engine/cuda/step/global.cuh"
#include "moco/engine/cuda/step/normalisation.cuh"

namespace moco::cuda {

namespace {

template <typename T, int M>
struct NodeShared {
  /// Matrices at a time: all for small batches, where their arrival is what a block waits for; two for large ones,
  /// where more blocks on a multiprocessor are worth more.
  static constexpr int kSlots = M == 16 ? 3 : 2;
  T weight[kSlots][kHidden * kPitch<T>];
  T incoming[M * kPitch<T>];  ///< Σ_in
  T tile[M * kPitch<T>];      ///< Σ_out, then h_v
  float pools[kThreads / 32][kHidden];
  float constant[kHidden];  ///< min(c, 0) of the constant c
  float floor[kHidden];     ///< −max(c, 0)
  double scratch[2 * kHidden];
};

template <typename T, int M, bool First>
__global__ void __launch_bounds__(kThreads, sizeof(T) == 4 ? 1 : 2)
    node_update_kernel(const __grid_constant__ DeviceBatch batch, const __grid_constant__ NetworkOffsets net,
                       int block) {
  extern __shared__ __align__(16) unsigned char raw[];
  auto& shared = *reinterpret_cast<NodeShared<T, M>*>(raw);
  const RowChunk chunk = batch.network.node_chunks[blockIdx.x];
  const TrajectoryData t = batch.trajectory[chunk.trajectory];
  const GraphData graph = batch.graphs[t.graph];
  const BlockOffsets& offsets = net.block[block];
  const T* matrices = matrices_of<T>(batch, t.weights);
  const float* vectors = vectors_of(batch, t.weights);
  const int c = static_cast<int>(threadIdx.x);
  constexpr int kSlots = NodeShared<T, M>::kSlots;
  const auto weight = [&](int part) { return shared.weight[(2 - part) % kSlots]; };
  const auto fetch = [&](int part) {
    fetch_matrix(weight(part), matrices + offsets.node + part * kHidden * kHidden, kHidden);
  };
  fetch(2);
  fetch(1);
  if constexpr (kSlots == 3) {
    fetch(0);
  }
  EnteringEdges entering;
  if (const int warp = c / 32; warp < chunk.rows) {
    entering.look_up(graph, chunk.first + warp);
  }
  if (!wait_for_previous(batch, chunk.trajectory)) {
    wait_async();
    return;
  }
  if (c < kHidden) {
    const float constant = net.has_global
                               ? batch.network.node_constant[static_cast<long long>(chunk.trajectory) * kHidden + c]
                               : vectors[offsets.node_bias + c];
    shared.constant[c] = fminf(constant, 0.0f);
    shared.floor[c] = -fmaxf(constant, 0.0f);
  }
  const T* h_e = static_cast<const T*>(batch.network.h_e) + t.variable_offset * kHidden;
  const long long row_offset = (t.node_offset + chunk.first) * kHidden;

  const bool maximum = batch.network.pooling == static_cast<int>(GlobalPooling::max);
  fill_tile(batch.network.sum_out + row_offset, chunk.rows, shared.tile);
  gather_incoming(graph, h_e, chunk, entering, maximum, shared.incoming, shared.pools);
  wait_async();
  __syncthreads();
  Accumulators<M> acc;
  acc.clear();
  acc.add_product(shared.incoming, kPitch<T>, weight(2), kHidden / 16);
  const bool pools = net.has_global && (block == 0 || !batch.network.pools_known);
  if (pools && c < kHidden) {
    float pool = shared.pools[0][c];
    for (int w = 1; w < kThreads / 32; ++w) {
      pool = maximum ? fmaxf(pool, shared.pools[w][c]) : pool + shared.pools[w][c];
    }
    batch.network.edge_pools[static_cast<long long>(blockIdx.x) * kHidden + c] = pool;
  }
  if constexpr (kSlots == 2) {
    __syncthreads();
    fetch(0);
  }
  acc.add_product(shared.tile, kPitch<T>, weight(1), kHidden / 16);
  __syncthreads();
  if constexpr (First) {  // the embedding: one row for all nodes, another for the start
    for (int i = c; i < chunk.rows * kHidden; i += kThreads) {
      const int row = i / kHidden;
      const int column = i % kHidden;
      const float h = vectors[net.node_bias + column] +
                      (chunk.first + row == t.start ? vectors[net.node_embedding + column] : 0.0f);
      batch.network.h_v[row_offset + i] = h;
      shared.tile[row * kPitch<T> + column] = from_float<T>(h);
    }
  } else {
    fill_tile(batch.network.h_v + row_offset, chunk.rows, shared.tile);
  }
  wait_async();
  __syncthreads();
  acc.add_product(shared.tile, kPitch<T>, weight(0), kHidden / 16);

  ColumnMoments<M> moments;
  moments.clear();
  acc.for_pairs([&](int row, int column, int n, float& a, float& b) {
    if (row < chunk.rows) {
      a = fmaxf(a + shared.constant[column], shared.floor[column]);
      b = fmaxf(b + shared.constant[column + 1], shared.floor[column + 1]);
      moments.add(n, a, b);
      store2(batch.network.u_v + row_offset + row * kHidden + column, a, b);
    }
  });
  moments.finish(reinterpret_cast<float*>(shared.scratch),
                 batch.network.partials + static_cast<long long>(blockIdx.x) * 2 * kHidden);
  if (last_to_arrive(batch.search.arrivals + chunk.trajectory * kArrivals + kArriveNode, t.node_chunks.count)) {
    set_normalisation(batch.network.partials, t.node_chunks, static_cast<double>(t.nodes), vectors + offsets.node_scale,
                      vectors + offsets.node_shift, shared.scratch,
                      batch.network.node_norm + static_cast<long long>(chunk.trajectory) * 2 * kHidden);
    if (pools && c < kHidden) {
      batch.network.pooled_edges[static_cast<long long>(chunk.trajectory) * kHidden + c] = pool_partials(
          batch.network.edge_pools, t.node_chunks, kHidden, static_cast<double>(t.variables), batch.network.pooling);
    }
  }
}

}  // namespace

void node_update(const DeviceBatch& batch, const NetworkOffsets& net, const PassShape& shape, int block,
                 cudaStream_t stream) {
  with_node_tile(shape, [&]<typename T, int M>() {
    constexpr int kBytes = static_cast<int>(sizeof(NodeShared<T, M>));
    const auto kernel = block == 0 ? node_update_kernel<T, M, true> : node_update_kernel<T, M, false>;
    launch(kernel, shape.node_chunks, kThreads, kBytes, stream, batch, net, block);
  });
}

}  // namespace moco::cuda
