// The two passes over the edges of a block. Both compute u = ReLU(h_e·W_e + sent_i + received_j + constant);
// edge_moments keeps its moments per column, edge_advance sets h_e ← h_e + u·factor + shift and adds up Σ_out h_e per
// node. Computing u twice costs less than writing and reading it. u is formed less max(constant, 0), which the
// normalisation does not see: ReLU(x + c) − max(c, 0) = max(x + min(c, 0), −max(c, 0)), so that a large constant takes
// no digits from x.
//
// An item is a range of nodes with the edges that leave them; the warps of its thread block share them and wait for
// nobody once the weights are there (edge_rows.cuh). After the last block the decoder gives θ̃ = w·h_e + b on the way.
// The last thread block of a trajectory turns the moments into the normalisation of edge_advance.
#include "moco/engine/cuda/edge_rows.cuh"
#include "moco/engine/cuda/global.cuh"
#include "moco/engine/cuda/launch.cuh"

namespace moco::cuda {

namespace {

/// Where the rows of a block come from.
enum class Source { state, given, memory };

template <typename T, Source From>
using Rows = std::conditional_t<From == Source::memory, LaterRows<T>, FirstRows<T, From == Source::given>>;

/// Thread blocks on a multiprocessor. Three leave 168 registers to a thread.
template <typename T>
constexpr int kAtOnce = sizeof(T) == 4 ? 1 : 3;

/// Dynamic shared memory from the next multiple of kRowAlignment on.
__device__ inline unsigned char* aligned_shared() {
  extern __shared__ __align__(16) unsigned char raw[];
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(raw));
  return raw + (0u - address) % kRowAlignment;
}

/// Adds `Count` values over the eight lanes that hold the same columns; values[0 …] are then the sums of an eighth of
/// them: those from number lane / 4 · Count / 8 on.
template <int Count>
__device__ inline void sum_over_rows(float (&values)[Count]) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
  for (int level = 1; level <= 3; ++level) {
    const int distance = 32 >> level;
    const int width = Count >> level;
    const bool upper = (lane & distance) != 0;
#pragma unroll
    for (int i = 0; i < Count / 2; ++i) {
      if (i < width) {
        const float kept = upper ? values[i + width] : values[i];
        const float given = upper ? values[i] : values[i + width];
        values[i] = kept + __shfl_xor_sync(kFullWarp, given, distance);
      }
    }
  }
}

/// Σ_out of one half of the columns, for the nodes of a run one after the other.
class OutgoingSum {
 public:
  /// Adds h of a step's rows to the sums of their senders. `node` is the first node of the step; rows and nodes end
  /// before edge `limit`. Returns the node that the next step begins with.
  __device__ int add(const EdgeContext& context, int step, const HalfRows& h, int node, int limit, float* out) {
    const int degree = context.graph.degree;
    for (; node * degree < limit; ++node) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        if (context.run.has(step, i) && context.sender(step, i) == node) {
#pragma unroll
          for (int j = 0; j < kHalfTiles; ++j) {
            sum_[2 * j] += h.value[j][2 * i];
            sum_[2 * j + 1] += h.value[j][2 * i + 1];
          }
        }
      }
      if ((node + 1) * degree > limit) {
        break;
      }
      sum_over_rows(sum_);
      store2(out + static_cast<long long>(node) * kHidden + static_cast<int>(threadIdx.x) % 32 * 2, sum_[0], sum_[1]);
#pragma unroll
      for (float& value : sum_) {
        value = 0.0f;
      }
    }
    return node;
  }

 private:
  float sum_[2 * kHalfTiles] = {};
};

template <typename T, Source From>
__global__ void __launch_bounds__(kEdgeThreads, kAtOnce<T>)
    edge_moments_kernel(const __grid_constant__ DeviceBatch batch, const __grid_constant__ NetworkOffsets net,
                        int block) {
  unsigned char* raw = aligned_shared();
  const Item item = batch.edge_items[blockIdx.x];
  const TrajectoryData t = batch.trajectory[item.trajectory];
  const GraphData graph = batch.graphs[t.graph];
  const EdgeRun run(item, graph.degree);
  const EdgeContext context{batch, net, t, graph, run, item};
  Rows<T, From> rows(context, *reinterpret_cast<typename Rows<T, From>::Shared*>(raw));
  rows.fetch_weights(block);
  if (!wait_for_previous(batch, item.trajectory)) {
    wait_async();
    return;
  }
  rows.begin(block);
  wait_matrices();
  __syncthreads();
  float sum[2 * kPairs] = {};  // of this thread's columns, pair by pair
  float square[2 * kPairs] = {};
#pragma unroll 1
  for (int step = 0; step < run.steps; ++step) {
    rows.take(step);
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const HalfRows u = rows.u(half);
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        if (run.has(step, i)) {
#pragma unroll
          for (int c = 0; c < 2 * kHalfTiles; ++c) {
            const float value = u.value[c / 2][2 * i + c % 2];
            sum[half * 2 * kHalfTiles + c] += value;
            square[half * 2 * kHalfTiles + c] = fmaf(value, value, square[half * 2 * kHalfTiles + c]);
          }
        }
      }
    }
  }
  sum_over_rows(sum);
  sum_over_rows(square);
  wait_async();                                 // for rows that nobody needs
  __syncthreads();                              // the weights have been used: their place serves for the moments
  auto* parts = reinterpret_cast<float*>(raw);  // [warps × 2 × 128]
  const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int number = lane / 4 * 4 + i;
    const int column = number / 2 * 8 + lane % 4 * 2 + number % 2;
    float* part = parts + threadIdx.x / 32 * 2 * kHidden + column;
    part[0] = sum[i];
    part[kHidden] = square[i];
  }
  __syncthreads();
  float* out = batch.partials + static_cast<long long>(blockIdx.x) * 2 * kHidden;
  for (int c = static_cast<int>(threadIdx.x); c < 2 * kHidden; c += kEdgeThreads) {
    float total = 0.0f;
#pragma unroll
    for (int w = 0; w < kEdgeWarps; ++w) {
      total += parts[w * 2 * kHidden + c];
    }
    out[c] = total;
  }
  if (last_to_arrive(batch.arrivals + item.trajectory * kArrivals + kArriveEdge, t.edge_items.count)) {
    const float* vectors = vectors_of(batch, t.weights);
    set_normalisation(batch.partials, t.edge_items, static_cast<double>(t.variables),
                      vectors + net.block[block].edge_scale, vectors + net.block[block].edge_shift,
                      reinterpret_cast<double*>(raw),
                      batch.edge_norm + static_cast<long long>(item.trajectory) * 2 * kHidden);
  }
}

template <typename T, Source From, bool Last>
__global__ void __launch_bounds__(kEdgeThreads, kAtOnce<T>)
    edge_advance_kernel(const __grid_constant__ DeviceBatch batch, const __grid_constant__ NetworkOffsets net,
                        int block) {
  __shared__ float4 norm[kColumnPairs];  // of a pair of columns: factors and shifts
  __shared__ float2 decoder[kColumnPairs];
  const Item item = batch.edge_items[blockIdx.x];
  const TrajectoryData t = batch.trajectory[item.trajectory];
  const GraphData graph = batch.graphs[t.graph];
  const float* vectors = vectors_of(batch, t.weights);
  const EdgeRun run(item, graph.degree);
  const EdgeContext context{batch, net, t, graph, run, item};
  Rows<T, From> rows(context, *reinterpret_cast<typename Rows<T, From>::Shared*>(aligned_shared()));
  rows.fetch_weights(block);
  if (!wait_for_previous(batch, item.trajectory)) {
    wait_async();
    return;
  }
  rows.begin(block);
  const int pair = static_cast<int>(threadIdx.x);
  if (pair < kColumnPairs) {
    const float* own = batch.edge_norm + static_cast<long long>(item.trajectory) * 2 * kHidden + 2 * pair;
    norm[pair] = make_float4(own[0], own[1], own[kHidden], own[kHidden + 1]);
    decoder[pair] = load2(vectors + net.decoder + 2 * pair);
  }
  wait_matrices();
  __syncthreads();
  OutgoingSum sums[2];
  float* sum_out = batch.sum_out + t.node_offset * kHidden;
  int node = run.first / graph.degree;
#pragma unroll 1
  for (int step = 0; step < run.steps; ++step) {
    rows.take(step);
    float decoded[2] = {};
    const int limit = min(run.first + (step + 1) * kWarpRows, run.end);
    int next_node = node;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const HalfRows u = rows.u(half);
      HalfRows h = rows.h(half);
#pragma unroll
      for (int j = 0; j < kHalfTiles; ++j) {
        const float4 f = norm[column_pair(half, j)];
#pragma unroll
        for (int i = 0; i < 2; ++i) {
          h.value[j][2 * i] += fmaf(u.value[j][2 * i], f.x, f.z);
          h.value[j][2 * i + 1] += fmaf(u.value[j][2 * i + 1], f.y, f.w);
          if constexpr (Last) {
            const float2 w = decoder[column_pair(half, j)];
            decoded[i] = fmaf(h.value[j][2 * i], w.x, fmaf(h.value[j][2 * i + 1], w.y, decoded[i]));
          }
        }
      }
      if (!Last || net.has_global) {
#pragma unroll
        for (int i = 0; i < 2; ++i) {
          if (run.has(step, i)) {
            Pair<T> pairs[kHalfTiles];
#pragma unroll
            for (int j = 0; j < kHalfTiles; ++j) {
              pairs[j] = make_pair_of<T>(h.value[j][2 * i], h.value[j][2 * i + 1]);
            }
            store_pairs(static_cast<T*>(batch.h_e) + context.variable(step, i) * kHidden + half * kHalf, pairs);
          }
        }
        next_node = sums[half].add(context, step, h, node, limit, sum_out + half * kHalf);
      }
    }
    node = next_node;
    if constexpr (Last) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        decoded[i] += __shfl_xor_sync(kFullWarp, decoded[i], 1);
        decoded[i] += __shfl_xor_sync(kFullWarp, decoded[i], 2);
        if (run.has(step, i) && threadIdx.x % 4 == 0) {
          store_decoded(batch, net, context.variable(step, i), vectors[net.decoder_bias] + decoded[i]);
        }
      }
    }
  }
}

template <typename T, Source From>
constexpr int kBytes = static_cast<int>(sizeof(typename Rows<T, From>::Shared) + kRowAlignment);

/// Calls body<T, From>().
template <typename Body>
void with_kind(const DeviceBatch& batch, const NetworkOffsets& net, bool bf16_rows, int block, const Body& body) {
  const auto call = [&]<typename T>() {
    if (block > 0) {
      body.template operator()<T, Source::memory>();
    } else if (batch.given_rows != nullptr && net.has_global) {
      body.template operator()<T, Source::given>();
    } else {
      body.template operator()<T, Source::state>();
    }
  };
  bf16_rows ? call.template operator()<bf16>() : call.template operator()<float>();
}

}  // namespace

void edge_moments(const DeviceBatch& batch, const NetworkOffsets& net, const NetworkShape& shape, int block,
                  cudaStream_t stream) {
  with_kind(batch, net, shape.bf16, block, [&]<typename T, Source From>() {
    launch(edge_moments_kernel<T, From>, shape.edge_items, kEdgeThreads, kBytes<T, From>, stream, batch, net, block);
  });
}

void edge_advance(const DeviceBatch& batch, const NetworkOffsets& net, const NetworkShape& shape, int block,
                  cudaStream_t stream) {
  const bool last = block + 1 == net.blocks;
  with_kind(batch, net, shape.bf16, block, [&]<typename T, Source From>() {
    const auto kernel = last ? edge_advance_kernel<T, From, true> : edge_advance_kernel<T, From, false>;
    launch(kernel, shape.edge_items, kEdgeThreads, kBytes<T, From>, stream, batch, net, block);
  });
}

}  // namespace moco::cuda
