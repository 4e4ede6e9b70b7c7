// The edges of a block of the fused network, for one slice: u = ReLU(h_e·W_e + sent_i + received_j + constant) with its
// moments (see edge_pass.cu for how a large constant is kept out of u), then h_e ← h_e + u·factor + shift and, in the
// last block, θ̃ = w·h_e + b.
//
// h_e [rows × 128] bf16 stays in shared memory. A warp takes units of 32 edges × 32 columns and waits for no other
// warp; it writes u (bf16) in the order of its accumulators and later reads back what it wrote itself.
#pragma once

#include "moco/engine/cuda/graph_network/fused/fused_slice.cuh"
#include "moco/engine/cuda/step/feature_rows.cuh"
#include "moco/engine/cuda/step/global.cuh"

namespace moco::cuda {

/// Pair n of four packed in a vector; n known at compile time.
__device__ inline float2 pair_of(const uint4& four, int n) {
  return unpack2(n == 0 ? four.x : n == 1 ? four.y : n == 2 ? four.z : four.w);
}

__device__ inline uint4 four_pairs(const bf16* row) {
  return *reinterpret_cast<const uint4*>(row);
}

/// u of the warp's unit among the 128 edges from local number `begin` on.
template <bool First>
__device__ inline void update_unit(const Slice& s, int begin, const bf16* weight,
                                   ColumnMoments<kEdgeTile, kFusedWarps>& moments) {
  constexpr int kRows = 2 * EdgeTile::kRowTiles;  // of a thread
  const int place = row_place(EdgeTile::column(0));
  const bf16* sent = static_cast<const bf16*>(s.batch.network.sent) + s.t.node_offset * kHidden + place;
  bool from_start[kRows];
  int receiver[kRows];
  uint4 from[kRows];
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    const int edge = s.first_edge + min(begin + EdgeTile::row(i / 2) + i % 2 * 8, s.rows - 1);
    const int sender = edge / s.graph.degree;
    receiver[i] = s.graph.targets[edge];
    from_start[i] = sender == s.t.start;
    if constexpr (!First) {
      from[i] = four_pairs(sent + static_cast<long long>(sender) * kHidden);  // arrives during the product
    }
  }
  EdgeTile acc;
  acc.clear();
  acc.add_product(s.h() + begin * kPitch<bf16>, kPitch<bf16>, weight, kHidden / 16);
  uint4* out =
      s.unit(begin / kUnitRows + EdgeTile::row_warp()) + EdgeTile::column_warp() * 32 * kRows + EdgeTile::lane();
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    const bool mine = begin + EdgeTile::row(i / 2) + i % 2 * 8 < s.rows;
    std::uint32_t packed[EdgeTile::kColumnTiles];
    const auto finish = [&](int n, float2 ends) {
      const float* value = acc.value[i / 2][n] + i % 2 * 2;
      const float2 c = load2(s.state().edge_constant + EdgeTile::column(n));
      const float a = fmaxf(value[0] + fminf(c.x, 0.0f) + ends.x, -fmaxf(c.x, 0.0f));
      const float b = fmaxf(value[1] + fminf(c.y, 0.0f) + ends.y, -fmaxf(c.y, 0.0f));
      if (mine) {
        moments.add(n, a, b);
      }
      packed[n] = pack2(a, b);
    };
    if constexpr (First) {
      const bool to_start = receiver[i] == s.t.start;
      const float* start = s.vectors + s.net.start_rows;
#pragma unroll
      for (int n = 0; n < EdgeTile::kColumnTiles; ++n) {
        float2 sum = load2(s.state().ordinary + EdgeTile::column(n));
        if (from_start[i] || to_start) {
          const float2 sender = load2(start + (from_start[i] ? kHidden : 0) + EdgeTile::column(n));
          const float2 to = load2(start + (to_start ? 3 : 2) * kHidden + EdgeTile::column(n));
          sum = make_float2(sender.x + to.x, sender.y + to.y);
        }
        finish(n, sum);
      }
    } else {
      const uint4 to = four_pairs(s.work<bf16>() + receiver[i] * kHidden + place);
#pragma unroll
      for (int n = 0; n < EdgeTile::kColumnTiles; ++n) {
        const float2 a = pair_of(from[i], n);
        const float2 b = pair_of(to, n);
        finish(n, make_float2(a.x + b.x, a.y + b.y));
      }
    }
    out[32 * i] = make_uint4(packed[0], packed[1], packed[2], packed[3]);
  }
}

/// h_e of 128 edges from their features; the embedding lies at the start of the work area. Two barriers.
__device__ inline void embed_edges(const Slice& s, int begin) {
  bf16* features = s.work<bf16>() + kFeatureRows * kPitch<bf16>;
  build_features<kFusedThreads>(s.batch, s.graph, s.t.variable_offset, s.first_edge + begin,
                                min(kEdgeTile, s.rows - begin), kEdgeTile, !s.net.has_global, features);
  __syncthreads();
  EdgeTile acc;
  acc.clear();
  acc.add_product(features, kFeaturePitch<bf16>, s.work<bf16>(), kFeatureRows / 16);
  acc.for_pairs([&](int row, int column, int, float& a, float& b) {
    const float2 bias = load2(s.state().embedding_bias + column);
    if (begin + row < s.rows) {
      store2(s.h() + (begin + row) * kPitch<bf16> + column, a + bias.x, b + bias.y);
    }
  });
  __syncthreads();
}

/// First pass: u of all edges of the slice with the matrix of this number, its moments into the state. Ends without a
/// barrier.
template <bool First, int Slots>
__device__ __noinline__ void update_edges(int index) {
  const Slice& s = slice();
  if constexpr (First) {
    fetch_matrix<kFusedThreads>(s.work<bf16>(), s.matrices + s.net.embedding, kFeatureRows);
  } else {
    fetch_matrix<kFusedThreads, kHidden>(
        s.work<bf16>(), static_cast<const bf16*>(s.batch.network.received) + s.t.node_offset * kHidden, s.t.nodes);
  }
  wait_async();
  const bf16* weight = WeightStream<Slots>::acquire(s, index);
  ColumnMoments<kEdgeTile, kFusedWarps> moments;
  moments.clear();
  for (int begin = 0; begin < s.rows; begin += kEdgeTile) {
    if constexpr (First) {
      embed_edges(s, begin);
    }
    if (begin + EdgeTile::row_warp() * kUnitRows < s.rows) {
      update_unit<First>(s, begin, weight, moments);
    }
  }
  WeightStream<Slots>::release(s, index);  // with it, the work area is free
  moments.finish(s.work<float>(), s.state().moments);
}

/// u of a unit as this thread wrote it.
struct UnitWords {
  uint4 row[2 * EdgeTile::kRowTiles];

  __device__ void load(const uint4* unit) {
#pragma unroll
    for (int i = 0; i < 2 * EdgeTile::kRowTiles; ++i) {
      row[i] = unit[32 * i];
    }
  }
};

/// Second pass: h_e ← h_e + u·factor + shift. `Last`: also θ̃ of each edge, by quarters of the columns, into the work
/// area [4 × rows] floats. Ends without a barrier.
template <bool Last>
__device__ __noinline__ void normalise_edges() {
  const Slice& s = slice();
  constexpr int kStep = EdgeTile::kRowWarps;
  const int own = EdgeTile::column_warp() * 64 * EdgeTile::kRowTiles + EdgeTile::lane();
  UnitWords u;
  if (EdgeTile::row_warp() * kUnitRows < s.rows) {
    u.load(s.unit(EdgeTile::row_warp()) + own);
  }
  for (int unit = EdgeTile::row_warp(); unit * kUnitRows < s.rows; unit += kStep) {
    UnitWords next;
    if ((unit + kStep) * kUnitRows < s.rows) {
      next.load(s.unit(unit + kStep) + own);
    }
    const int first = (unit - EdgeTile::row_warp()) * kUnitRows;
    float decoded[2 * EdgeTile::kRowTiles] = {};
#pragma unroll
    for (int n = 0; n < EdgeTile::kColumnTiles; ++n) {
      const int column = EdgeTile::column(n);
      const float2 factor = load2(s.state().norm + column);
      const float2 shift = load2(s.state().norm + kHidden + column);
      const float2 decoder = Last ? load2(s.state().decoder + column) : make_float2(0.0f, 0.0f);
#pragma unroll
      for (int i = 0; i < 2 * EdgeTile::kRowTiles; ++i) {
        const int row = first + EdgeTile::row(i / 2) + i % 2 * 8;
        if (row < s.rows) {
          bf16* at = s.h() + row * kPitch<bf16> + column;
          const float2 update = pair_of(u.row[i], n);
          float2 h = load2(at);
          h.x += fmaf(update.x, factor.x, shift.x);
          h.y += fmaf(update.y, factor.y, shift.y);
          store2(at, h.x, h.y);
          decoded[i] = fmaf(h.y, decoder.y, fmaf(h.x, decoder.x, decoded[i]));
        }
      }
    }
    if constexpr (Last) {
#pragma unroll
      for (int i = 0; i < 2 * EdgeTile::kRowTiles; ++i) {
        const int row = first + EdgeTile::row(i / 2) + i % 2 * 8;
        decoded[i] += __shfl_xor_sync(kFullWarp, decoded[i], 1);
        decoded[i] += __shfl_xor_sync(kFullWarp, decoded[i], 2);
        if (row < s.rows && EdgeTile::lane() % 4 == 0) {
          s.work<float>()[EdgeTile::column_warp() * s.rows + row] = decoded[i];
        }
      }
    }
    u = next;
  }
}

/// What is decoded, from the quarters that normalise_edges left. Begins with a barrier of the block.
__device__ inline void store_theta(const Slice& s) {
  __syncthreads();
  const float* decoded = s.work<float>();
  const float bias = s.vectors[s.net.decoder_bias];
  const long long first = s.t.variable_offset + s.first_edge;
  for (int row = static_cast<int>(threadIdx.x); row < s.rows; row += kFusedThreads) {
    float sum = bias;
#pragma unroll
    for (int quarter = 0; quarter < EdgeTile::kColumnWarps; ++quarter) {
      sum += decoded[quarter * s.rows + row];
    }
    store_decoded(s.batch, s.net, first + row, sum);
  }
}

}  // namespace moco::cuda
