// Second pass over the nodes of a block: h_v ← h_v + u·factor + shift, and the sender and receiver parts of the next
// block's W_e for these nodes. Where pools are known, a thread block per trajectory does the global update beside that,
// and nothing is left to do after the last block; elsewhere the pool over all nodes is formed, and the last thread
// block of a trajectory prepares the next block's constants or, after the last block, divides θ̃ by α.
#include "moco/engine/cuda/batch/launch.cuh"
#include "moco/engine/cuda/graph_network/passes/pass_kernels.h"
#include "moco/engine/cuda/kit/row_order.cuh"
#include "moco/engine/cuda/step/global.cuh"

namespace moco::cuda {

namespace {

template <typename T, int M, bool Last>
struct NormaliseShared {
  static constexpr bool kAtOnce = M == 16;  // as in node_update
  T weight[Last || !kAtOnce ? 1 : 2][Last ? 8 : kHidden * kPitch<T>];
  T tile[M * kPitch<T>];
  float pools[2][kHidden];
  GlobalScratch global;
};

/// Thread blocks that do the global updates: the first ones, because they take longest.
__host__ __device__ inline int update_blocks(const DeviceBatch& batch, const NetworkOffsets& net) {
  return net.has_global && batch.network.pools_known ? batch.trajectories : 0;
}

template <typename T, int M, bool Last>
__global__ void __launch_bounds__(kThreads, sizeof(T) == 4 ? 1 : 4)
    node_normalise_kernel(const __grid_constant__ DeviceBatch batch, const __grid_constant__ NetworkOffsets net,
                          int block) {
  extern __shared__ __align__(16) unsigned char raw[];
  auto& shared = *reinterpret_cast<NormaliseShared<T, M, Last>*>(raw);
  const int number = static_cast<int>(blockIdx.x) - update_blocks(batch, net);
  if (number < 0) {
    if (wait_for_previous(batch, static_cast<int>(blockIdx.x))) {
      update_known_global<T>(batch, net, static_cast<int>(blockIdx.x), block, shared.global);
    }
    return;
  }
  const RowChunk chunk = batch.network.node_chunks[number];
  constexpr bool kAtOnce = NormaliseShared<T, M, Last>::kAtOnce;
  const TrajectoryData t = batch.trajectory[chunk.trajectory];
  const Pooling pooling(batch);
  if constexpr (!Last) {
    const T* next = matrices_of<T>(batch, t.weights) + net.block[block + 1].edge;
    fetch_matrix(shared.weight[0], next + kHidden * kHidden, kHidden);
    if constexpr (kAtOnce) {
      fetch_matrix(shared.weight[1], next + 2 * kHidden * kHidden, kHidden);
    }
  }
  if (!wait_for_previous(batch, chunk.trajectory)) {
    wait_async();
    return;
  }
  const long long row_offset = (t.node_offset + chunk.first) * kHidden;
  const int c = static_cast<int>(threadIdx.x) % kHidden;
  const int half = static_cast<int>(threadIdx.x) / kHidden;
  const float* norm = batch.network.node_norm + static_cast<long long>(chunk.trajectory) * 2 * kHidden;
  const float factor = norm[c];
  const float shift = norm[kHidden + c];
  float pool = pooling.none();
#pragma unroll 8
  for (int row = half; row < chunk.rows; row += 2) {
    const long long at = row_offset + row * kHidden + c;
    const float h = batch.network.h_v[at] + fmaf(batch.network.u_v[at], factor, shift);
    batch.network.h_v[at] = h;
    shared.tile[row * kPitch<T> + c] = from_float<T>(h);
    pool = pooling.join(pool, h);
  }
  shared.pools[half][c] = pool;
  wait_async();
  __syncthreads();
  if (half == 0 && !batch.network.pools_known) {
    batch.network.partials[static_cast<long long>(number) * kHidden + c] =
        pooling.join(shared.pools[0][c], shared.pools[1][c]);
  }
  if constexpr (!Last) {
    for (int part = 0; part < 2; ++part) {
      Accumulators<M> acc;
      acc.clear();
      if (!kAtOnce && part == 1) {
        __syncthreads();  // the first matrix has been used
        fetch_matrix(shared.weight[0],
                     matrices_of<T>(batch, t.weights) + net.block[block + 1].edge + 2 * kHidden * kHidden, kHidden);
        wait_async();
        __syncthreads();
      }
      acc.add_product(shared.tile, kPitch<T>, shared.weight[kAtOnce ? part : 0], kHidden / 16);
      T* out = static_cast<T*>(part == 0 ? batch.network.sent : batch.network.received) + row_offset;
      acc.for_pairs([&](int row, int column, int, float& a, float& b) {
        if (row < chunk.rows) {
          store2(out + row * kHidden + row_place(column), a, b);
        }
      });
    }
  }
  if (!net.has_global || batch.network.pools_known ||
      !last_to_arrive(batch.search.arrivals + chunk.trajectory * kArrivals + kArriveNode, t.node_chunks.count)) {
    return;
  }
  const float pooled = pool_partials(batch.network.partials, t.node_chunks, kHidden, static_cast<double>(t.nodes),
                                     batch.network.pooling);
  if (half == 0) {
    shared.global.x[c] = pooled;
    shared.global.x[kHidden + c] = batch.network.pooled_edges[static_cast<long long>(chunk.trajectory) * kHidden + c];
  }
  if constexpr (Last) {
    finish_global<T>(batch, net, chunk.trajectory, t, shared.global);
  } else {
    update_global<T>(batch, net, chunk.trajectory, t, block, shared.global);
  }
}

}  // namespace

void node_normalise(const DeviceBatch& batch, const NetworkOffsets& net, const PassShape& shape, int block,
                    cudaStream_t stream) {
  with_node_tile(shape, [&]<typename T, int M>() {
    const bool last = block + 1 == net.blocks;
    const auto kernel = last ? node_normalise_kernel<T, M, true> : node_normalise_kernel<T, M, false>;
    const std::size_t bytes = last ? sizeof(NormaliseShared<T, M, true>) : sizeof(NormaliseShared<T, M, false>);
    launch(kernel, update_blocks(batch, net) + shape.node_chunks, kThreads, static_cast<int>(bytes), stream, batch, net,
           block);
  });
}

}  // namespace moco::cuda
