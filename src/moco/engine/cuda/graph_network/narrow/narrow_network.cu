// A whole network for the TSP in one kernel, for hidden sizes of up to 32: one thread block per trajectory, bf16. The
// formulas are those of edge_pass.cu, node_update, node_normalise and global.cuh.
//
// Rows of 32 columns are so short that a warp computes what it needs twice instead of storing it, and that a product's
// weights fit into its registers. A warp takes tiles of 16 rows; its thread with r = lane / 4 and q = lane % 4 holds
// columns 8q … 8q + 7 of rows r and r + 8 of whatever there is: of h_e, of the products and of what both ends of an
// edge add. Which thread holds what never changes, so that only sums over all rows and rows of other warps need
// barriers. h_e [E × 32] and what nodes send [n × 32] lie in shared memory where they fit, in global memory otherwise.
#include "moco/engine/cuda/batch/launch.cuh"
#include "moco/engine/cuda/graph_network/narrow/narrow_kernel.h"
#include "moco/engine/cuda/graph_network/narrow/narrow_state.cuh"
#include "moco/engine/cuda/step/feature_rows.cuh"

namespace moco::cuda {

namespace {

constexpr int kEmbeddingSteps = kFeatureRows / 16;

/// h_v, sent and received before the first block: one row for all nodes, another for the start.
__device__ void embed_nodes(const Narrow& s) {
  const int column = static_cast<int>(threadIdx.x) % kColumns;
  const float* rows = s.vectors + s.net.start_rows + column;
  const float ordinary = s.vectors[s.net.node_bias + column];
  const float start = ordinary + s.vectors[s.net.node_embedding + column];
  for (int node = warp_number(); node < s.t.nodes; node += kNarrowWarps) {
    const bool is_start = node == s.t.start;
    const long long at = static_cast<long long>(node) * kColumns + column;
    s.h_v[at] = is_start ? start : ordinary;
    s.sent[at] = from_float<bf16>(rows[is_start ? kHidden : 0]);
    s.received[at] = from_float<bf16>(rows[(is_start ? 3 : 2) * kHidden]);
  }
}

/// The words of a row's features on the left of the embedding: 12 columns from 12q on.
__device__ void feature_words(const Narrow& s, int v, std::uint32_t (&words)[2 * kEmbeddingSteps]) {
  const long long at = s.t.variable_offset + v;
  const bool init = !s.net.has_global;
  constexpr int kEach = 4 * kEmbeddingSteps;
  float x[kEach];
  switch (quarter()) {
    case 0:
      feature_columns<bf16, 0>(s.batch, s.graph, at, v, init, x);
      break;
    case 1:
      feature_columns<bf16, kEach>(s.batch, s.graph, at, v, init, x);
      break;
    case 2:
      feature_columns<bf16, 2 * kEach>(s.batch, s.graph, at, v, init, x);
      break;
    default:
      feature_columns<bf16, 3 * kEach>(s.batch, s.graph, at, v, init, x);
      break;
  }
#pragma unroll
  for (int i = 0; i < 2 * kEmbeddingSteps; ++i) {
    words[i] = pack2(x[2 * i], x[2 * i + 1]);
  }
}

/// h_e from the features.
__device__ void embed_edges(const Narrow& s) {
  const Operand<kEmbeddingSteps> embedding(s.shared.embedding);
  float bias[8];
  load8(s.vectors + s.net.embedding_bias + 8 * quarter(), bias);
  for_tiles(s.t.variables, [&](const int(&rows)[2], const bool(&valid)[2]) {
    std::uint32_t words[2][2 * kEmbeddingSteps];
    feature_words(s, rows[0], words[0]);
    feature_words(s, rows[1], words[1]);
    TileProduct product;
#pragma unroll
    for (int step = 0; step < kEmbeddingSteps; ++step) {
      product.add_step(embedding, step, {words[0][2 * step], words[0][2 * step + 1]},
                       {words[1][2 * step], words[1][2 * step + 1]});
    }
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float h[8];
      product.row(half, h);
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        h[i] += bias[i];
      }
      if (valid[half]) {
        store_piece(s.h_e, rows[half], h);
      }
    }
  });
}

/// Calls body(half, row, h, u) for every row of edges that the thread holds a piece of.
template <typename Body>
__device__ void for_edges(const Narrow& s, int block, const Body& body) {
  const Operand<2> weight(weights_of(s, block, 0));
  const Threshold threshold(s.shared.edge_constant);
  for_tiles(s.t.variables, [&](const int(&rows)[2], const bool(&valid)[2]) {
    uint4 h[2];
    uint4 from[2];
    uint4 to[2];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      h[half] = valid[half] ? load_piece(s.h_e, rows[half]) : make_uint4(0, 0, 0, 0);  // the last is being changed
      to[half] = load_piece(s.received, s.graph.targets[rows[half]]);
      from[half] = load_piece(s.sent, rows[half] / s.graph.degree);
    }
    TileProduct product;
    product.add(weight, h);
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float u[8];
      product.row(half, u);
      add_piece(u, from[half]);
      add_piece(u, to[half]);
      threshold.apply(u);
      float own[8] = {};
      add_piece(own, h[half]);
      body(rows[half], valid[half], own, u);
    }
  });
}

/// h_e ← h_e + LN(u), after the last block θ̃ too, and the pool of the warp's edges.
template <bool Last>
__device__ void normalise_edges(const Narrow& s, int block) {
  const Normalisation norm(s.shared.norm);
  ColumnPool pool(s.batch);
  float decoder[8] = {};
  float bias = 0.0f;
  if constexpr (Last) {
    load8(s.vectors + s.net.decoder + 8 * quarter(), decoder);
    bias = s.vectors[s.net.decoder_bias];
  }
  for_edges(s, block, [&](int row, bool valid, float(&h)[8], const float(&u)[8]) {
    norm.apply(h, u);
    if (valid) {
      store_piece(s.h_e, row, h);
      pool.add(h);
    }
    if constexpr (Last) {
      float decoded = 0.0f;
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        decoded = fmaf(h[i], decoder[i], decoded);
      }
      decoded += __shfl_xor_sync(kFullWarp, decoded, 1);
      decoded += __shfl_xor_sync(kFullWarp, decoded, 2);
      if (valid && quarter() == 0) {
        store_decoded(s.batch, s.net, s.t.variable_offset + row, decoded + bias);
      }
    }
  });
  pool.finish(s.shared.edge_pools[warp_number()]);
}

/// Both passes over the edges of a block. Ends with a barrier.
__device__ void pass_edges(const Narrow& s, int block) {
  Moments moments;
  for_edges(s, block, [&](int, bool valid, const float(&)[8], const float(&u)[8]) {
    if (valid) {
      moments.add(u);
    }
  });
  const BlockOffsets& offsets = s.net.block[block];
  moments.normalise(s, static_cast<double>(s.t.variables), offsets.edge_scale, offsets.edge_shift);
  if (block + 1 < s.net.blocks) {
    normalise_edges<false>(s, block);
  } else {
    normalise_edges<true>(s, block);
  }
  __syncthreads();
}

__device__ void load_node(const float* matrix, int node, float (&x)[8]) {
  load8(matrix + static_cast<long long>(node) * kColumns + 8 * quarter(), x);
}
__device__ void store_node(float* matrix, int node, const float (&x)[8]) {
  store8(matrix + static_cast<long long>(node) * kColumns + 8 * quarter(), x);
}

/// h_v, Σ_out h_e and Σ_in h_e of a node.
__device__ void gather_node(const Narrow& s, int node, uint4 (&left)[3]) {
  float h[8];
  load_node(s.h_v, node, h);
  left[0] = pack_piece(h);
  float out[8] = {};
#pragma unroll 4
  for (int e = 0; e < s.graph.degree; ++e) {
    add_piece(out, load_piece(s.h_e, node * s.graph.degree + e));
  }
  left[1] = pack_piece(out);
  float in[8] = {};
  const int end = s.graph.in_offsets[node + 1];
#pragma unroll 4
  for (int p = s.graph.in_offsets[node]; p < end; ++p) {
    add_piece(in, load_piece(s.h_e, s.graph.in_edges[p]));
  }
  left[2] = pack_piece(in);
}

/// Both passes over the nodes of a block and, unless it is the last, what they send in the next. Ends with a barrier.
__device__ void pass_nodes(const Narrow& s, int block) {
  const Threshold threshold(s.shared.node_constant);
  Moments moments;
  for_tiles(s.t.nodes, [&](const int(&rows)[2], const bool(&valid)[2]) {
    uint4 left[2][3];
    gather_node(s, rows[0], left[0]);
    gather_node(s, rows[1], left[1]);
    TileProduct product;
#pragma unroll
    for (int part = 0; part < 3; ++part) {
      product.add(Operand<2>(weights_of(s, block, 1 + part)), {left[0][part], left[1][part]});
    }
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float u[8];
      product.row(half, u);
      threshold.apply(u);
      if (valid[half]) {
        moments.add(u);
        store_node(s.u_v, rows[half], u);
      }
    }
  });
  const BlockOffsets& offsets = s.net.block[block];
  moments.normalise(s, static_cast<double>(s.t.nodes), offsets.node_scale, offsets.node_shift);

  const Normalisation norm(s.shared.norm);
  const bool last = block + 1 == s.net.blocks;
  ColumnPool pool(s.batch);
  for_tiles(s.t.nodes, [&](const int(&rows)[2], const bool(&valid)[2]) {
    uint4 left[2];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float h[8];
      float u[8];
      load_node(s.h_v, rows[half], h);
      load_node(s.u_v, rows[half], u);
      norm.apply(h, u);
      left[half] = pack_piece(h);
      if (valid[half]) {
        pool.add(h);
        store_node(s.h_v, rows[half], h);
      }
    }
#pragma unroll
    for (int part = 0; part < 2 && !last; ++part) {
      TileProduct product;
      product.add(Operand<2>(weights_of(s, block, 4 + part)), left);
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        float x[8];
        product.row(half, x);
        if (valid[half]) {
          store_piece(part == 0 ? s.sent : s.received, rows[half], x);
        }
      }
    }
  });
  pool.finish(s.shared.node_pools[warp_number()]);
  __syncthreads();
}

/// The warp's share of x [rows] · W [rows × 32], rows warp, warp + warps, … of W's padded pieces of 32; into slices.
__device__ void multiply_rows(const Narrow& s, const float* x, int matrix, int rows, int warp, int warps) {
  const int column = static_cast<int>(threadIdx.x) % kColumns;
  float sum = 0.0f;
#pragma unroll 6
  for (int row = warp; row < rows; row += warps) {
    const int at = matrix + (row / kColumns * kHidden + row % kColumns) * kHidden + column;
    sum = fmaf(x[row], to_float(s.matrices[at]), sum);
  }
  s.shared.slices[warp_number()][column] = sum;
}

/// A bias and the sum of slices first … first + count − 1 of a column.
__device__ float join_slices(const Narrow& s, int bias, int column, int first, int count) {
  float sum = s.vectors[bias + column];
  for (int i = first; i < first + count; ++i) {
    sum += s.shared.slices[i][column];
  }
  return sum;
}

/// The global update, then the next block's constants or θ. Ends with a barrier.
__device__ void pass_global(const Narrow& s, int block) {
  NarrowShared& shared = s.shared;
  const int c = static_cast<int>(threadIdx.x);
  const int column = c % kColumns;
  if (c < 2 * kColumns) {
    const bool nodes = c < kColumns;
    const auto rows = static_cast<double>(nodes ? s.t.nodes : s.t.variables);
    if (block + 1 == s.net.blocks && !needs_last_nodes(s.batch, s.net)) {
      const BlockOffsets& offsets = s.net.block[block];
      shared.pooled[c] =
          grown_pool(shared.pooled[c], rows, s.vectors[(nodes ? offsets.node_shift : offsets.edge_shift) + column],
                     s.batch.network.pooling);
    } else {
      shared.pooled[c] = pool_parts(
          kNarrowWarps, [&](int i) { return (nodes ? shared.node_pools : shared.edge_pools)[i][column]; }, rows,
          s.batch.network.pooling);
    }
  } else if (c < 3 * kColumns) {
    shared.pooled[c] = shared.global.h_g[column];
  }
  __syncthreads();
  multiply_rows(s, shared.pooled, s.net.block[block].global, 3 * kColumns, warp_number(), kNarrowWarps);
  __syncthreads();
  if (c < kColumns) {
    shared.global.h_g[c] += fmaxf(join_slices(s, s.net.block[block].global_bias, c, 0, kNarrowWarps), 0.0f);
  }
  if (block + 1 == s.net.blocks) {
    scale_theta(s.batch, s.net, s.vectors, s.batch.search.theta + s.t.variable_offset, s.t.variables, shared.global);
    return;
  }
  __syncthreads();
  const BlockOffsets& next = s.net.block[block + 1];
  constexpr int kHalf = kNarrowWarps / 2;
  const int matrix = (warp_number() < kHalf ? next.edge : next.node) + 3 * kHidden * kHidden;
  multiply_rows(s, shared.global.h_g, matrix, kColumns, warp_number() % kHalf, kHalf);
  __syncthreads();
  if (c < kColumns) {
    shared.edge_constant[c] = join_slices(s, next.edge_bias, c, 0, kHalf);
  } else if (c < 2 * kColumns) {
    shared.node_constant[column] = join_slices(s, next.node_bias, column, kHalf, kHalf);
  }
  __syncthreads();
}

/// Constants of the first block, or without a global of any block; h_g.
__device__ void load_constants(const Narrow& s, int trajectory, int block) {
  const int c = static_cast<int>(threadIdx.x);
  const long long at = static_cast<long long>(trajectory) * kHidden + c;
  if (c < kColumns) {
    const BlockOffsets& offsets = s.net.block[block];
    s.shared.edge_constant[c] = s.net.has_global ? s.batch.network.edge_constant[at] : s.vectors[offsets.edge_bias + c];
    s.shared.node_constant[c] = s.net.has_global ? s.batch.network.node_constant[at] : s.vectors[offsets.node_bias + c];
  }
  if (c < kHidden) {
    s.shared.global.h_g[c] = s.net.has_global ? s.batch.network.h_g[at] : 0.0f;
  }
}

__global__ void __launch_bounds__(kNarrowThreads, 1)
    narrow_network_kernel(const __grid_constant__ DeviceBatch batch, const __grid_constant__ NetworkOffsets net,
                          const __grid_constant__ NarrowShape shape) {
  extern __shared__ __align__(16) unsigned char raw[];
  const int trajectory = static_cast<int>(blockIdx.x);
  const TrajectoryData& t = batch.trajectory[trajectory];
  auto* messages = reinterpret_cast<bf16*>(raw + sizeof(NarrowShared));
  auto* edges = messages + (shape.messages_shared ? 2 * static_cast<long long>(t.nodes) * kColumns : 0);
  const long long node_at = t.node_offset * kColumns;
  const Narrow s{
      batch,
      net,
      *reinterpret_cast<NarrowShared*>(raw),
      t,
      batch.graphs[t.graph],
      matrices_of<bf16>(batch, t.weights),
      vectors_of(batch, t.weights),
      shape.edges_shared ? edges : static_cast<bf16*>(batch.network.h_e) + t.variable_offset * kColumns,
      shape.messages_shared ? messages : static_cast<bf16*>(batch.network.sent) + node_at,
      shape.messages_shared ? messages + t.nodes * kColumns : static_cast<bf16*>(batch.network.received) + node_at,
      batch.network.h_v + node_at,
      batch.network.u_v + node_at};
  fetch_narrow(s.shared.embedding, s.matrices + net.embedding, kFeatureRows);
  fetch_block(s, 0);
  if (!wait_for_previous(batch, trajectory) || t.variables == 0) {
    wait_async();
    return;
  }
  load_constants(s, trajectory, 0);
  embed_nodes(s);
  wait_async();
  __syncthreads();
  embed_edges(s);
#pragma unroll 1
  for (int block = 0; block < net.blocks; ++block) {
    fetch_block(s, block + 1);
    pass_edges(s, block);
    const bool last = block + 1 == net.blocks;
    if (last && !net.has_global) {
      return;
    }
    if (!last || needs_last_nodes(batch, net)) {
      pass_nodes(s, block);
    }
    if (net.has_global) {
      pass_global(s, block);
    } else {
      load_constants(s, trajectory, block + 1);
    }
    wait_async();
    __syncthreads();
  }
}

}  // namespace

NarrowShape narrow_shape(int max_nodes, int max_variables) {
  constexpr int kRowBytes = kColumns * static_cast<int>(sizeof(bf16));
  NarrowShape shape;
  shape.shared_bytes = static_cast<int>(sizeof(NarrowShared));
  const long long messages = 2LL * max_nodes * kRowBytes;
  const long long edges = static_cast<long long>(max_variables) * kRowBytes;
  shape.messages_shared = shape.shared_bytes + messages <= kMostShared;
  shape.edges_shared = shape.shared_bytes + messages + edges <= kMostShared;
  shape.shared_bytes += static_cast<int>((shape.messages_shared ? messages : 0) + (shape.edges_shared ? edges : 0));
  return shape;
}

void narrow_network(const DeviceBatch& batch, const NetworkOffsets& net, const NarrowShape& shape,
                    cudaStream_t stream) {
  launch(narrow_network_kernel, batch.trajectories, kNarrowThreads, shape.shared_bytes, stream, batch, net, shape);
}

}  // namespace moco::cuda
