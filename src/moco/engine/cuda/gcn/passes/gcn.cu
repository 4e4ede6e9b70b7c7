// The GCN of the MIS. Per block, for a tile of M nodes of one trajectory (h [n × 128] float, messages [n × 128] in T):
//   paper:    h ← h + ReLU(W1 h + b1 + max_j message_j);  with a global: h ← h + ReLU(W3'h + constant)
//   authors:  h ← h + ReLU(W1 h + b1 + s_i max_j message_j + constant), nothing for a node without neighbours
// then at once the next block's messages W2 h + b2 (authors: times s_i = 1/√degree), into the other of two buffers, so
// that one kernel per block is enough, and one before it on dense graphs (neighbour_max.cu). The constant is W3's
// global part and bias; one thread block of the trajectory embeds the global features beside the nodes, does the global
// update beside the search for the largest messages, and after the last block of the network, which decodes
// θ̃ = w·h + b, once more.
#include <cuda/atomic>

#include "moco/engine/cuda/batch/launch.cuh"
#include "moco/engine/cuda/gcn/neighbours.cuh"
#include "moco/engine/cuda/gcn/passes/gcn_kernels.h"
#include "moco/engine/cuda/kit/tile.cuh"
#include "moco/engine/cuda/step/feature_rows.cuh"
#include "moco/engine/cuda/step/global.cuh"

namespace moco::cuda {

namespace {

constexpr int kFloatPitch = kPitch<float>;

template <typename T, int M>
struct EmbedShared {
  T weight[kHidden * kPitch<T>];
  T embedding[kFeatureRows * kPitch<T>];
  T features[M * kFeaturePitch<T>];
  T tile[M * kPitch<T>];
  float embedding_bias[kHidden];
  float message_bias[kHidden];

  /// Instead of everything else.
  __device__ GlobalScratch& global() {
    static_assert(sizeof(weight) >= sizeof(GlobalScratch));
    return *reinterpret_cast<GlobalScratch*>(weight);
  }
};

template <typename T, int M>
struct BlockShared {
  static constexpr int kRoom = M == 16 ? 2048 : 0;  ///< for the neighbours of a tile's nodes: small batches only
  T weight[2][kHidden * kPitch<T>];                 ///< self, then the next block's neighbour; mix
  T tile[M * kPitch<T>];
  T top[M * kPitch<T>];
  float h[M * kFloatPitch];
  float scale[M];  ///< s_i, or 1
  int degree[M];
  float pools[2][kHidden];
  float self_bias[kHidden];
  float out_vector[kHidden];  ///< bias of the next block's messages; in the last block the decoder
  float constant[kHidden];
  int neighbours[kRoom > 0 ? kRoom : 1];

  /// After all products.
  __device__ GlobalScratch& global() {
    static_assert(sizeof(weight[1]) >= sizeof(GlobalScratch));
    return *reinterpret_cast<GlobalScratch*>(weight[1]);
  }
};

/// Eight columns of the largest message over neighbours begin, begin + 2, … of a list; −∞ for none.
__device__ inline void gather_max(const bf16* messages, const int* targets, int begin, int end, float (&out)[8]) {
  uint4 top = lowest<bf16>();
  in_order<8>(
      (end - begin + 1) / 2,
      [&](int i) {
        return *reinterpret_cast<const uint4*>(messages + static_cast<long long>(targets[begin + 2 * i]) * kHidden);
      },
      [&](int, const uint4& row) { maximum_of<bf16>(top, row); });
  load8(reinterpret_cast<const bf16*>(&top), out);
}
__device__ inline void gather_max(const float* messages, const int* targets, int begin, int end, float (&out)[8]) {
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    out[i] = -INFINITY;
  }
#pragma unroll 4
  for (int e = begin; e < end; e += 2) {
    float row[8];
    load8(messages + static_cast<long long>(targets[e]) * kHidden, row);
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      out[i] = fmaxf(out[i], row[i]);
    }
  }
}

/// The largest neighbour message of the tile's nodes: a warp per node, two neighbours at a time.
template <typename T>
__device__ void gather_tops(const Neighbours<kThreads>& neighbours, const T* messages, int first, int rows, T* top) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int half = lane / 16;
  const int column = lane % 16 * 8;
  for (int row = static_cast<int>(threadIdx.x) / 32; row < rows; row += kThreads / 32) {
    int degree = 0;
    const int* targets = neighbours.of(first + row, degree);
    float best[8];
    gather_max(messages + column, targets, half, degree, best);
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      best[i] = fmaxf(best[i], __shfl_xor_sync(kFullWarp, best[i], 16));
      best[i] = degree > 0 ? best[i] : 0.0f;
    }
    if (half == 0) {
      store8(top + row * kPitch<T> + column, best);
    }
  }
}

/// Thread blocks that embed the global features, before those of the nodes.
__host__ __device__ inline int global_blocks(const DeviceBatch& batch, const NetworkOffsets& net) {
  return net.has_global ? batch.trajectories : 0;
}

template <typename T, int M>
__global__ void __launch_bounds__(kThreads)
    gcn_embed_kernel(const __grid_constant__ DeviceBatch batch, const __grid_constant__ NetworkOffsets net) {
  extern __shared__ __align__(16) unsigned char raw[];
  auto& shared = *reinterpret_cast<EmbedShared<T, M>*>(raw);
  const int number = static_cast<int>(blockIdx.x) - global_blocks(batch, net);
  if (number < 0) {
    const int trajectory = static_cast<int>(blockIdx.x);
    if (wait_for_previous(batch, trajectory)) {
      embed_global<T>(batch, net, trajectory, batch.trajectory[trajectory].weights,
                      batch.search.state[trajectory].step - 1, shared.global());
    }
    return;
  }
  const RowChunk chunk = batch.network.node_chunks[number];
  const TrajectoryData t = batch.trajectory[chunk.trajectory];
  const GraphData graph = batch.graphs[t.graph];
  const T* matrices = matrices_of<T>(batch, t.weights);
  const float* vectors = vectors_of(batch, t.weights);
  fetch_matrix(shared.embedding, matrices + net.embedding, kFeatureRows);
  fetch_matrix(shared.weight, matrices + net.block[0].node, kHidden);
  if (threadIdx.x < kHidden) {
    shared.embedding_bias[threadIdx.x] = vectors[net.embedding_bias + threadIdx.x];
    shared.message_bias[threadIdx.x] = vectors[net.block[0].node_bias + threadIdx.x];
  }
  if (!wait_for_previous(batch, chunk.trajectory)) {
    wait_async();
    return;
  }
  build_features<kThreads, true>(batch, graph, t.variable_offset, chunk.first, chunk.rows, M, !net.has_global,
                                 shared.features);
  wait_async();
  __syncthreads();
  const long long row_offset = (t.node_offset + chunk.first) * kHidden;
  Accumulators<M> acc;
  acc.clear();
  acc.add_product(shared.features, kFeaturePitch<T>, shared.embedding, kFeatureRows / 16);
  acc.for_pairs([&](int row, int column, int, float& a, float& b) {
    const float2 bias = load2(shared.embedding_bias + column);
    a += bias.x;
    b += bias.y;
    store2(shared.tile + row * kPitch<T> + column, a, b);
    if (row < chunk.rows) {
      store2(batch.network.h_v + row_offset + row * kHidden + column, a, b);
    }
  });
  __syncthreads();
  acc.clear();
  acc.add_product(shared.tile, kPitch<T>, shared.weight, kHidden / 16);
  T* messages = static_cast<T*>(batch.network.sent) + row_offset;
  acc.for_pairs([&](int row, int column, int, float& a, float& b) {
    if (row < chunk.rows) {
      const float scale = batch.network.authors ? degree_scale(degree_of(graph, chunk.first + row)) : 1.0f;
      const float2 bias = load2(shared.message_bias + column);
      store2(messages + row * kHidden + column, scale * (a + bias.x), scale * (b + bias.y));
    }
  });
}

/// The global update after the last block, and θ.
template <typename T>
__device__ inline void finish_network(const DeviceBatch& batch, const NetworkOffsets& net, int trajectory,
                                      GlobalScratch& scratch) {
  const TrajectoryData t = batch.trajectory[trajectory];
  pool_node_chunks(batch, t, scratch);
  finish_global<T>(batch, net, trajectory, t, scratch);
}

/// Number of the global update before a block of the network, different from those of all others since begin().
__device__ unsigned update_number(const DeviceBatch& batch, const NetworkOffsets& net, int trajectory, int block) {
  return static_cast<unsigned>(batch.search.state[trajectory].step * net.blocks + block);
}

using Updated = ::cuda::atomic_ref<unsigned, ::cuda::thread_scope_device>;

/// Does the update before this block and says so; a whole thread block.
template <typename T>
__device__ inline void do_update_before(const DeviceBatch& batch, const NetworkOffsets& net, int trajectory, int block,
                                        GlobalScratch& scratch) {
  const TrajectoryData t = batch.trajectory[trajectory];
  pool_node_chunks(batch, t, scratch);
  update_global<T>(batch, net, trajectory, t, block - 1, scratch);
  __syncthreads();
  if (threadIdx.x == 0) {
    Updated(batch.network.updated[trajectory])
        .store(update_number(batch, net, trajectory, block), ::cuda::std::memory_order_release);
  }
}

/// Waits for it; a whole thread block.
__device__ void wait_for_update(const DeviceBatch& batch, const NetworkOffsets& net, int trajectory, int block) {
  if (threadIdx.x == 0) {
    const unsigned number = update_number(batch, net, trajectory, block);
    while (Updated(batch.network.updated[trajectory]).load(::cuda::std::memory_order_acquire) != number) {
    }
  }
  __syncthreads();
}

/// Whether blocks 0 … trajectories − 1 do the global update before this block of the network: if there is one and
/// neighbour_max has not done it. They are the first to start, so that the others may wait for them.
__host__ __device__ inline bool updates_here(const DeviceBatch& batch, const NetworkOffsets& net, int block) {
  return updates_before(net, block) && batch.network.top == nullptr;
}

template <typename T, int M>
__global__ void __launch_bounds__(kThreads)
    gcn_block_kernel(const __grid_constant__ DeviceBatch batch, const __grid_constant__ NetworkOffsets net, int block) {
  extern __shared__ __align__(16) unsigned char raw[];
  auto& shared = *reinterpret_cast<BlockShared<T, M>*>(raw);
  const bool updates = updates_here(batch, net, block);
  const int number = static_cast<int>(blockIdx.x) - (updates ? batch.trajectories : 0);
  if (number < 0) {
    if (wait_for_previous(batch, static_cast<int>(blockIdx.x))) {
      do_update_before<T>(batch, net, static_cast<int>(blockIdx.x), block, shared.global());
    }
    return;
  }
  const RowChunk chunk = batch.network.node_chunks[number];
  const TrajectoryData t = batch.trajectory[chunk.trajectory];
  const GraphData graph = batch.graphs[t.graph];
  const BlockOffsets& offsets = net.block[block];
  const T* matrices = matrices_of<T>(batch, t.weights);
  const float* vectors = vectors_of(batch, t.weights);
  const bool last = block + 1 == net.blocks;
  const bool mix = !batch.network.authors && net.has_global;
  const bool even = block % 2 == 0;
  const T* in = static_cast<const T*>(even ? batch.network.sent : batch.network.received) + t.node_offset * kHidden;
  const long long row_offset = (t.node_offset + chunk.first) * kHidden;
  T* out = static_cast<T*>(even ? batch.network.received : batch.network.sent) + row_offset;
  const int tid = static_cast<int>(threadIdx.x);

  fetch_matrix(shared.weight[0], matrices + offsets.edge, kHidden);
  if (mix) {
    fetch_matrix(shared.weight[1], matrices + offsets.mix + kHidden * kHidden, kHidden);
  }
  if (tid < chunk.rows) {
    shared.degree[tid] = degree_of(graph, chunk.first + tid);
    shared.scale[tid] = batch.network.authors ? degree_scale(degree_of(graph, chunk.first + tid)) : 1.0f;
  }
  const int end = batch.network.top == nullptr ? chunk.first + chunk.rows : chunk.first;
  const Neighbours<kThreads> neighbours(graph, chunk.first, end, shared.neighbours, BlockShared<T, M>::kRoom);
  const int c = tid % kHidden;
  const int half = tid / kHidden;
  if (half == 0) {
    shared.self_bias[c] = vectors[offsets.edge_bias + c];
    shared.out_vector[c] = last ? vectors[net.decoder + c] : vectors[net.block[block + 1].node_bias + c];
  }
  if (!wait_for_previous(batch, chunk.trajectory)) {
    wait_async();
    return;
  }
  for (int i = tid; i < chunk.rows * (kHidden / 8); i += kThreads) {
    const int row = i / (kHidden / 8);
    const int column = i % (kHidden / 8) * 8;
    float x[8];
    load8(batch.network.h_v + row_offset + row * kHidden + column, x);
    store8(shared.h + row * kFloatPitch + column, x);
    store8(shared.tile + row * kPitch<T> + column, x);
  }
  if (batch.network.top != nullptr) {
    fetch_matrix(shared.top, static_cast<const T*>(batch.network.top) + row_offset, chunk.rows);
  } else {
    wait_async();
    __syncthreads();  // the neighbours are there
    gather_tops(neighbours, in, chunk.first, chunk.rows, shared.top);
  }
  if (updates) {
    wait_for_update(batch, net, chunk.trajectory, block);
  }
  if (net.has_global && half == 1) {
    shared.constant[c] = __ldcg(batch.network.edge_constant + static_cast<long long>(chunk.trajectory) * kHidden + c);
  }
  wait_async();
  __syncthreads();

  Accumulators<M> acc;
  acc.clear();
  acc.add_product(shared.tile, kPitch<T>, shared.weight[0], kHidden / 16);
  __syncthreads();  // the tile and the first weights may now be replaced
  if (!last) {
    fetch_matrix(shared.weight[0], matrices + net.block[block + 1].node, kHidden);
  }
  acc.for_pairs([&](int row, int column, int, float& a, float& b) {
    if (row < chunk.rows) {
      float* h = shared.h + row * kFloatPitch + column;
      const bool keeps = batch.network.authors && shared.degree[row] == 0;
      const float2 top = load2(shared.top + row * kPitch<T> + column);
      const float scale = shared.scale[row];
      const float2 bias = load2(shared.self_bias + column);
      a += bias.x + scale * top.x;
      b += bias.y + scale * top.y;
      if (batch.network.authors && net.has_global) {
        a += shared.constant[column];
        b += shared.constant[column + 1];
      }
      const float2 old = load2(h);
      const float2 grown = keeps ? old : make_float2(old.x + fmaxf(a, 0.0f), old.y + fmaxf(b, 0.0f));
      store2(h, grown.x, grown.y);
      store2(shared.tile + row * kPitch<T> + column, grown.x, grown.y);
    }
  });
  if (mix) {
    __syncthreads();
    acc.clear();
    acc.add_product(shared.tile, kPitch<T>, shared.weight[1], kHidden / 16);
    __syncthreads();
    acc.for_pairs([&](int row, int column, int, float& a, float& b) {
      if (row < chunk.rows) {
        float* h = shared.h + row * kFloatPitch + column;
        const float2 old = load2(h);
        const float2 constant = load2(shared.constant + column);
        const float x = old.x + fmaxf(a + constant.x, 0.0f);
        const float y = old.y + fmaxf(b + constant.y, 0.0f);
        store2(h, x, y);
        store2(shared.tile + row * kPitch<T> + column, x, y);
      }
    });
  }
  wait_async();
  __syncthreads();
  if (!last) {
    acc.clear();
    acc.add_product(shared.tile, kPitch<T>, shared.weight[0], kHidden / 16);
    acc.for_pairs([&](int row, int column, int, float& a, float& b) {
      if (row < chunk.rows) {
        const float scale = shared.scale[row];
        const float2 bias = load2(shared.out_vector + column);
        store2(out + row * kHidden + column, scale * (a + bias.x), scale * (b + bias.y));
      }
    });
  }

  const Pooling pooling(batch);
  float pool = pooling.none();
  for (int row = half; row < chunk.rows; row += 2) {
    const float h = shared.h[row * kFloatPitch + c];
    if (!last) {
      batch.network.h_v[row_offset + row * kHidden + c] = h;
    }
    pool = pooling.join(pool, h);
  }
  if (last) {
    for (int row = tid / 32; row < chunk.rows; row += kThreads / 32) {
      float sum = 0.0f;
      for (int i = tid % 32; i < kHidden; i += 32) {
        sum = fmaf(shared.h[row * kFloatPitch + i], shared.out_vector[i], sum);
      }
#pragma unroll
      for (int offset = 16; offset > 0; offset >>= 1) {
        sum += __shfl_xor_sync(kFullWarp, sum, offset);
      }
      if (tid % 32 == 0) {
        store_decoded(batch, net, t.variable_offset + chunk.first + row, vectors[net.decoder_bias] + sum);
      }
    }
  }
  if (!net.has_global) {
    return;
  }
  shared.pools[half][c] = pool;
  __syncthreads();
  if (half == 0) {
    batch.network.partials[static_cast<long long>(number) * kHidden + c] =
        pooling.join(shared.pools[0][c], shared.pools[1][c]);
  }
  if (last && last_to_arrive(batch.search.arrivals + chunk.trajectory * kArrivals + kArriveNode, t.node_chunks.count)) {
    finish_network<T>(batch, net, chunk.trajectory, shared.global());
  }
}

}  // namespace

void gcn_embed(const DeviceBatch& batch, const NetworkOffsets& net, const PassShape& shape, cudaStream_t stream) {
  with_node_tile(shape, [&]<typename T, int M>() {
    launch(gcn_embed_kernel<T, M>, global_blocks(batch, net) + shape.node_chunks, kThreads,
           static_cast<int>(sizeof(EmbedShared<T, M>)), stream, batch, net);
  });
}

void gcn_block(const DeviceBatch& batch, const NetworkOffsets& net, const PassShape& shape, int block,
               cudaStream_t stream) {
  with_node_tile(shape, [&]<typename T, int M>() {
    constexpr int kBytes = static_cast<int>(sizeof(BlockShared<T, M>));
    const int updates = updates_here(batch, net, block) ? batch.trajectories : 0;
    launch(gcn_block_kernel<T, M>, updates + shape.node_chunks, kThreads, kBytes, stream, batch, net, block);
  });
}

}  // namespace moco::cuda
