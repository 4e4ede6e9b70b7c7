// First pass over the edges of a block: u = ReLU(h_e·W_e + sent_i + received_j + constant) and the moments of u per
// column. u is stored less max(constant, 0), which the normalisation does not see: ReLU(x + c) − max(c, 0) =
// max(x + min(c, 0), −max(c, 0)), so that a large constant takes no digits from x.
//
// h_e, u [E × 128] in T, sent and received [n × 128] in T, constant [128] (W_e's global part and bias). The first block
// also embeds: h_e = F·W + b from the feature rows F [E × 48] (feature_rows.cuh), built on the fly.
// One thread block per item: up to 8 tiles of M edges of one trajectory, the weights staying in shared memory. The last
// block of a trajectory turns the moments into the normalisation of edge_normalise.
#include "moco/engine/cuda/feature_rows.cuh"
#include "moco/engine/cuda/launch.cuh"
#include "moco/engine/cuda/tile.cuh"

namespace moco::cuda {

namespace {

template <typename T, int M, bool First>
struct EdgeShared {
  T weight[kHidden * kPitch<T>];
  T tile[M * kPitch<T>];
  T embedding[First ? kFeatureRows * kPitch<T> : 1];
  T features[First ? M * kFeaturePitch<T> : 1];
  int sender[M];
  int receiver[M];
  float constant[kHidden];  ///< min(c, 0) of the constant c
  float floor[kHidden];     ///< −max(c, 0)
  float embedding_bias[kHidden];
  double
      scratch[Accumulators<M>::kRowWarps * kHidden > 2 * kHidden ? Accumulators<M>::kRowWarps* kHidden : 2 * kHidden];
};

template <typename T, int M, bool First>
__global__ void __launch_bounds__(kThreads, sizeof(T) == 2 ? 3 : 1)
    edge_update_kernel(const __grid_constant__ DeviceBatch batch, const __grid_constant__ NetworkOffsets net,
                       int block) {
  extern __shared__ __align__(16) unsigned char raw[];
  auto& shared = *reinterpret_cast<EdgeShared<T, M, First>*>(raw);
  const Item item = batch.edge_items[blockIdx.x];
  if (batch.state[item.trajectory].active == 0) {
    return;
  }
  const TrajectoryData t = batch.trajectory[item.trajectory];
  const GraphData graph = batch.graphs[t.graph];
  const BlockOffsets& offsets = net.block[block];
  const T* matrices = matrices_of<T>(batch, t.weights);
  const float* vectors = vectors_of(batch, t.weights);
  const int c = static_cast<int>(threadIdx.x);

  fetch_matrix(shared.weight, matrices + offsets.edge, kHidden);
  if constexpr (First) {
    fetch_matrix(shared.embedding, matrices + net.embedding, kFeatureRows);
  }
  if (c < kHidden) {
    const float constant = net.has_global ? batch.edge_constant[static_cast<long long>(item.trajectory) * kHidden + c]
                                          : vectors[offsets.edge_bias + c];
    shared.constant[c] = fminf(constant, 0.0f);
    shared.floor[c] = -fmaxf(constant, 0.0f);
    shared.embedding_bias[c] = First ? vectors[net.embedding_bias + c] : 0.0f;
  }
  T* h_e = static_cast<T*>(batch.h_e) + t.variable_offset * kHidden;
  T* u_e = static_cast<T*>(batch.u_e) + t.variable_offset * kHidden;
  const T* sent = static_cast<const T*>(batch.sent) + t.node_offset * kHidden;
  const T* received = static_cast<const T*>(batch.received) + t.node_offset * kHidden;
  const float* start_rows = vectors + net.start_rows;

  ColumnMoments<M> moments;
  moments.clear();
  for (int begin = item.first; begin < item.first + item.rows; begin += M) {
    const int rows = min(M, item.first + item.rows - begin);
    T* h_tile = h_e + static_cast<long long>(begin) * kHidden;
    if (c < M && c < rows) {
      shared.sender[c] = (begin + c) / graph.degree;
      shared.receiver[c] = graph.targets[begin + c];
    }
    Accumulators<M> acc;
    acc.clear();
    if constexpr (First) {
      build_features(batch, graph, t.variable_offset, begin, rows, M, !net.has_global, shared.features);
      wait_async();
      __syncthreads();
      acc.add_product(shared.features, kFeaturePitch<T>, shared.embedding, kFeatureRows / 16);
      acc.for_pairs([&](int row, int column, int, float& a, float& b) {
        store2(shared.tile + row * kPitch<T> + column, a + shared.embedding_bias[column],
               b + shared.embedding_bias[column + 1]);
      });
      acc.clear();
      __syncthreads();
      store_rows(h_tile, shared.tile, rows);
    } else {
      fetch_matrix(shared.tile, static_cast<const T*>(h_tile), rows);
      wait_async();
      __syncthreads();
    }
    acc.add_product(shared.tile, kPitch<T>, shared.weight, kHidden / 16);
    __syncthreads();  // the tile is now free for u
    acc.for_pairs([&](int row, int column, int n, float& a, float& b) {
      if (row < rows) {
        const int i = shared.sender[row];
        const int j = shared.receiver[row];
        float2 from;
        float2 to;
        if constexpr (First) {
          from = load2(start_rows + (i == t.start ? 1 : 0) * kHidden + column);
          to = load2(start_rows + (j == t.start ? 3 : 2) * kHidden + column);
        } else {
          from = load2(sent + static_cast<long long>(i) * kHidden + column);
          to = load2(received + static_cast<long long>(j) * kHidden + column);
        }
        a = fmaxf(a + shared.constant[column] + from.x + to.x, shared.floor[column]);
        b = fmaxf(b + shared.constant[column + 1] + from.y + to.y, shared.floor[column + 1]);
        moments.add(n, a, b);
        store2(shared.tile + row * kPitch<T> + column, a, b);
      }
    });
    __syncthreads();
    store_rows(u_e + static_cast<long long>(begin) * kHidden, shared.tile, rows);
    __syncthreads();
  }
  moments.finish(reinterpret_cast<float*>(shared.scratch),
                 batch.partials + static_cast<long long>(blockIdx.x) * 2 * kHidden);
  if (last_to_arrive(batch.arrivals + item.trajectory * kArrivals + kArriveEdge, t.edge_items.count)) {
    set_normalisation(batch.partials, t.edge_items, static_cast<double>(t.variables), vectors + offsets.edge_scale,
                      vectors + offsets.edge_shift, shared.scratch,
                      batch.edge_norm + static_cast<long long>(item.trajectory) * 2 * kHidden);
  }
}

}  // namespace

void edge_update(const DeviceBatch& batch, const NetworkOffsets& net, const NetworkShape& shape, int block,
                 cudaStream_t stream) {
  const auto run = [&]<typename T, int M>() {
    const auto kernel = block == 0 ? edge_update_kernel<T, M, true> : edge_update_kernel<T, M, false>;
    const std::size_t bytes = block == 0 ? sizeof(EdgeShared<T, M, true>) : sizeof(EdgeShared<T, M, false>);
    launch(kernel, shape.edge_items, static_cast<int>(bytes), stream, batch, net, block);
  };
  if (!shape.bf16) {
    run.template operator()<float, 32>();
  } else if (shape.edge_tile == 16) {
    run.template operator()<bf16, 16>();
  } else if (shape.edge_tile == 32) {
    run.template operator()<bf16, 32>();
  } else {
    run.template operator()<bf16, 64>();
  }
}

}  // namespace moco::cuda
