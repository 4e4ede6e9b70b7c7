// The rows of the passes over edges (edge_pass.cu): what a warp holds of 16 edges, and u of them.
//
// LaterRows reads h_e [E × 128], sent and received [n × 128] (T, in the order of row_place); FirstRows begins with the
// feature rows F [E × 48] (feature_rows.cuh). There h_e = F·A + a, so that h_e·W_e = F·(A·W_e) + a·W_e with the
// products in parentheses formed beforehand: nothing is written before the first block ends.
//
// What all edges of a node or of the trajectory add to u takes part in the product: the rows on the left get ones in
// further columns, and the matrix on the right gets the constant, in three rows that together are exact, and sent of
// the chunk's nodes. received is what the product is added to.
//
// What a step needs is under way during the step before.
#pragma once

#include "moco/engine/cuda/graph_network/passes/pass_kernels.h"
#include "moco/engine/cuda/kit/row_product.cuh"
#include "moco/engine/cuda/step/feature_rows.cuh"

namespace moco::cuda {

constexpr int kEdgeThreads = 32 * kEdgeWarps;
constexpr int kColumnPairs = kHidden / 2;
constexpr int kGroups = kPairs / 4;                     // of four pairs, in a row of a thread
constexpr int kFeaturePairs = kFeatureRows / 8;         // of a thread in a feature row
constexpr int kConstantRows = 3;                        // of a matrix, for a constant
constexpr int kConstantColumn = kVariableFeatures + 3;  // of a feature row, of the first of its ones for a constant

__device__ inline int column_pair(int half, int j) {
  return half * (kHalf / 2) + 4 * j + static_cast<int>(threadIdx.x) % 4;
}

/// The edges of this warp, and how many times a warp takes 16 of them: warps share the nodes of a chunk evenly.
struct EdgeRun {
  int first;
  int end;
  int steps;

  __device__ EdgeRun(const RowChunk& chunk, int degree) {
    const int each = (chunk.rows + kEdgeWarps - 1) / kEdgeWarps;
    const int warp = static_cast<int>(threadIdx.x) / 32;
    first = (chunk.first + min(warp * each, chunk.rows)) * degree;
    end = (chunk.first + min((warp + 1) * each, chunk.rows)) * degree;
    steps = (each * degree + kWarpRows - 1) / kWarpRows;
  }
  /// Row i of this thread in a step. Past the end the last edge stands in, for a warp without edges another warp's.
  __device__ int edge(int step, int i) const { return min(number(step, i), end - 1); }
  /// Whether there is such a row.
  __device__ bool has(int step, int i) const { return number(step, i) < end; }

 private:
  __device__ int number(int step, int i) const {
    return first + step * kWarpRows + static_cast<int>(threadIdx.x) % 32 / 4 + 8 * i;
  }
};

/// What both kinds of rows know.
struct EdgeContext {
  const DeviceBatch& batch;
  const NetworkOffsets& net;
  const TrajectoryData& t;
  const GraphData& graph;
  const EdgeRun& run;
  const RowChunk& chunk;

  __device__ long long variable(int step, int i) const { return t.variable_offset + run.edge(step, i); }

  /// What is added to a pair of columns of all edges of a block.
  __device__ float2 constant(int block, int pair) const {
    const float* source = net.has_global
                              ? batch.network.edge_constant + static_cast<long long>(chunk.trajectory) * kHidden
                              : vectors_of(batch, t.weights) + net.block[block].edge_bias;
    return load2(source + 2 * pair);
  }
};

/// The senders of this thread's two rows, step after step; past the end they go on.
class Senders {
 public:
  __device__ explicit Senders(const EdgeContext& context) : degree_(context.graph.degree) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int edge = context.run.first + static_cast<int>(threadIdx.x) % 32 / 4 + 8 * i;
      node_[i] = edge / degree_;
      place_[i] = edge % degree_;
    }
  }
  __device__ int of_row(int i) const {
    return node_[i];
  }
  /// To the next step.
  __device__ void advance() {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      for (place_[i] += kWarpRows; place_[i] >= degree_; place_[i] -= degree_) {
        ++node_[i];
      }
    }
  }

 private:
  int degree_;
  int node_[2];
  int place_[2];  ///< among the edges of the node
};

/// −max(c, 0) of the constants c, in the order in which threads take them.
struct Floors {
  static constexpr int kApart = kHalfTiles + 2;  // eight threads meet all banks once
  float2 value[2][4][kApart];

  __device__ void set(int pair, float2 constant) {
    const int half = pair / (kColumnPairs / 2);
    value[half][pair % 4][pair % (kColumnPairs / 2) / 4] =
        make_float2(-fmaxf(constant.x, 0.0f), -fmaxf(constant.y, 0.0f));
  }
  /// u from the sum of everything.
  __device__ void apply(int half, HalfRows& u) const {
    const auto* own = reinterpret_cast<const float4*>(value[half][threadIdx.x % 4]);
#pragma unroll
    for (int j = 0; j < kHalfTiles; j += 2) {
      const float4 floor = own[j / 2];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        u.value[j][i] = fmaxf(u.value[j][i], i % 2 == 0 ? floor.x : floor.y);
        u.value[j + 1][i] = fmaxf(u.value[j + 1][i], i % 2 == 0 ? floor.z : floor.w);
      }
    }
  }
};

/// Sets rows first … first + 2 of a matrix to two columns of a constant.
template <typename T, int Rows>
__device__ inline void set_constant_rows(RowMatrix<T, Rows>& matrix, int first, int pair, float2 constant) {
  const InThreeRows<T> rows(constant);
#pragma unroll
  for (int i = 0; i < kConstantRows; ++i) {
    matrix.set(first + i, 2 * pair, rows.part[i].x, rows.part[i].y);
  }
}

/// Rows of the first block; `Given`: from given_rows instead of the search state.
template <typename T, bool Given>
class FirstRows {
  /// What an edge's features are made of, a word each. Odd and even: the momenta of columns 32 + 2q and 33 + 2q.
  enum Word { kReceiver, kDistance, kBits, kTheta, kGradient, kOdd, kEven, kWords };

 public:
  struct Shared {
    float known[2][kWords][kEdgeThreads];  ///< on their way, for the two rows of every thread
    RowMatrix<T, kFeatureRows> embedding;
    RowMatrix<T, kFeatureRows> product;  ///< embedding times W_e
    ProductScratch<T, kEdgeWarps> scratch;
    Floors floors;
  };

  __device__ FirstRows(const EdgeContext& context, Shared& shared) : at_(context), shared_(shared), senders_(context) {}

  /// Starts fetching the weights and sets what no kernel of a step writes.
  __device__ void fetch_weights(int) {
    const T* matrices = matrices_of<T>(at_.batch, at_.t.weights);
    shared_.embedding.fetch(matrices + at_.net.embedding, 0, kConstantColumn);
    shared_.product.fetch(matrices + at_.net.first_edge, 0, kConstantColumn);
    const int pair = static_cast<int>(threadIdx.x);
    if (pair < kColumnPairs) {
      const float2 bias = load2(vectors_of(at_.batch, at_.t.weights) + at_.net.embedding_bias + 2 * pair);
      set_constant_rows(shared_.embedding, kConstantColumn, pair, bias);
      shared_.embedding.set(kFeatureRows - 1, 2 * pair, 0.0f, 0.0f);
      shared_.product.set(kFeatureRows - 1, 2 * pair, 0.0f, 0.0f);
    }
  }

  /// Starts fetching the first rows and sets the constants; wait_matrices and a barrier must follow.
  __device__ void begin(int block) {
    look_ahead(0);
    const int pair = static_cast<int>(threadIdx.x);
    if (pair < kColumnPairs) {
      const float* vectors = vectors_of(at_.batch, at_.t.weights) + 2 * pair;
      const float2 sent = load2(vectors + at_.net.start_rows);
      const float2 received = load2(vectors + at_.net.start_rows + 2 * kHidden);
      const float2 bias = load2(vectors + at_.net.first_bias);
      const float2 c = at_.constant(block, pair);
      // what W_e makes of the embedding's bias, and of the ends of an edge unless one is the start
      set_constant_rows(shared_.product, kConstantColumn, pair,
                        make_float2(fminf(c.x, 0.0f) + sent.x + received.x + bias.x,
                                    fminf(c.y, 0.0f) + sent.y + received.y + bias.y));
      shared_.floors.set(pair, c);
    }
  }

  /// Goes to a step, one after the other; u of both halves, in order, must follow. All threads.
  __device__ void take(int step) {
    wait_async();
    const int q = static_cast<int>(threadIdx.x) % 4;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      from_start_[i] = senders_.of_row(i) == at_.t.start;
      to_start_[i] = __float_as_int(known(i, kReceiver)) == at_.t.start;
      if constexpr (!Given) {
        set_pairs(i, features_[i]);
      } else {
#pragma unroll
        for (int j = 0; j < kFeaturePairs; ++j) {
          const int column = 8 * j + 2 * q;
          features_[i][j] = make_pair_of<T>(given_feature<T>(at_.batch, at_.variable(step, i), column),
                                            given_feature<T>(at_.batch, at_.variable(step, i), column + 1));
        }
      }
      static_assert(kConstantColumn == 44 && kConstantRows == 3);
      features_[i][5] = q < 2 ? features_[i][5] : pair_of_bits<T>(q == 2 ? 3u : 1u);
    }
    senders_.advance();
    at_start_ = __any_sync(kFullWarp, from_start_[0] || to_start_[0] || from_start_[1] || to_start_[1]);
    look_ahead(step + 1);
  }

  /// u in one half of the columns. All threads.
  __device__ HalfRows u(int half) {
    HalfRows u;
    begin_products<T>();
    add_product(u, features_, shared_.product, half, shared_.scratch.of_warp(), false);
    wait_products<T>(u);
    finish(half, u);
    return u;
  }

  /// The same, and h_e.
  __device__ HalfRows u_and_h(int half, HalfRows& h) {
    HalfRows u;
    begin_products<T>();
    add_product(u, features_, shared_.product, half, shared_.scratch.of_warp(), false);
    add_product(h, features_, shared_.embedding, half, shared_.scratch.of_warp(), false);
    wait_products<T>(u);
    wait_products<T>(h);
    finish(half, u);
    return u;
  }

 private:
  __device__ void finish(int half, HalfRows& u) const {
    if (at_start_) {
      add_start(half, u);
    }
    shared_.floors.apply(half, u);
  }

  /// What an end at the start adds instead of an ordinary one.
  __device__ void add_start(int half, HalfRows& u) const {
#pragma unroll
    for (int j = 0; j < kHalfTiles; ++j) {
      const float* rows = vectors_of(at_.batch, at_.t.weights) + at_.net.start_rows + 2 * column_pair(half, j);
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        if (from_start_[i] || to_start_[i]) {
          const float* ordinary = rows + (from_start_[i] ? 0 : 2 * kHidden);
          u.value[j][2 * i] += ordinary[kHidden] - ordinary[0];
          u.value[j][2 * i + 1] += ordinary[kHidden + 1] - ordinary[1];
        }
      }
    }
  }

  __device__ float known(int i, int word) const {
    return shared_.known[i][word][threadIdx.x];
  }

  /// Asks for a step's words; GNN_init sees the distances alone.
  __device__ void look_ahead(int step) {
    asm volatile("" ::: "memory");  // what lies there has been read
    const int q = static_cast<int>(threadIdx.x) % 4;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int edge = at_.run.edge(step, i);
      const long long at = at_.t.variable_offset + edge;
      const auto ask = [&](int word, const void* from) { copy_async4(&shared_.known[i][word][threadIdx.x], from); };
      ask(kReceiver, at_.graph.targets + edge);
      ask(kDistance, at_.graph.feature + edge);
      if (at_.net.has_global) {
        const float* momenta = at_.batch.search.momenta + at;
        ask(kBits, at_.batch.search.membership + at);
        ask(kTheta, at_.batch.search.theta + at);
        ask(kGradient, at_.batch.search.gradient + at);
        ask(kOdd, momenta + max(2 * q - 1, 0) * at_.batch.total_variables);
        ask(kEven, q < 3 ? momenta + 2 * q * at_.batch.total_variables : at_.batch.search.gradient + at);
      }
    }
    commit_async();
  }

  /// This thread's pairs of a feature row. Columns: distance, 32 memberships, six momenta, gradient, θ, low halves of
  /// distance, gradient and θ, zeros.
  __device__ void set_pairs(int i, Pair<T> (&pairs)[kFeaturePairs]) const {
    static_assert(kMembershipColumn == 1 && kMomentumColumn == 33 && kGradientColumn == 39 && kThetaColumn == 40);
    constexpr bool kLowHalves = sizeof(T) < sizeof(float);
    const bool update = at_.net.has_global;
    const int q = static_cast<int>(threadIdx.x) % 4;
    const float scale = at_.batch.network.gradient_scale;
    const float distance = known(i, kDistance);
    const float theta = update ? known(i, kTheta) : 0.0f;
    const float gradient = update ? scale * known(i, kGradient) : 0.0f;
    const float odd = update ? scale * known(i, kOdd) : 0.0f;
    const float even = update ? scale * known(i, kEven) : 0.0f;
    const std::uint32_t bits = update ? __float_as_uint(known(i, kBits)) : 0u;
    const std::uint32_t own = q == 0 ? bits << 1 : bits >> (2 * q - 1);  // bit 8j: column 8j + 2q
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      pairs[j] = pair_of_bits<T>(own >> (8 * j));
    }
    pairs[0] = q == 0 ? make_pair_of<T>(distance, static_cast<float>(bits & 1u)) : pairs[0];
    pairs[4] = make_pair_of<T>(q == 0 ? static_cast<float>(bits >> 31) : odd, even);
    const float low_theta = kLowHalves ? low_half(theta) : 0.0f;
    const float low_gradient = kLowHalves ? low_half(gradient) : 0.0f;
    const float low_distance = kLowHalves ? low_half(distance) : 0.0f;
    pairs[5] = make_pair_of<T>(q == 0   ? theta
                               : q == 1 ? low_gradient
                                        : 0.0f,
                               q == 0   ? low_distance
                               : q == 1 ? low_theta
                                        : 0.0f);
  }

  const EdgeContext& at_;
  Shared& shared_;
  Senders senders_;
  bool from_start_[2];
  bool to_start_[2];
  bool at_start_ = false;  ///< whether an edge of the warp's begins or ends at the start
  Pair<T> features_[2][kFeaturePairs];
};

/// Rows of all blocks but the first.
template <typename T>
class LaterRows {
  static constexpr int kEnds = 32;  ///< rows for the constant and for sent
  static_assert(kConstantRows + kMostEdgeNodes <= kEnds);

 public:
  struct Shared {
    RowMatrix<T, kHidden> weight;
    RowMatrix<T, kEnds> ends;                 ///< the constant, then sent of the chunk's nodes, then zeros
    FourSlot<T, kEdgeThreads> h[2][kGroups];  ///< on their way, for the two rows of every thread
    FourSlot<T, kEdgeThreads> received[2][kGroups];
    ProductScratch<T, kEdgeWarps> scratch;
    Floors floors;
  };

  __device__ LaterRows(const EdgeContext& context, Shared& shared) : at_(context), shared_(shared), senders_(context) {}

  /// As in FirstRows.
  __device__ void fetch_weights(int block) {
    look_ahead(0);
    shared_.weight.fetch(matrices_of<T>(at_.batch, at_.t.weights) + at_.net.block[block].edge);
    const int pair = static_cast<int>(threadIdx.x) % kColumnPairs;
    for (int row = kConstantRows + at_.chunk.rows + static_cast<int>(threadIdx.x) / kColumnPairs; row < kEnds;
         row += kEdgeThreads / kColumnPairs) {
      shared_.ends.set(row, 2 * pair, 0.0f, 0.0f);
    }
  }

  /// As in FirstRows.
  __device__ void begin(int block) {
    fetch_h(0);
    shared_.ends.fetch(message(at_.batch.network.sent, at_.chunk.first), kConstantRows, at_.chunk.rows);
    const int pair = static_cast<int>(threadIdx.x);
    if (pair < kColumnPairs) {
      const float2 c = at_.constant(block, pair);
      set_constant_rows(shared_.ends, 0, pair, make_float2(fminf(c.x, 0.0f), fminf(c.y, 0.0f)));
      shared_.floors.set(pair, c);
    }
    fetch_received(0);
    fetch_received(1);
    look_ahead(1);
  }

  __device__ void take(int step) {
    step_ = step;
    wait_async_but<2>();
    const int q = static_cast<int>(threadIdx.x) % 4;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
#pragma unroll
      for (int group = 0; group < kGroups; ++group) {
        shared_.h[i][group].read(h_[i] + 4 * group);
      }
      const int sender = kConstantRows + senders_.of_row(i) - at_.chunk.first;
      const std::uint32_t ones = ((1u << kConstantRows) - 1u) | (sender < kEnds ? 1u << sender : 0u);
#pragma unroll
      for (int j = 0; j < kEnds / 8; ++j) {
        ends_[i][j] = pair_of_bits<T>(ones >> (8 * j + 2 * q));
      }
    }
    senders_.advance();
    fetch_h(step + 1);
  }

  __device__ HalfRows u(int half) {
    wait_async_but<2>();
    HalfRows u;
#pragma unroll
    for (int group = 0; group < kGroups / 2; ++group) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        Pair<T> received[4];
        shared_.received[i][half * kGroups / 2 + group].read(received);
#pragma unroll
        for (int n = 0; n < 4; ++n) {
          const float2 pair = floats_of(received[n]);
          u.value[4 * group + n][2 * i] = pair.x;
          u.value[4 * group + n][2 * i + 1] = pair.y;
        }
      }
    }
    begin_products<T>();
    add_product(u, h_, shared_.weight, half, shared_.scratch.of_warp());
    add_product(u, ends_, shared_.ends, half, shared_.scratch.of_warp());
    fetch_received(half);
    if (half == 1) {
      look_ahead(step_ + 2);
    }
    wait_products<T>(u);
    shared_.floors.apply(half, u);
    return u;
  }

  __device__ HalfRows u_and_h(int half, HalfRows& h) {
#pragma unroll
    for (int j = 0; j < kHalfTiles; ++j) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const float2 pair = floats_of(h_[i][half * kHalfTiles + j]);
        h.value[j][2 * i] = pair.x;
        h.value[j][2 * i + 1] = pair.y;
      }
    }
    return u(half);
  }

 private:
  __device__ const T* message(const void* rows, int node) const {
    return static_cast<const T*>(rows) + (at_.t.node_offset + node) * kHidden;
  }

  /// Asks for the receivers of a step.
  __device__ void look_ahead(int step) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      receiver_[i] = at_.graph.targets[at_.run.edge(step, i)];
    }
  }

  /// Asks for h_e of a step's rows; they are there when two more groups have been asked for.
  __device__ void fetch_h(int step) {
    asm volatile("" ::: "memory");  // what lies in the slots has been read
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const T* row = static_cast<const T*>(at_.batch.network.h_e) + at_.variable(step, i) * kHidden;
#pragma unroll
      for (int group = 0; group < kGroups; ++group) {
        shared_.h[i][group].fetch(row + 32 * group);
      }
    }
    commit_async();
  }

  /// Asks for half of the receivers' rows; likewise.
  __device__ void fetch_received(int half) {
    asm volatile("" ::: "memory");
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const T* row = message(at_.batch.network.received, receiver_[i]);
#pragma unroll
      for (int g = 0; g < kGroups / 2; ++g) {
        const int group = half * kGroups / 2 + g;
        shared_.received[i][group].fetch(row + 32 * group);
      }
    }
    commit_async();
  }

  const EdgeContext& at_;
  Shared& shared_;
  Senders senders_;
  int step_ = 0;
  int receiver_[2];
  Pair<T> h_[2][kPairs];
  Pair<T> ends_[2][kEnds / 8];
};

}  // namespace moco::cuda
