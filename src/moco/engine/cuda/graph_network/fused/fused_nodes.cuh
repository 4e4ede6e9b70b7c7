// The nodes of a block of the fused network, for one slice: u = ReLU(h_v·W_0 + Σ_out·W_1 + Σ_in·W_2 + constant) with
// its moments, then h_v ← h_v + u·factor + shift, the pools, and the sender and receiver parts of the next block's W_e.
//
// A slice has at most 32 nodes: h_v and u [32 × 128] float are held in registers, as accumulators. Σ_out comes from the
// block's own edges, Σ_in from the shared memory of all blocks of the cluster, edge by edge in the order of in_edges.
#pragma once

#include "moco/engine/cuda/graph_network/entering_edges.cuh"
#include "moco/engine/cuda/graph_network/fused/fused_slice.cuh"

namespace moco::cuda {

/// Pieces of the work area while nodes are updated.
struct NodeWork {
  bf16 tile[3][kNodeTile * kPitch<bf16>];  ///< Σ_in, Σ_out, h_v
  float pools[kFusedWarps][kHidden];
};

__device__ inline void add_to(float (&sum)[8], const bf16* row) {
  float h[8];
  load8(row, h);
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    sum[i] += h[i];
  }
}

/// Adds both halves of the warp; the lower one stores the eight columns.
__device__ inline void store_sum(float (&sum)[8], bf16* row) {
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    sum[i] += __shfl_xor_sync(kFullWarp, sum[i], 16);
  }
  if (EdgeTile::lane() < 16) {
    store8(row, sum);
  }
}

/// Σ_out and Σ_in of the slice's nodes and the pool of its edges. A warp per node, two edges at a time, eight columns a
/// lane. All blocks of the cluster have normalised their edges before, and none changes them before all are through.
__device__ inline void gather_sums(const Slice& s, NodeWork& work) {
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int half = lane / 16;
  const int column = lane % 16 * 8;
  const Pooling pooling(s.batch);
  float pool[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    pool[i] = pooling.none();
  }
  EnteringEdges next;
  if (warp < s.nodes) {
    next.look_up(s.graph, s.first_node + warp);
  }
  for (int node = warp; node < s.nodes; node += kFusedWarps) {
    const EnteringEdges entries = next;
    if (node + kFusedWarps < s.nodes) {
      next.look_up(s.graph, s.first_node + node + kFusedWarps);  // arrives while this node's edges are summed
    }

    float out[8] = {};
#pragma unroll 4
    for (int e = half; e < s.graph.degree; e += 2) {
      float h[8];
      load8(s.h() + (node * s.graph.degree + e) * kPitch<bf16> + column, h);
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        out[i] += h[i];
        pool[i] = pooling.join(pool[i], h[i]);
      }
    }
    store_sum(out, work.tile[1] + node * kPitch<bf16> + column);

    float in[8] = {};
    for (int p = entries.begin; p < entries.end; p += 32) {
      const int edge = p == entries.begin ? entries.edge : entries.edge_at(s.graph, p);
      const int owner = edge / s.rows_each;
      const int row = edge - owner * s.rows_each;
      const int count = min(32, entries.end - p);
#pragma unroll 8
      for (int i = 0; i < count; i += 2) {
        const int from = __shfl_sync(kFullWarp, owner, i + half);
        const int at = __shfl_sync(kFullWarp, row, i + half);
        if (i + half < count) {
          add_to(in, of_rank(s.h(), from) + at * kPitch<bf16> + column);
        }
      }
    }
    store_sum(in, work.tile[0] + node * kPitch<bf16> + column);
  }
  if (!s.net.has_global) {
    return;
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    pool[i] = pooling.join(pool[i], __shfl_xor_sync(kFullWarp, pool[i], 16));
  }
  if (half == 0) {
    store8(work.pools[warp] + column, pool);
  }
}

/// h_v of the slice: in the first block one row for all nodes, another for the start; later what store_nodes left.
__device__ inline void load_nodes(const Slice& s, bool first, NodeTile& h_v) {
  const float* rows = s.batch.network.h_v + (s.t.node_offset + s.first_node) * kHidden;
  h_v.for_pairs([&](int row, int column, int, float& a, float& b) {
    float2 h = make_float2(0.0f, 0.0f);
    if (first) {
      h = load2(s.vectors + s.net.node_bias + column);
      if (s.first_node + row == s.t.start) {
        const float2 start = load2(s.vectors + s.net.node_embedding + column);
        h = make_float2(h.x + start.x, h.y + start.y);
      }
    } else if (row < s.nodes) {
      h = load2(rows + row * kHidden + column);
    }
    a = h.x;
    b = h.y;
  });
}

__device__ inline void store_nodes(const Slice& s, NodeTile& h_v) {
  float* rows = s.batch.network.h_v + (s.t.node_offset + s.first_node) * kHidden;
  h_v.for_pairs([&](int row, int column, int, float& a, float& b) {
    if (row < s.nodes) {
      store2(rows + row * kHidden + column, a, b);
    }
  });
}

__device__ inline void store_tile(NodeTile& values, bf16* tile) {
  values.for_pairs(
      [&](int row, int column, int, float& a, float& b) { store2(tile + row * kPitch<bf16> + column, a, b); });
}

/// u ← h_v·W_0, which needs no edges; the next matrix arrives while the sums are gathered.
template <int Slots>
__device__ inline void begin_nodes(const Slice& s, int index, NodeTile& h_v, NodeTile& u) {
  bf16* tile = s.work<NodeWork>()->tile[2];
  store_tile(h_v, tile);
  const bf16* weight = WeightStream<Slots>::acquire(s, index);
  u.clear();
  u.add_product(tile, kPitch<bf16>, weight, kHidden / 16);
  WeightStream<Slots>::release(s, index);
}

/// The rest of u, and its moments into the state. Begins right after a barrier of the cluster, ends without one.
template <int Slots>
__device__ inline void update_nodes(const Slice& s, int index, NodeTile& u) {
  auto& work = *s.work<NodeWork>();
  gather_sums(s, work);
#pragma unroll 1
  for (int part = 0; part < 2; ++part) {
    const bf16* weight = WeightStream<Slots>::acquire(s, index + part);
    u.add_product(work.tile[part], kPitch<bf16>, weight, kHidden / 16);
    if (part == 0 && s.net.has_global && threadIdx.x < kHidden) {
      const auto pool = [&](int warp) { return work.pools[warp][threadIdx.x]; };
      const Pooling pooling(s.batch);
      float value = pool(0);
      for (int w = 1; w < kFusedWarps; ++w) {
        value = pooling.join(value, pool(w));
      }
      s.state().edge_pool[threadIdx.x] = value;
    }
    WeightStream<Slots>::release(s, index + part);
  }
  ColumnMoments<kNodeTile, kFusedWarps> moments;
  moments.clear();
  u.for_pairs([&](int row, int column, int n, float& a, float& b) {
    const float2 c = load2(s.state().node_constant + column);
    a = fmaxf(a + fminf(c.x, 0.0f), -fmaxf(c.x, 0.0f));
    b = fmaxf(b + fminf(c.y, 0.0f), -fmaxf(c.y, 0.0f));
    if (row < s.nodes) {
      moments.add(n, a, b);
    }
  });
  moments.finish(s.work<float>(), s.state().moments);
}

/// Pool over the slice's nodes, column by column: the eight lanes that share a column hold the rows of their warp, and
/// kRowWarps warps share a column. A barrier of the block lies in here.
__device__ inline void pool_nodes(const Slice& s, NodeTile& h_v) {
  const Pooling pooling(s.batch);
  auto& parts = s.work<NodeWork>()->pools;
  float pool[NodeTile::kColumnTiles][2];
#pragma unroll
  for (int n = 0; n < NodeTile::kColumnTiles; ++n) {
    pool[n][0] = pool[n][1] = pooling.none();
  }
  h_v.for_pairs([&](int row, int, int n, float& a, float& b) {
    if (row < s.nodes) {
      pool[n][0] = pooling.join(pool[n][0], a);
      pool[n][1] = pooling.join(pool[n][1], b);
    }
  });
#pragma unroll
  for (int n = 0; n < NodeTile::kColumnTiles; ++n) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
#pragma unroll
      for (int offset = 4; offset < 32; offset <<= 1) {
        pool[n][i] = pooling.join(pool[n][i], __shfl_xor_sync(kFullWarp, pool[n][i], offset));
      }
      if (NodeTile::lane() < 4) {
        parts[NodeTile::row_warp()][NodeTile::column(n) + i] = pool[n][i];
      }
    }
  }
  __syncthreads();
  if (threadIdx.x < kHidden) {
    float value = parts[0][threadIdx.x];
    for (int w = 1; w < NodeTile::kRowWarps; ++w) {
      value = pooling.join(value, parts[w][threadIdx.x]);
    }
    s.state().node_pool[threadIdx.x] = value;
  }
}

/// Second pass: h_v, its pool and, unless the block is the last, sent and received [n × 128] in the order of
/// row_place. Ends without a barrier.
template <int Slots>
__device__ inline void normalise_nodes(const Slice& s, int index, bool last, NodeTile& u, NodeTile& h_v) {
#pragma unroll
  for (int m = 0; m < NodeTile::kRowTiles; ++m) {
#pragma unroll
    for (int n = 0; n < NodeTile::kColumnTiles; ++n) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int column = NodeTile::column(n) + i % 2;
        h_v.value[m][n][i] += fmaf(u.value[m][n][i], s.state().norm[column], s.state().norm[kHidden + column]);
      }
    }
  }
  if (s.net.has_global) {
    pool_nodes(s, h_v);
  }
  if (last) {
    return;
  }
  store_nodes(s, h_v);
  bf16* tile = s.work<NodeWork>()->tile[2];
  store_tile(h_v, tile);
#pragma unroll 1
  for (int part = 0; part < 2; ++part) {
    const bf16* weight = WeightStream<Slots>::acquire(s, index + part);
    u.clear();
    u.add_product(tile, kPitch<bf16>, weight, kHidden / 16);
    bf16* out = static_cast<bf16*>(part == 0 ? s.batch.network.sent : s.batch.network.received) +
                (s.t.node_offset + s.first_node) * kHidden;
    u.for_pairs([&](int row, int column, int, float& a, float& b) {
      if (row < s.nodes) {
        store2(out + row * kHidden + row_place(column), a, b);
      }
    });
    WeightStream<Slots>::release(s, index + part);
  }
}

/// Both passes over the nodes of a block. Begins when the block's own edges are normalised, ends without a barrier.
template <int Slots>
__device__ __noinline__ void pass_nodes(int block) {
  const Slice& s = slice();
  const int index = block * WeightStream<Slots>::kPerBlock;
  const BlockOffsets& offsets = s.net.block[block];
  NodeTile h_v;
  NodeTile u;
  load_nodes(s, block == 0, h_v);
  begin_nodes<Slots>(s, index + 1, h_v, u);
  cluster_sync();
  update_nodes<Slots>(s, index + 2, u);
  cluster_sync();
  normalisation_of(s, static_cast<double>(s.t.nodes), offsets.node_scale, offsets.node_shift);
  normalise_nodes<Slots>(s, index + 4, block + 1 == s.net.blocks, u, h_v);
}

}  // namespace moco::cuda
