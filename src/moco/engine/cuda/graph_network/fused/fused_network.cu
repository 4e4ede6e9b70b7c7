// A whole network for the TSP in one kernel: one cluster of thread blocks per trajectory, h_e [E × 128] (bf16) in their
// shared memory from the embedding to the decoder. The formulas are those of edge_pass.cu, node_update,
// node_normalise and global.cuh; sums over edges and nodes are formed in a fixed order.
//
// Each block owns consecutive nodes and the edges that leave them (fused_shape.h). Between the passes the blocks
// exchange partial moments and pools and rows of h_e for Σ_in through distributed shared memory, and received [n × 128]
// through global memory. Of the products of the global update every block does its share of the rows and adds up all
// shares. Six barriers of the cluster per block of the network separate writes from the others' reads:
//   1  moments of the edges written; then read
//   2  h_e written, moments read; then h_e gathered, moments of the nodes written
//   3  moments of the nodes written, h_e read; then moments read
//   4  received and pools written, moments read; then both read, and written again after the next barrier 2
//   5  shares of h_g written; then read, and written again after the next barrier 4
//   6  shares of the constants written; then read, and written again after the next barrier 5
// and a last one keeps every block alive while others may read its shared memory.
//
// The passes are functions of their own (__noinline__): inlined into one loop over the blocks, their addresses would
// stay live across all of it, and the registers would not suffice. They find the slice in shared memory and take no
// references, so that nothing lies on the stack.
#include "moco/engine/cuda/batch/launch.cuh"
#include "moco/engine/cuda/graph_network/fused/fused_edges.cuh"
#include "moco/engine/cuda/graph_network/fused/fused_kernel.h"
#include "moco/engine/cuda/graph_network/fused/fused_nodes.cuh"
#include "moco/engine/cuda/step/global.cuh"

namespace moco::cuda {

namespace {

/// Vectors that stay the same in all blocks.
__device__ void load_vectors(const Slice& s) {
  const int c = static_cast<int>(threadIdx.x);
  if (c < kHidden) {
    const float* start = s.vectors + s.net.start_rows + c;
    s.state().ordinary[c] = start[0] + start[2 * kHidden];
    s.state().embedding_bias[c] = s.vectors[s.net.embedding_bias + c];
    s.state().decoder[c] = s.vectors[s.net.decoder + c];
  }
}

/// What the edges and nodes of the first block, or without a global of any block, see as a constant.
__device__ void load_constants(const Slice& s, int trajectory, int block) {
  const int c = static_cast<int>(threadIdx.x);
  if (c >= kHidden) {
    return;
  }
  if (s.net.has_global) {
    const long long at = static_cast<long long>(trajectory) * kHidden + c;
    s.state().edge_constant[c] = s.batch.network.edge_constant[at];
    s.state().node_constant[c] = s.batch.network.node_constant[at];
    s.state().h_g[c] = s.batch.network.h_g[at];
  } else {
    s.state().edge_constant[c] = s.vectors[s.net.block[block].edge_bias + c];
    s.state().node_constant[c] = s.vectors[s.net.block[block].node_bias + c];
  }
}

/// part [128] ← this block's share of x [rows] · W [rows × 128]. Begins and ends with a barrier of the block.
__device__ void multiply_share(const Slice& s, const float* x, int matrix, int rows, float* part,
                               GlobalScratch& scratch) {
  const int each = (rows + s.ranks - 1) / s.ranks;
  const int first = min(s.rank * each, rows);
  if (threadIdx.x < kHidden) {
    part[threadIdx.x] = 0.0f;
  }
  add_row_product<kFusedThreads>(x + first, s.matrices + matrix + first * kHidden, min(each, rows - first), part,
                                 scratch);
}

/// The sum of all blocks' shares and a bias, for one column.
__device__ float join_shares(const Slice& s, const float* part, int column, int bias) {
  float sum = s.vectors[bias + column];
#pragma unroll 4
  for (int rank = 0; rank < s.ranks; ++rank) {
    sum += of_rank(part, rank)[column];
  }
  return sum;
}

/// The global update and the next block's constants or θ of the slice. Begins right after a barrier of the cluster.
__device__ __noinline__ void update_global(int block) {
  const Slice& s = slice();
  constexpr int kSquare = kHidden * kHidden;
  auto& scratch = *s.work<GlobalScratch>();
  FusedState& state = s.state();
  const int c = static_cast<int>(threadIdx.x) % kHidden;
  const bool lower = threadIdx.x < kHidden;
  float* pool = lower ? state.node_pool : state.edge_pool;
  float pooled = 0.0f;
  const bool last = block + 1 == s.net.blocks;
  if (threadIdx.x < 2 * kHidden) {
    const BlockOffsets& offsets = s.net.block[block];
    const auto rows = static_cast<double>(lower ? s.t.nodes : s.t.variables);
    if (last && !needs_last_nodes(s.batch, s.net)) {
      pooled = grown_pool(pool[c], rows, s.vectors[(lower ? offsets.node_shift : offsets.edge_shift) + c],
                          s.batch.network.pooling);
    } else {
      pooled = pool_parts(
          s.ranks, [&](int rank) { return of_rank(pool, rank)[c]; }, rows, s.batch.network.pooling);
    }
    scratch.x[threadIdx.x] = pooled;
  }
  if (lower) {
    scratch.x[2 * kHidden + c] = state.h_g[c];
  }
  multiply_share(s, scratch.x, s.net.block[block].global, 3 * kHidden, state.global_part, scratch);
  cluster_sync();
  if (threadIdx.x < 2 * kHidden) {
    pool[c] = pooled;
  }
  if (lower) {
    const float h = state.h_g[c] + fmaxf(join_shares(s, state.global_part, c, s.net.block[block].global_bias), 0.0f);
    state.h_g[c] = h;
    scratch.h_g[c] = h;
  }
  if (last) {
    scale_theta(s.batch, s.net, s.vectors, s.batch.search.theta + s.t.variable_offset + s.first_edge, s.rows, scratch);
    return;
  }
  const BlockOffsets& next = s.net.block[block + 1];
  multiply_share(s, scratch.h_g, next.edge + 3 * kSquare, kHidden, state.constant_parts, scratch);
  multiply_share(s, scratch.h_g, next.node + 3 * kSquare, kHidden, state.constant_parts + kHidden, scratch);
  cluster_sync();
  if (lower) {
    state.edge_constant[c] = join_shares(s, state.constant_parts, c, next.edge_bias);
  } else if (threadIdx.x < 2 * kHidden) {
    state.node_constant[c] = join_shares(s, state.constant_parts + kHidden, c, next.node_bias);
  }
}

template <int Slots>
__device__ void run_network(const Slice& s, int trajectory) {
  using Weights = WeightStream<Slots>;
  load_constants(s, trajectory, 0);
#pragma unroll 1
  for (int block = 0; block < s.net.blocks; ++block) {
    const BlockOffsets& offsets = s.net.block[block];
    const bool last = block + 1 == s.net.blocks;
    if (block == 0) {
      update_edges<true, Slots>(0);
    } else {
      update_edges<false, Slots>(block * Weights::kPerBlock);
    }
    cluster_sync();
    normalisation_of(s, static_cast<double>(s.t.variables), offsets.edge_scale, offsets.edge_shift);
    if (last) {
      normalise_edges<true>();
      store_theta(s);
      if (!s.net.has_global) {
        break;
      }
    } else {
      normalise_edges<false>();
    }
    if (!last || needs_last_nodes(s.batch, s.net)) {
      pass_nodes<Slots>(block);
    }
    cluster_sync();
    if (s.net.has_global) {
      update_global(block);
    } else {
      load_constants(s, trajectory, block + 1);
    }
    __syncthreads();  // the work area is free, the constants are set
  }
  cluster_sync();
}

/// Cuts the trajectory into the blocks of its cluster and shared memory into regions.
__device__ void cut_slice(Slice& s, const FusedShape& shape, int rank, int ranks, int slots) {
  s.matrices = matrices_of<bf16>(s.batch, s.t.weights);
  s.vectors = vectors_of(s.batch, s.t.weights);
  s.rank = rank;
  s.ranks = ranks;
  const int nodes_each = (s.t.nodes + ranks - 1) / ranks;
  s.rows_each = nodes_each * s.graph.degree;
  s.first_node = min(rank * nodes_each, s.t.nodes);
  s.nodes = min(nodes_each, s.t.nodes - s.first_node);
  s.first_edge = s.first_node * s.graph.degree;
  s.rows = s.nodes * s.graph.degree;
  s.slots_at = kSliceBytes + shape.rows * kFusedRowBytes;  // reads of a tile may run over the end of h into here
  s.work_at = s.slots_at + slots * kMatrixBytes;
  s.state_at = s.work_at + shape.work_bytes;
  s.u_at = s.state_at + static_cast<int>(sizeof(FusedState));
  constexpr int kWords = kUnitBytes / static_cast<int>(sizeof(uint4));
  s.u_global = static_cast<uint4*>(s.batch.network.u_e) +
               static_cast<long long>(blockIdx.x) * (shape.units - shape.shared_units) * kWords;
  s.shared_units = shape.shared_units;
}

/// The slice of this block; ends with a barrier.
__device__ void set_slice(const DeviceBatch& batch, const NetworkOffsets& net, const FusedShape& shape, int trajectory,
                          int rank, int ranks, int slots) {
  Slice& s = *Slice::region<Slice>(0);
  copy_words<kFusedThreads>(s.batch, batch);
  copy_words<kFusedThreads>(s.net, net);
  copy_words<kFusedThreads>(s.t, batch.trajectory[trajectory]);
  copy_words<kFusedThreads>(s.graph, batch.graphs[batch.trajectory[trajectory].graph]);
  __syncthreads();
  if (threadIdx.x == 0) {
    cut_slice(s, shape, rank, ranks, slots);
  }
  __syncthreads();
}

template <int Slots>
__global__ void __launch_bounds__(kFusedThreads, 1)
    fused_network_kernel(const __grid_constant__ DeviceBatch batch, const __grid_constant__ NetworkOffsets net,
                         const __grid_constant__ FusedShape shape) {
  const int ranks = cluster_size();
  const int rank = cluster_rank();
  const int trajectory = static_cast<int>(blockIdx.x) / ranks;
  set_slice(batch, net, shape, trajectory, rank, ranks, Slots);
  WeightStream<Slots>::begin(slice());
  load_vectors(slice());
  if (!wait_for_previous(batch, trajectory) || slice().t.variables == 0) {
    wait_async();
    return;  // the whole cluster
  }
  run_network<Slots>(slice(), trajectory);
}

using Kernel = void (*)(DeviceBatch, NetworkOffsets, FusedShape);

Kernel kernel_of(const FusedShape& shape) {
  return shape.slots == 1   ? fused_network_kernel<1>
         : shape.slots == 2 ? fused_network_kernel<2>
                            : fused_network_kernel<3>;
}

ClusterLaunch launch_of(const FusedShape& shape, const DeviceBatch& batch) {
  return {reinterpret_cast<const void*>(kernel_of(shape)),
          batch,
          batch.trajectories,
          shape.cluster,
          shape.shared_bytes,
          false};
}

}  // namespace

int fused_networks_at_once(const FusedShape& shape) {
  DeviceBatch batch;
  batch.trajectories = 1;
  return launch_of(shape, batch).at_once();
}

void fused_network(const DeviceBatch& batch, const NetworkOffsets& net, const FusedShape& shape, cudaStream_t stream) {
  launch_of(shape, batch).run(kernel_of(shape), stream, batch, net, shape);
}

}  // namespace moco::cuda
