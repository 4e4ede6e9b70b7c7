// Both passes over the nodes of a block in one kernel, in bf16: a cluster of thread blocks per trajectory, each with up
// to 64 of its nodes, and one for the global state. u = ReLU(h_v·W_0 + Σ_out·W_1 + Σ_in·W_2 + constant) stays in
// registers until the moments of all of them are known; then h_v ← h_v + u·factor + shift, and the sender and receiver
// parts of the next block's W_e for these nodes. Σ_in is added up here from h_e, and with it the pool over all edges
// where it is not known. (Trajectories too large for a cluster: node_update.cu, node_normalise.cu.)
//
// Of the five weight matrices two lie in shared memory at a time; the next one is under way during a product.
#include "moco/engine/cuda/batch/launch.cuh"
#include "moco/engine/cuda/graph_network/passes/node_rows.cuh"
#include "moco/engine/cuda/graph_network/passes/pass_kernels.h"
#include "moco/engine/cuda/graph_network/passes/prefetch.cuh"
#include "moco/engine/cuda/kit/cluster.cuh"
#include "moco/engine/cuda/step/global.cuh"
#include "moco/engine/cuda/step/normalisation.cuh"

namespace moco::cuda {

namespace {

using Product = Accumulators<kClusterNodes>;

struct WorkShared {
  bf16 weight[2][kHidden * kPitch<bf16>];
  bf16 incoming[kClusterNodes * kPitch<bf16>];  ///< Σ_in, then h_v before the block
  bf16 tile[kClusterNodes * kPitch<bf16>];      ///< Σ_out, then h_v after the block
  float pools[kThreads / 32][kHidden];
  float constant[kHidden];  ///< min(c, 0) of the constant c
  float floor[kHidden];     ///< −max(c, 0)
  float norm[2 * kHidden];
  double scratch[2 * kHidden];
};

union ClusterShared {
  WorkShared work;
  GlobalScratch global;
};

/// A thread block's part of a trajectory.
struct NodeWork {
  const DeviceBatch& batch;
  const NetworkOffsets& net;
  const TrajectoryData& t;
  int block;
  int number;  ///< of the chunk
  RowChunk chunk;

  __device__ long long row_offset() const { return (t.node_offset + chunk.first) * kHidden; }
  __device__ bool has_next() const { return block + 1 < net.blocks; }
  /// Whether the pools of this block's edges and nodes have to be added up.
  __device__ bool pools_edges() const { return net.has_global && (block == 0 || !batch.network.pools_known); }
  __device__ bool pools_nodes() const { return net.has_global && !batch.network.pools_known; }
};

/// h_v before the first block: one row for all nodes, another for the start.
__device__ inline float first_h_v(const NodeWork& at, const float* vectors, int row, int column) {
  return vectors[at.net.node_bias + column] +
         (at.chunk.first + row == at.t.start ? vectors[at.net.node_embedding + column] : 0.0f);
}

/// u of the chunk's nodes in `acc`, and their moments; the matrix for sent is under way then. Arrives at the cluster's
/// barrier, without waiting, when the global state may be updated.
template <bool First>
__device__ void update_nodes(const NodeWork& at, const GraphData& graph, const EnteringEdges& entering,
                             WorkShared& shared, Product& acc) {
  const DeviceBatch& batch = at.batch;
  const BlockOffsets& offsets = at.net.block[at.block];
  const bf16* matrices = matrices_of<bf16>(batch, at.t.weights);
  const float* vectors = vectors_of(batch, at.t.weights);
  const int rows = at.chunk.rows;
  const int c = static_cast<int>(threadIdx.x);
  if (c < kHidden) {
    const float constant = at.net.has_global
                               ? batch.network.node_constant[static_cast<long long>(at.chunk.trajectory) * kHidden + c]
                               : vectors[offsets.node_bias + c];
    shared.constant[c] = fminf(constant, 0.0f);
    shared.floor[c] = -fmaxf(constant, 0.0f);
  }
  if (!at.pools_edges()) {
    cluster_arrive();
  }
  const bool maximum = batch.network.pooling == static_cast<int>(GlobalPooling::max);
  fill_tile(batch.network.sum_out + at.row_offset(), rows, shared.tile);
  gather_incoming(graph, static_cast<const bf16*>(batch.network.h_e) + at.t.variable_offset * kHidden, at.chunk,
                  entering, maximum, shared.incoming, shared.pools);
  wait_async();
  __syncthreads();
  acc.clear();
  acc.add_product(shared.incoming, kPitch<bf16>, shared.weight[0], kHidden / 16);
  if (at.pools_edges() && c < kHidden) {
    float pool = shared.pools[0][c];
    for (int w = 1; w < kThreads / 32; ++w) {
      pool = maximum ? fmaxf(pool, shared.pools[w][c]) : pool + shared.pools[w][c];
    }
    batch.network.edge_pools[static_cast<long long>(at.number) * kHidden + c] = pool;
  }
  if (at.pools_edges()) {
    cluster_arrive();
  }
  __syncthreads();
  fetch_matrix(shared.weight[0], matrices + offsets.node, kHidden);
  commit_async();
  if constexpr (First) {
    for (int i = c; i < rows * kHidden; i += kThreads) {
      const int row = i / kHidden;
      const int column = i % kHidden;
      shared.incoming[row * kPitch<bf16> + column] = from_float<bf16>(first_h_v(at, vectors, row, column));
    }
  } else {
    fill_tile(batch.network.h_v + at.row_offset(), rows, shared.incoming);
  }
  acc.add_product(shared.tile, kPitch<bf16>, shared.weight[1], kHidden / 16);
  __syncthreads();
  if (at.has_next()) {
    fetch_matrix(shared.weight[1], matrices + at.net.block[at.block + 1].edge + kHidden * kHidden, kHidden);
  }
  commit_async();
  wait_async_but<1>();
  __syncthreads();
  acc.add_product(shared.incoming, kPitch<bf16>, shared.weight[0], kHidden / 16);

  ColumnMoments<kClusterNodes> moments;
  moments.clear();
  acc.for_pairs([&](int row, int column, int n, float& a, float& b) {
    if (row < rows) {
      a = fmaxf(a + shared.constant[column], shared.floor[column]);
      b = fmaxf(b + shared.constant[column + 1], shared.floor[column + 1]);
      moments.add(n, a, b);
    }
  });
  moments.finish(reinterpret_cast<float*>(shared.scratch),
                 batch.network.partials + static_cast<long long>(at.number) * 2 * kHidden);
}

/// The chunk's pool of h_v (in `acc`), to its place in `out`; `scratch` holds kRowWarps × 128 floats.
__device__ void pool_nodes(const NodeWork& at, Product& acc, float* scratch, float* out) {
  const Pooling pooling(at.batch);
  float pool[Product::kColumnTiles][2];
#pragma unroll
  for (auto& pair : pool) {
    pair[0] = pair[1] = pooling.none();
  }
  acc.for_pairs([&](int row, int, int n, float a, float b) {
    if (row < at.chunk.rows) {
      pool[n][0] = pooling.join(pool[n][0], a);
      pool[n][1] = pooling.join(pool[n][1], b);
    }
  });
#pragma unroll
  for (int n = 0; n < Product::kColumnTiles; ++n) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
#pragma unroll
      for (int offset = 4; offset < 32; offset <<= 1) {
        pool[n][i] = pooling.join(pool[n][i], __shfl_xor_sync(kFullWarp, pool[n][i], offset));
      }
      if (Product::lane() < 4) {
        scratch[Product::row_warp() * kHidden + Product::column(n) + i] = pool[n][i];
      }
    }
  }
  __syncthreads();
  if (const int c = static_cast<int>(threadIdx.x); c < kHidden) {
    float total = scratch[c];
#pragma unroll
    for (int w = 1; w < Product::kRowWarps; ++w) {
      total = pooling.join(total, scratch[w * kHidden + c]);
    }
    out[static_cast<long long>(at.number) * kHidden + c] = total;
  }
}

/// The product of the new h_v with a matrix, as rows in the order of row_place.
__device__ void store_message(const NodeWork& at, const WorkShared& shared, const bf16* weight, void* message) {
  static_assert(Product::kColumnTiles == 4);  // a thread's pairs of a row lie in one piece (row_place)
  Product acc;
  acc.clear();
  acc.add_product(shared.tile, kPitch<bf16>, weight, kHidden / 16);
  bf16* out = static_cast<bf16*>(message) + at.row_offset() + row_place(Product::column(0));
#pragma unroll
  for (int m = 0; m < Product::kRowTiles; ++m) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      std::uint32_t pairs[4];
#pragma unroll
      for (int n = 0; n < 4; ++n) {
        pairs[n] = pack2(acc.value[m][n][2 * half], acc.value[m][n][2 * half + 1]);
      }
      if (const int row = Product::row(m) + 8 * half; row < at.chunk.rows) {
        store_four(out + row * kHidden, pairs);
      }
    }
  }
}

/// h_v of the trajectory's nodes from u, and what their edges of the next block will see of it.
__device__ void normalise_nodes(const NodeWork& at, const float2 (&before)[4 * Product::kColumnTiles],
                                WorkShared& shared, Product& acc) {
  const DeviceBatch& batch = at.batch;
  const BlockOffsets& offsets = at.net.block[at.block];
  const float* vectors = vectors_of(batch, at.t.weights);
  if (at.has_next()) {
    fetch_matrix(shared.weight[0],
                 matrices_of<bf16>(batch, at.t.weights) + at.net.block[at.block + 1].edge + 2 * kHidden * kHidden,
                 kHidden);
  }
  commit_async();
  set_normalisation(batch.network.partials, at.t.node_chunks, static_cast<double>(at.t.nodes),
                    vectors + offsets.node_scale, vectors + offsets.node_shift, shared.scratch, shared.norm);
  __syncthreads();
  float* h_v = batch.network.h_v + at.row_offset();
  int pair = 0;
  acc.for_pairs([&](int row, int column, int, float& a, float& b) {
    a = before[pair].x + fmaf(a, shared.norm[column], shared.norm[kHidden + column]);
    b = before[pair].y + fmaf(b, shared.norm[column + 1], shared.norm[kHidden + column + 1]);
    ++pair;
    store2(shared.tile + row * kPitch<bf16> + column, a, b);
    if (row < at.chunk.rows) {
      store2(h_v + row * kHidden + column, a, b);
    }
  });
  wait_async_but<1>();
  __syncthreads();
  if (at.has_next()) {
    store_message(at, shared, shared.weight[1], batch.network.sent);
    wait_async();
    __syncthreads();
    store_message(at, shared, shared.weight[0], batch.network.received);
  }
}

/// Of the pools, by the block for the global state.
__device__ inline float pooled(const DeviceBatch& batch, const float* parts, const TrajectoryData& t, int rows) {
  return pool_partials(parts, t.node_chunks, kHidden, static_cast<double>(rows), batch.network.pooling);
}

template <bool First>
__global__ void __launch_bounds__(kThreads, 2)
    node_cluster_kernel(const __grid_constant__ DeviceBatch batch, const __grid_constant__ NetworkOffsets net,
                        int block) {
  extern __shared__ __align__(16) unsigned char raw[];
  auto& shared = *reinterpret_cast<ClusterShared*>(raw);
  const int size = cluster_size();
  const int trajectory = static_cast<int>(blockIdx.x) / size;
  const int rank = static_cast<int>(blockIdx.x) % size;
  const TrajectoryData t = batch.trajectory[trajectory];
  const GraphData graph = batch.graphs[t.graph];
  const bool works = rank < t.node_chunks.count;
  const bool global = net.has_global && rank == size - 1;
  const int number = t.node_chunks.first + rank;
  const NodeWork at{batch, net,    t,
                    block, number, works ? batch.network.node_chunks[number] : RowChunk{trajectory, 0, 0}};
  EnteringEdges entering;
  const bf16* matrices = matrices_of<bf16>(batch, t.weights);
  const BlockOffsets& offsets = net.block[block];
  const BlockOffsets& next = net.block[min(block + 1, net.blocks - 1)];
  if (global) {  // what will be wanted later
    prefetch_matrices(matrices + offsets.global, 3);
    prefetch_matrices(matrices + next.global, 3);
    prefetch_matrices(matrices + next.edge + 3 * kHidden * kHidden, 1);
    prefetch_matrices(matrices + next.node + 3 * kHidden * kHidden, 1);
  }
  if (works) {
    const bf16* node = matrices + offsets.node;
    fetch_matrix(shared.work.weight[0], node + 2 * kHidden * kHidden, kHidden);
    fetch_matrix(shared.work.weight[1], node + kHidden * kHidden, kHidden);
    if (const int warp = static_cast<int>(threadIdx.x) / 32; warp < at.chunk.rows) {
      entering.look_up(graph, at.chunk.first + warp);
    }
    prefetch_matrices(node, 1);
    prefetch_matrices(matrices + next.edge, 3);
  }
  if (!wait_for_previous(batch, trajectory)) {
    wait_async();
    return;
  }
  Product acc;
  float2 before[4 * Product::kColumnTiles] = {};  // h_v, on its way
  if (works) {
    update_nodes<First>(at, graph, entering, shared.work, acc);
    int pair = 0;
    acc.for_pairs([&](int row, int column, int, float, float) {
      if (row < at.chunk.rows) {
        if constexpr (First) {
          const float* vectors = vectors_of(batch, t.weights);
          before[pair] = make_float2(first_h_v(at, vectors, row, column), first_h_v(at, vectors, row, column + 1));
        } else {
          before[pair] = load2(batch.network.h_v + at.row_offset() + row * kHidden + column);
        }
      }
      ++pair;
    });
  } else {
    cluster_arrive();
  }
  cluster_wait();
  cluster_arrive();  // with the moments
  const int c = static_cast<int>(threadIdx.x) % kHidden;
  if (global && at.pools_edges()) {
    const float edges = pooled(batch, batch.network.edge_pools, t, t.variables);
    if (threadIdx.x < kHidden) {
      batch.network.pooled_edges[static_cast<long long>(trajectory) * kHidden + c] = edges;
    }
  }
  if (global && !at.pools_nodes()) {
    update_known_global<bf16>(batch, net, trajectory, block, shared.global);
  }
  cluster_wait();
  if (works) {
    normalise_nodes(at, before, shared.work, acc);
  }
  if (!at.pools_nodes()) {
    return;
  }
  cluster_sync();  // everybody has read the moments, whose place the pools take
  if (works) {
    pool_nodes(at, acc, reinterpret_cast<float*>(shared.work.scratch), batch.network.partials);
  }
  cluster_sync();
  if (!global) {
    return;
  }
  const float nodes = pooled(batch, batch.network.partials, t, t.nodes);
  if (threadIdx.x < kHidden) {
    shared.global.x[c] = nodes;
    shared.global.x[kHidden + c] = batch.network.pooled_edges[static_cast<long long>(trajectory) * kHidden + c];
  }
  if (at.has_next()) {
    update_global<bf16>(batch, net, trajectory, t, block, shared.global);
  } else {
    finish_global<bf16>(batch, net, trajectory, t, shared.global);
  }
}

}  // namespace

void node_cluster(const DeviceBatch& batch, const NetworkOffsets& net, const PassShape& shape, int block,
                  cudaStream_t stream) {
  const int size = shape.node_cluster + (net.has_global ? 1 : 0);
  const auto kernel = block == 0 ? node_cluster_kernel<true> : node_cluster_kernel<false>;
  launch_clusters(kernel, batch.trajectories, size, kThreads, static_cast<int>(sizeof(ClusterShared)), stream, batch,
                  net, block);
}

}  // namespace moco::cuda
