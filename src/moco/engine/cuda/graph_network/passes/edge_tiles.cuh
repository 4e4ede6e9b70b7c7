// Tiles of 64 edges in shared memory, in bf16, and what the columns of u are before the normalisation
// (edge_tile_pass.cu).
//
// A chunk is a range of nodes with the edges that leave them; a thread block goes through them 64 at a time, whatever
// node they leave. Products are transposed (column_product.cuh): a thread has two columns of all edges.
//
// LaterTiles reads h_e [E × 128], sent and received [n × 128], in the order of row_place. What all edges of a node or
// of the trajectory add to u takes part in the product: the matrix gets rows for the constant, three that together are
// exact, and for sent of the chunk's nodes, and a tile has ones in their columns. received is what the product is added
// to. FirstTiles begins with the feature rows F [E × 48] (feature_rows.cuh). There h_e = F·A + a, so that h_e·W_e =
// F·(A·W_e) + a·W_e with the products in parentheses formed beforehand: nothing is written before the first block ends.
//
// A tile is on its way while the one before is worked on.
#pragma once

#include "moco/engine/cuda/graph_network/passes/pass_kernels.h"
#include "moco/engine/cuda/kit/column_product.cuh"
#include "moco/engine/cuda/step/feature_rows.cuh"

namespace moco::cuda {

constexpr int kTileThreads = 256;
static_assert(kTileEdges == kTileRows);
constexpr int kConstants = 3;  // rows for the constant
constexpr int kEnds = 32;      // rows for the constant and for sent
static_assert(kConstants + kMostEdgeNodes <= kEnds);

/// What a thread block knows of its chunk.
struct ChunkContext {
  const DeviceBatch& batch;
  const NetworkOffsets& net;
  const TrajectoryData& t;
  const GraphData& graph;
  const RowChunk& chunk;
  float inverse_degree = 1.0f / static_cast<float>(graph.degree);

  __device__ unsigned edges() const { return chunk.rows * graph.degree; }
  __device__ unsigned tiles() const { return (edges() + kTileRows - 1) / kTileRows; }
  /// Number of the node within the chunk that an edge leaves. The quotients are less than 32, and a whole number is
  /// further from them than they are off for any number of neighbours below 10 000.
  __device__ unsigned sender(unsigned edge) const {
    return static_cast<unsigned>((static_cast<float>(edge) + 0.5f) * inverse_degree);
  }
  /// Of an edge of the chunk among the variables of the batch.
  __device__ long long variable(unsigned edge) const {
    return t.variable_offset + static_cast<long long>(chunk.first) * graph.degree + edge;
  }
  __device__ const bf16* message(const void* rows, int node) const {
    return static_cast<const bf16*>(rows) + (t.node_offset + node) * kHidden;
  }
  /// What is added to a column of all edges of a block.
  __device__ float constant(int block, int column) const {
    const float* source = net.has_global
                              ? batch.network.edge_constant + static_cast<long long>(chunk.trajectory) * kHidden
                              : vectors_of(batch, t.weights) + net.block[block].edge_bias;
    return source[column];
  }
};

/// −max(c, 0) of the constants c of the thread's columns: u is the larger of that and the sum of everything, with
/// min(c, 0) in it.
struct ColumnFloors {
  float value[2];

  __device__ void set(const ChunkContext& context, int block, const ColumnPlace& place) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      value[i] = -fmaxf(context.constant(block, place.column(i)), 0.0f);
    }
  }
  __device__ void apply(ColumnSums& u) const {
#pragma unroll
    for (auto& sums : u.value) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        sums[i] = fmaxf(sums[i], value[i / 2]);
      }
    }
  }
};

struct TileShared {
  HalfTile h[2];
  HalfTile received[2];
  HalfTile ends;  ///< ones in two columns and more of each edge
};

class LaterTiles {
  /// While no second tile is there.
  struct Staged {
    StagedMatrix<kHidden> weight;
    StagedMatrix<kEnds> ends;
  };

 public:
  struct Shared {
    TileShared tile[2];
  };

  __device__ LaterTiles(const ChunkContext& context, Shared& shared)
      : at_(context), shared_(shared), staged_(*reinterpret_cast<Staged*>(&shared.tile[1])) {
    static_assert(sizeof(Staged) <= sizeof(TileShared));
  }

  /// Starts fetching the weights and the receivers of the first tile: what no kernel of a step writes.
  __device__ void fetch_weights(int block) {
    staged_.weight.template fetch<kTileThreads, true, kHidden>(matrices_of<bf16>(at_.batch, at_.t.weights) +
                                                               at_.net.block[block].edge);
    look_ahead(0);
  }

  /// Fetches everything else before the first tile. All threads.
  __device__ void begin(int block) {
    const unsigned piece = threadIdx.x % kPieces;
    const bf16* sent = at_.message(at_.batch.network.sent, at_.chunk.first) + 8 * piece;
    const auto nodes = static_cast<unsigned>(at_.chunk.rows);
#pragma unroll
    for (unsigned node = threadIdx.x / kPieces; node < kEnds - kConstants; node += kRowsAtOnce) {
      copy_async16_or_zero(staged_.ends.at(kConstants + node, piece), sent + node * kHidden, node < nodes);
    }
    fetch(0);
    if (const int c = static_cast<int>(threadIdx.x); c < kHidden) {
      staged_.ends.set_three(0, c, fminf(at_.constant(block, c), 0.0f));
    }
    floors_.set(at_, block, place_);
    wait_matrices();
    __syncthreads();
    weight_.load(staged_.weight, place_);
    ends_.load(staged_.ends, place_);
    __syncthreads();  // the second tile may come
  }

  /// Goes to a tile, one after the other. All threads.
  __device__ void take(unsigned tile) {
    if (tile > 0) {
      wait_matrices();
      __syncthreads();
    }
    now_ = &shared_.tile[tile % 2];
    fetch(tile + 1);
  }

  /// u of the tile; less max(constant, 0), as in edge_pass.cu.
  __device__ void columns(ColumnSums& u) {
#pragma unroll
    for (int step = 0; step < kTileRows / 16; ++step) {
      std::uint32_t pairs[4];
      load_transposed(place_.rows(now_->received[place_.half], step), pairs);
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const float2 pair = unpack2(pairs[i]);
        u.value[2 * step + i / 2][i % 2 * 2] = pair.x;
        u.value[2 * step + i / 2][i % 2 * 2 + 1] = pair.y;
      }
    }
    begin_products<bf16>();
    add_columns<0, kHalf / 16>(u, weight_, now_->h[0]);
    add_columns<kHalf, kHalf / 16>(u, weight_, now_->h[1]);
    add_columns<0, kEnds / 16>(u, ends_, now_->ends);
    wait_products<bf16>(u);
    floors_.apply(u);
  }

  __device__ const ColumnPlace& place() const {
    return place_;
  }
  /// The same, and h_e, which read_h then gives.
  __device__ void columns_and_h(ColumnSums& u) {
    columns(u);
  }
  /// h_e of the rows of ColumnPlace::rows(step).
  __device__ void read_h(int step, float2 (&h)[4]) const {
    std::uint32_t pairs[4];
    load_transposed(place_.rows(now_->h[place_.half], step), pairs);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      h[i] = unpack2(pairs[i]);
    }
  }
  /// A place for the warpgroup's half of the new h_e; free once columns() has returned, as far as a warp's own columns
  /// go.
  __device__ HalfTile& result() const {
    return now_->received[place_.half];
  }

 private:
  static constexpr unsigned kPieces = 2 * HalfTile::kPieces;       ///< in a row of memory
  static constexpr unsigned kRowsAtOnce = kTileThreads / kPieces;  ///< that the block copies
  static constexpr unsigned kRowsOfThread = kTileRows / kRowsAtOnce;
  static_assert(kRowsAtOnce % 8 == 0);  // the pieces of all rows of a thread are exchanged alike

  /// Looks up the receivers of the rows that this thread copies of a tile.
  __device__ void look_ahead(unsigned tile) {
    const unsigned first = tile * kTileRows + threadIdx.x / kPieces;
    const int* targets = at_.graph.targets + at_.chunk.first * at_.graph.degree + first;
#pragma unroll
    for (unsigned i = 0; i < kRowsOfThread; ++i) {
      receiver_[i] = first + i * kRowsAtOnce < at_.edges() ? targets[i * kRowsAtOnce] : 0;
    }
  }

  /// Asks for a tile, zeros behind the last edge, and then for the receivers of the next.
  __device__ void fetch(unsigned tile) {
    const unsigned begin = tile * kTileRows;
    if (begin >= at_.edges()) {
      return;
    }
    const unsigned left = at_.edges() - begin;
    TileShared& to = shared_.tile[tile % 2];
    const unsigned piece = threadIdx.x % kPieces;
    const unsigned first = threadIdx.x / kPieces;
    const unsigned half = piece / HalfTile::kPieces;
    const unsigned offset = HalfTile::offset(first, piece % HalfTile::kPieces);
    bf16* to_h = to.h[half].element + offset;
    bf16* to_received = to.received[half].element + offset;
    const bf16* h_e =
        static_cast<const bf16*>(at_.batch.network.h_e) + at_.variable(begin + first) * kHidden + 8 * piece;
    const bf16* received = at_.message(at_.batch.network.received, 0) + 8 * piece;
#pragma unroll
    for (unsigned i = 0; i < kRowsOfThread; ++i) {
      const unsigned row = i * kRowsAtOnce;
      copy_async16_or_zero(to_h + row * kHalf, h_e + row * kHidden, first + row < left);
      copy_async16_or_zero(to_received + row * kHalf, received + receiver_[i] * kHidden, first + row < left);
    }
    constexpr unsigned kEighths = kEnds / 8;
    static_assert(kTileRows * kEighths == kTileThreads);
    const unsigned row = threadIdx.x / kEighths;
    const unsigned eighth = threadIdx.x % kEighths;
    const std::uint32_t ones =
        row < left ? ((1u << kConstants) - 1u) | 1u << (kConstants + at_.sender(begin + row)) : 0u;
    std::uint32_t pairs[4];
#pragma unroll
    for (unsigned n = 0; n < 4; ++n) {
      pairs[n] = pair_of_bits<bf16>(ones >> (8 * eighth + 2 * n));
    }
    store_four(to.ends.at(row, eighth), pairs);
    look_ahead(tile + 1);
  }

  const ChunkContext& at_;
  Shared& shared_;
  Staged& staged_;
  ColumnPlace place_;
  TileShared* now_ = nullptr;
  int receiver_[kRowsOfThread];
  ColumnFloors floors_;
  ColumnWeights<kHidden> weight_;
  ColumnWeights<kEnds> ends_;
};

/// `Given`: from given_rows instead of the search state.
template <bool Given>
class FirstTiles {
  // Columns of a tile after the features: ones for the constant, then ones where an edge leaves the start, then where
  // it enters it, three of each.
  static constexpr int kConstantColumn = kVariableFeatures + 3;
  static constexpr int kFromStart = kFeatureRows;
  static constexpr int kToStart = kFeatureRows + 3;
  static constexpr int kColumns = 64;
  static_assert(kConstantColumn + kConstants < kFeatureRows);

 public:
  struct Shared {
    HalfTile features[2];
    HalfTile result[2];
    StagedMatrix<kColumns> product;  ///< embedding times W_e
    StagedMatrix<kFeatureRows> embedding;
  };

  __device__ FirstTiles(const ChunkContext& context, Shared& shared) : at_(context), shared_(shared) {}

  /// As in LaterTiles.
  __device__ void fetch_weights(int) {
    const bf16* matrices = matrices_of<bf16>(at_.batch, at_.t.weights);
    shared_.product.template fetch<kTileThreads, false, kConstantColumn>(matrices + at_.net.first_edge);
    shared_.embedding.template fetch<kTileThreads, false, kConstantColumn>(matrices + at_.net.embedding);
    shared_.product.template clear<kTileThreads>(kConstantColumn + kConstants, kFromStart);
    shared_.product.template clear<kTileThreads>(kToStart + 3, kColumns);
    shared_.embedding.template clear<kTileThreads>(kConstantColumn + kConstants, kFeatureRows);
    const float* vectors = vectors_of(at_.batch, at_.t.weights);
    if (const int c = static_cast<int>(threadIdx.x); c < kHidden) {
      const float* rows = vectors + at_.net.start_rows + c;  // of ordinary nodes and of the start
      shared_.product.set_three(kFromStart, c, rows[kHidden] - rows[0]);
      shared_.product.set_three(kToStart, c, rows[3 * kHidden] - rows[2 * kHidden]);
      shared_.embedding.set_three(kConstantColumn, c, vectors[at_.net.embedding_bias + c]);
    }
  }

  /// As in LaterTiles.
  __device__ void begin(int block) {
    look_ahead(0);
    const float* vectors = vectors_of(at_.batch, at_.t.weights);
    if (const int c = static_cast<int>(threadIdx.x); c < kHidden) {
      // what W_e makes of the embedding's bias, and of the ends of an edge unless one is the start
      shared_.product.set_three(kConstantColumn, c,
                                fminf(at_.constant(block, c), 0.0f) + vectors[at_.net.start_rows + c] +
                                    vectors[at_.net.start_rows + 2 * kHidden + c] + vectors[at_.net.first_bias + c]);
    }
    floors_.set(at_, block, place_);
    set_features(0);
    wait_matrices();
    __syncthreads();
    product_.load(shared_.product, place_);
    embedding_.load(shared_.embedding, place_);
  }

  /// As in LaterTiles.
  __device__ void take(unsigned tile) {
    if (tile > 0) {
      wait_matrices();
      __syncthreads();
    }
    now_ = &shared_.features[tile % 2];
    set_features(tile + 1);
  }

  __device__ void columns(ColumnSums& u) {
    begin_products<bf16>();
    add_columns<0, kColumns / 16>(u, product_, *now_, false);
    wait_products<bf16>(u);
    floors_.apply(u);
  }
  __device__ void columns_and_h(ColumnSums& u) {
    begin_products<bf16>();
    add_columns<0, kColumns / 16>(u, product_, *now_, false);
    add_columns<0, kFeatureRows / 16>(h_, embedding_, *now_, false);
    wait_products<bf16>(u);
    wait_products<bf16>(h_);
    floors_.apply(u);
  }
  __device__ void read_h(int step, float2 (&h)[4]) const {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const float* pair = h_.value[2 * step + i / 2] + i % 2 * 2;
      h[i] = make_float2(pair[0], pair[1]);
    }
  }
  __device__ HalfTile& result() const {
    return shared_.result[place_.half];
  }
  __device__ const ColumnPlace& place() const {
    return place_;
  }

 private:
  /// What a quarter of an edge's features is made of. Odd and even: the momenta of columns 32 + 2q and 33 + 2q.
  struct Words {
    int receiver;
    float distance;
    std::uint32_t bits;
    float theta;
    float gradient;
    float odd;
    float even;
  };

  /// Four threads share an edge: q = 0 … 3.
  __device__ static unsigned edge_of(unsigned tile) {
    return tile * kTileRows + threadIdx.x / 4;
  }

  /// Asks for a tile's words; GNN_init sees the distances alone.
  __device__ void look_ahead(unsigned tile) {
    const unsigned edge = min(edge_of(tile), at_.edges() - 1);
    const unsigned of_graph = at_.chunk.first * at_.graph.degree + edge;
    words_.receiver = at_.graph.targets[of_graph];
    words_.distance = at_.graph.feature[of_graph];
    if (at_.net.has_global && !Given) {
      const unsigned q = threadIdx.x % 4;
      const long long at = at_.variable(edge);
      const SearchData& search = at_.batch.search;
      words_.bits = search.membership[at];
      words_.theta = search.theta[at];
      words_.gradient = search.gradient[at];
      words_.odd = search.momenta[(q > 0 ? 2 * q - 1 : 0) * at_.batch.total_variables + at];
      words_.even = q < 3 ? search.momenta[2 * q * at_.batch.total_variables + at] : words_.gradient;
    }
  }

  /// Sets a tile, zeros behind the last edge, and then asks for the words of the next.
  __device__ void set_features(unsigned tile) {
    if (tile * kTileRows >= at_.edges()) {
      return;
    }
    static_assert(kTileThreads == 4 * kTileRows && kConstantColumn == 44);
    const unsigned q = threadIdx.x % 4;
    const unsigned row = threadIdx.x / 4;
    const unsigned edge = edge_of(tile);
    const bool is_there = edge < at_.edges();
    std::uint32_t pairs[kColumns / 8];
    if constexpr (Given) {
      set_given(at_.variable(is_there ? edge : 0), q, pairs);
    } else {
      set_pairs(q, pairs);
    }
    const auto degree = static_cast<unsigned>(at_.graph.degree);
    const bool from = edge - static_cast<unsigned>(at_.t.start - at_.chunk.first) * degree < degree;
    const bool to = !from && words_.receiver == at_.t.start;
    pairs[5] = q < 2 ? pairs[5] : pair_of_bits<bf16>(q == 2 ? 3u : 1u);
    pairs[6] = pair_of_bits<bf16>(((from ? 7u : 0u) | (to ? 56u : 0u)) >> (2 * q));
    pairs[7] = 0;
    HalfTile& out = shared_.features[tile % 2];
#pragma unroll
    for (int j = 0; j < kColumns / 8; ++j) {
      reinterpret_cast<std::uint32_t*>(out.at(row, j))[q] = is_there ? pairs[j] : 0u;
    }
    look_ahead(tile + 1);
  }

  __device__ void set_given(long long at, unsigned q, std::uint32_t (&pairs)[kColumns / 8]) const {
#pragma unroll
    for (int j = 0; j < kFeatureRows / 8; ++j) {
      const int column = 8 * j + 2 * static_cast<int>(q);
      pairs[j] = pack2(given_feature<bf16>(at_.batch, at, column), given_feature<bf16>(at_.batch, at, column + 1));
    }
  }

  /// The pairs (8j + 2q, 8j + 2q + 1) of a feature row. Columns: distance, 32 memberships, six momenta, gradient, θ,
  /// low halves of distance, gradient and θ.
  __device__ void set_pairs(unsigned q, std::uint32_t (&pairs)[kColumns / 8]) const {
    static_assert(kMembershipColumn == 1 && kMomentumColumn == 33 && kGradientColumn == 39 && kThetaColumn == 40);
    const bool update = at_.net.has_global;
    const float scale = at_.batch.network.gradient_scale;
    const float theta = update ? words_.theta : 0.0f;
    const float gradient = update ? scale * words_.gradient : 0.0f;
    const float odd = update ? scale * words_.odd : 0.0f;
    const float even = update ? scale * words_.even : 0.0f;
    const std::uint32_t bits = update ? words_.bits : 0u;
    const std::uint32_t own = q == 0 ? bits << 1 : bits >> (2 * q - 1);  // bit 8j: column 8j + 2q
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      pairs[j] = pair_of_bits<bf16>(own >> (8 * j));
    }
    pairs[0] = q == 0 ? pack2(words_.distance, static_cast<float>(bits & 1u)) : pairs[0];
    pairs[4] = pack2(q == 0 ? static_cast<float>(bits >> 31) : odd, even);
    pairs[5] = pack2(q == 0 ? theta : low_half(gradient), q == 0 ? low_half(words_.distance) : low_half(theta));
  }

  const ChunkContext& at_;
  Shared& shared_;
  ColumnPlace place_;
  HalfTile* now_ = nullptr;
  Words words_ = {};
  ColumnFloors floors_;
  ColumnWeights<kColumns> product_;
  ColumnWeights<kFeatureRows> embedding_;
  ColumnSums h_;
};

}  // namespace moco::cuda
