// The rows of the passes over edges (edge_pass.cu): what a warp holds of 16 edges, and u of them.
//
// LaterRows reads h_e [E × 128], sent and received [n × 128] (T, in the order of row_place); FirstRows begins with the
// feature rows F [E × 48] (feature_rows.cuh). There h_e = F·A + a, so that h_e·W_e = F·(A·W_e) + a·W_e with the
// products in parentheses formed beforehand: nothing is written before the first block ends.
//
// What a step needs is under way during the step before.
#pragma once

#include "moco/engine/cuda/feature_rows.cuh"
#include "moco/engine/cuda/row_product.cuh"

namespace moco::cuda {

constexpr int kEdgeThreads = 32 * kEdgeWarps;
constexpr int kColumnPairs = kHidden / 2;
constexpr int kGroups = kPairs / 4;              // of four pairs, in a row of a thread
constexpr int kFeaturePairs = kFeatureRows / 8;  // of a thread in a feature row

__device__ inline int column_pair(int half, int j) {
  return half * (kHalf / 2) + 4 * j + static_cast<int>(threadIdx.x) % 4;
}

/// The edges of this warp, and how many times a warp takes 16 of them: warps share the nodes of an item evenly.
struct EdgeRun {
  int first;
  int end;
  int steps;

  __device__ EdgeRun(const Item& item, int degree) {
    const int each = (item.rows + kEdgeWarps - 1) / kEdgeWarps;
    const int warp = static_cast<int>(threadIdx.x) / 32;
    first = (item.first + min(warp * each, item.rows)) * degree;
    end = (item.first + min((warp + 1) * each, item.rows)) * degree;
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
  const Item& item;

  __device__ int sender(int step, int i) const { return run.edge(step, i) / graph.degree; }
  __device__ long long variable(int step, int i) const { return t.variable_offset + run.edge(step, i); }
};

/// Constants of the pairs of columns: min(c, 0) and −max(c, 0). By the first 64 threads.
__device__ inline void set_edge_constants(const EdgeContext& context, int block, float4* constants) {
  const int pair = static_cast<int>(threadIdx.x);
  if (pair < kColumnPairs) {
    const float* source = context.net.has_global
                              ? context.batch.edge_constant + static_cast<long long>(context.item.trajectory) * kHidden
                              : vectors_of(context.batch, context.t.weights) + context.net.block[block].edge_bias;
    const float2 c = load2(source + 2 * pair);
    constants[pair] = make_float4(fminf(c.x, 0.0f), fminf(c.y, 0.0f), -fmaxf(c.x, 0.0f), -fmaxf(c.y, 0.0f));
  }
}

/// u from the sum of everything but the constant c.
__device__ inline void finish_u(float* value, float2 ends, const float4& c) {
  value[0] = fmaxf(value[0] + c.x + ends.x, c.z);
  value[1] = fmaxf(value[1] + c.y + ends.y, c.w);
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
    float4 constant[kColumnPairs];
    float2 bias[kColumnPairs];      ///< of the embedding
    float2 ordinary[kColumnPairs];  ///< what W_e makes of that, and of the ends of an edge unless one is the start
  };

  __device__ FirstRows(const EdgeContext& context, Shared& shared) : at_(context), shared_(shared) {}

  /// Starts fetching the weights and sets vectors that no kernel of a step writes.
  __device__ void fetch_weights(int) {
    const T* matrices = matrices_of<T>(at_.batch, at_.t.weights);
    const float* vectors = vectors_of(at_.batch, at_.t.weights);
    shared_.embedding.fetch(matrices + at_.net.embedding);
    shared_.product.fetch(matrices + at_.net.first_edge);
    const int pair = static_cast<int>(threadIdx.x);
    if (pair < kColumnPairs) {
      const float2 sent = load2(vectors + at_.net.start_rows + 2 * pair);
      const float2 received = load2(vectors + at_.net.start_rows + 2 * kHidden + 2 * pair);
      const float2 bias = load2(vectors + at_.net.first_bias + 2 * pair);
      shared_.bias[pair] = load2(vectors + at_.net.embedding_bias + 2 * pair);
      shared_.ordinary[pair] = make_float2(sent.x + received.x + bias.x, sent.y + received.y + bias.y);
    }
  }

  /// Starts fetching the first rows and sets the constants; wait_matrices and a barrier must follow.
  __device__ void begin(int block) {
    look_ahead(0);
    set_edge_constants(at_, block, shared_.constant);
  }

  /// Goes to a step, one after the other; u of both halves, in order, must follow. All threads.
  __device__ void take(int step) {
    wait_async();
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      from_start_[i] = at_.sender(step, i) == at_.t.start;
      to_start_[i] = __float_as_int(known(i, kReceiver)) == at_.t.start;
      if constexpr (!Given) {
        set_pairs(i, features_[i]);
      } else {
#pragma unroll
        for (int j = 0; j < kFeaturePairs; ++j) {
          const int column = 8 * j + static_cast<int>(threadIdx.x) % 4 * 2;
          features_[i][j] = make_pair_of<T>(given_feature<T>(at_.batch, at_.variable(step, i), column),
                                            given_feature<T>(at_.batch, at_.variable(step, i), column + 1));
        }
      }
    }
    at_start_ = __any_sync(kFullWarp, from_start_[0] || to_start_[0] || from_start_[1] || to_start_[1]);
    look_ahead(step + 1);
  }

  /// u in one half of the columns. All threads.
  __device__ HalfRows u(int half) {
    HalfRows u = multiply_rows(features_, shared_.product, half, shared_.scratch.of_warp());
    wait_products(u);
    if (at_start_) {
      finish(half, u, [&](int i, int pair) { return ends_at_start(i, pair); });
    } else {
      finish(half, u, [&](int, int pair) { return shared_.ordinary[pair]; });
    }
    return u;
  }

  /// h_e in the half of the last u. All threads.
  __device__ HalfRows h(int half) {
    HalfRows h = multiply_rows(features_, shared_.embedding, half, shared_.scratch.of_warp());
    wait_products(h);
#pragma unroll
    for (int j = 0; j < kHalfTiles; ++j) {
      const float2 bias = shared_.bias[column_pair(half, j)];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        h.value[j][i] += i % 2 == 0 ? bias.x : bias.y;
      }
    }
    return h;
  }

 private:
  template <typename Ends>
  __device__ void finish(int half, HalfRows& u, const Ends& ends) const {
#pragma unroll
    for (int j = 0; j < kHalfTiles; ++j) {
      const int pair = column_pair(half, j);
      const float4 c = shared_.constant[pair];
      finish_u(u.value[j], ends(0, pair), c);
      finish_u(u.value[j] + 2, ends(1, pair), c);
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
        const float* momenta = at_.batch.momenta + at;
        ask(kBits, at_.batch.membership + at);
        ask(kTheta, at_.batch.theta + at);
        ask(kGradient, at_.batch.gradient + at);
        ask(kOdd, momenta + max(2 * q - 1, 0) * at_.batch.total_variables);
        ask(kEven, q < 3 ? momenta + 2 * q * at_.batch.total_variables : at_.batch.gradient + at);
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
    const float scale = at_.batch.gradient_scale;
    const float distance = known(i, kDistance);
    const float theta = update ? known(i, kTheta) : 0.0f;
    const float gradient = update ? scale * known(i, kGradient) : 0.0f;
    const float odd = update ? scale * known(i, kOdd) : 0.0f;
    const float even = update ? scale * known(i, kEven) : 0.0f;
    const std::uint32_t bits = update ? __float_as_uint(known(i, kBits)) : 0u;
    const std::uint32_t own = q == 0 ? bits << 1 : bits >> (2 * q - 1);  // bit 8j: column 8j + 2q
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      pairs[j] = pair_of_bits(own >> (8 * j));
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

  /// The two lowest bits as a pair of 0 or 1.
  __device__ static Pair<T> pair_of_bits(std::uint32_t bits) {
    if constexpr (sizeof(T) == 2) {
      return ((bits & 1u) | (bits & 2u) << 15) * 0x3F80u;
    } else {
      return make_float2(static_cast<float>(bits & 1u), static_cast<float>(bits >> 1 & 1u));
    }
  }

  __device__ float2 ends_at_start(int i, int pair) const {
    const float* vectors = vectors_of(at_.batch, at_.t.weights) + 2 * pair;
    const float2 sent = load2(vectors + at_.net.start_rows + (from_start_[i] ? kHidden : 0));
    const float2 received = load2(vectors + at_.net.start_rows + (to_start_[i] ? 3 : 2) * kHidden);
    const float2 bias = load2(vectors + at_.net.first_bias);
    return make_float2(sent.x + received.x + bias.x, sent.y + received.y + bias.y);
  }

  const EdgeContext& at_;
  Shared& shared_;
  bool from_start_[2];
  bool to_start_[2];
  bool at_start_ = false;  ///< whether an edge of the warp's begins or ends at the start
  Pair<T> features_[2][kFeaturePairs];
};

/// Rows of all blocks but the first.
template <typename T>
class LaterRows {
 public:
  struct Shared {
    RowMatrix<T, kHidden> weight;
    FourSlot<T, kEdgeThreads> h[2][kGroups];  ///< on their way, for the two rows of every thread
    FourSlot<T, kEdgeThreads> received[2][kGroups];
    T sent[kMostEdgeNodes * kHidden];  ///< of the item's nodes
    ProductScratch<T, kEdgeWarps> scratch;
    float4 constant[kColumnPairs];
  };

  __device__ LaterRows(const EdgeContext& context, Shared& shared) : at_(context), shared_(shared) {}

  /// As in FirstRows.
  __device__ void fetch_weights(int block) {
    look_ahead(0);
    shared_.weight.fetch(matrices_of<T>(at_.batch, at_.t.weights) + at_.net.block[block].edge);
  }

  /// As in FirstRows.
  __device__ void begin(int block) {
    fetch_h(0);
    constexpr int kChunk = 16 / static_cast<int>(sizeof(T));
    const T* sent = message(at_.batch.sent, at_.item.first);
    for (int i = static_cast<int>(threadIdx.x) * kChunk; i < at_.item.rows * kHidden; i += kEdgeThreads * kChunk) {
      copy_async16(shared_.sent + i, sent + i);
    }
    set_edge_constants(at_, block, shared_.constant);
    fetch_received(0);
    fetch_received(1);
    look_ahead(1);
  }

  __device__ void take(int step) {
    step_ = step;
    wait_async_but<2>();
#pragma unroll
    for (int i = 0; i < 2; ++i) {
#pragma unroll
      for (int group = 0; group < kGroups; ++group) {
        shared_.h[i][group].read(h_[i] + 4 * group);
      }
    }
  }

  __device__ HalfRows u(int half) {
    HalfRows u = multiply_rows(h_, shared_.weight, half, shared_.scratch.of_warp());
    wait_products(u);
    if (half == 0) {
      fetch_h(step_ + 1);
    }
    wait_async_but<2>();
    const T* sent[2];
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      sent[i] = shared_.sent + (at_.sender(step_, i) - at_.item.first) * kHidden + half * kHalf;
    }
#pragma unroll
    for (int group = 0; group < kGroups / 2; ++group) {
      Pair<T> from[2][4];
      Pair<T> to[2][4];
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        load_four(sent[i] + 32 * group + static_cast<int>(threadIdx.x) % 4 * 8, from[i]);
        shared_.received[i][half * kGroups / 2 + group].read(to[i]);
      }
#pragma unroll
      for (int n = 0; n < 4; ++n) {
        const int j = 4 * group + n;
        const float4 c = shared_.constant[column_pair(half, j)];
#pragma unroll
        for (int i = 0; i < 2; ++i) {
          const float2 a = floats_of(from[i][n]);
          const float2 b = floats_of(to[i][n]);
          finish_u(u.value[j] + 2 * i, make_float2(a.x + b.x, a.y + b.y), c);
        }
      }
    }
    fetch_received(half);
    if (half == 1) {
      look_ahead(step_ + 2);
    }
    return u;
  }

  __device__ HalfRows h(int half) const {
    HalfRows h;
#pragma unroll
    for (int j = 0; j < kHalfTiles; ++j) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const float2 pair = floats_of(h_[i][half * kHalfTiles + j]);
        h.value[j][2 * i] = pair.x;
        h.value[j][2 * i + 1] = pair.y;
      }
    }
    return h;
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
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const T* row = static_cast<const T*>(at_.batch.h_e) + at_.variable(step, i) * kHidden;
#pragma unroll
      for (int group = 0; group < kGroups; ++group) {
        shared_.h[i][group].fetch(row + 32 * group);
      }
    }
    commit_async();
  }

  /// Asks for half of the receivers' rows; likewise.
  __device__ void fetch_received(int half) {
    asm volatile("" ::: "memory");  // what lies in the slots has been read
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const T* row = message(at_.batch.received, receiver_[i]);
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
  int step_ = 0;
  int receiver_[2];
  Pair<T> h_[2][kPairs];
};

}  // namespace moco::cuda
