// The network of rule mlp, from the search state to the next θ. A thread block takes 128 variables at a time through
// all layers; a warp holds 16 rows in registers (row_product.cuh). What is the same for all variables, the embedding of
// the step and what θ is divided by, each block forms for itself.
//
// Features enter the first product with what rounding to bf16 takes from them: of the 16 rows that the tensor cores
// take at a time the eight features need only half.
#include "moco/engine/cuda/batch/launch.cuh"
#include "moco/engine/cuda/kit/row_product.cuh"
#include "moco/engine/cuda/rules/rule_kernels.h"
#include "moco/engine/cuda/step/feature_rows.cuh"
#include "moco/engine/cuda/step/global.cuh"

namespace moco::cuda {

namespace {

constexpr int kWarps = kThreads / 32;
static_assert(kMlpRows == kWarps * kWarpRows);
constexpr int kInputs = 2 * kOptimizerFeatures;  // with their low halves
static_assert(kOptimizerFeatures == 8 && kMomenta == 6);

template <typename T>
struct MlpShared {
  RowMatrix<T, kInputs> embedding;
  ProductScratch<T, kWarps> scratch;
  float constant[kHidden];  ///< of the first layer: its bias and the embedding of the step
  float bias[kMaxBlocks][kHidden];
  float decoder[kHidden];
  float step[kHidden];  ///< rectified embedding of the step
  float seen[kStepFeatures];
  float divisor;
};

template <typename T, int Width>
constexpr int kMatrixBytes = static_cast<int>(sizeof(RowMatrix<T, Width>));

/// The rows of a warp in one tile.
template <typename T, int Width>
class MlpRows {
  static constexpr int kHalves = Width > kHalf ? 2 : 1;
  static constexpr int kOwn = Width / 8;  ///< pairs of a thread in a row
  static constexpr int kOwnOfHalf = kOwn / kHalves;

 public:
  /// Rows `first` … of the trajectory, of which those before `end` are there; past it the last one stands in.
  __device__ MlpRows(const DeviceBatch& batch, MlpShared<T>& shared, const TrajectoryData& t, int first, int end)
      : shared_(shared) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int row = first + static_cast<int>(threadIdx.x) / 32 * kWarpRows + lane / 4 + 8 * i;
      has_[i] = row < end;
      at_[i] = t.variable_offset + min(row, end - 1);
    }
  }

  /// The first layer, from the features.
  __device__ void embed(const DeviceBatch& batch) {
    constexpr bool kLowHalves = sizeof(T) < sizeof(float);
    const int q = quarter();
    const SearchData& search = batch.search;
    const float* even = q < 3 ? search.momenta + 2 * q * batch.total_variables : search.gradient;
    const float* odd = q < 3 ? search.momenta + (2 * q + 1) * batch.total_variables : search.theta;
    const float scale = batch.network.gradient_scale;
    Pair<T> x[2][2];
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const float a = scale * even[at_[i]];
      const float b = q < 3 ? scale * odd[at_[i]] : odd[at_[i]];
      x[i][0] = make_pair_of<T>(a, b);
      x[i][1] = kLowHalves ? make_pair_of<T>(low_half(a), low_half(b)) : make_pair_of<T>(0.0f, 0.0f);
    }
#pragma unroll
    for (int half = 0; half < kHalves; ++half) {
      const HalfRows u = product(x, shared_.embedding, half);
#pragma unroll
      for (int j = 0; j < kOwnOfHalf; ++j) {
        const float2 c = load2(shared_.constant + column(half, j));
#pragma unroll
        for (int i = 0; i < 2; ++i) {
          h_[i][half * kHalfTiles + j] =
              make_pair_of<T>(fmaxf(u.value[j][2 * i] + c.x, 0.0f), fmaxf(u.value[j][2 * i + 1] + c.y, 0.0f));
        }
      }
    }
  }

  /// h ← h + ReLU(W h + b).
  __device__ void advance(const RowMatrix<T, Width>& matrix, const float* bias) {
    Pair<T> next[2][kOwn];
#pragma unroll
    for (int half = 0; half < kHalves; ++half) {
      const HalfRows u = product(h_, matrix, half);
#pragma unroll
      for (int j = 0; j < kOwnOfHalf; ++j) {
        const float2 c = load2(bias + column(half, j));
#pragma unroll
        for (int i = 0; i < 2; ++i) {
          const float2 h = floats_of(h_[i][half * kHalfTiles + j]);
          next[i][half * kHalfTiles + j] = make_pair_of<T>(h.x + fmaxf(u.value[j][2 * i] + c.x, 0.0f),
                                                           h.y + fmaxf(u.value[j][2 * i + 1] + c.y, 0.0f));
        }
      }
    }
#pragma unroll
    for (int i = 0; i < 2; ++i) {
#pragma unroll
      for (int p = 0; p < kOwn; ++p) {
        h_[i][p] = next[i][p];
      }
    }
  }

  /// The next θ of the rows.
  __device__ void decode(const DeviceBatch& batch, float bias) const {
    const bool anchored = batch.network.theta_update == ThetaUpdate::anchored;
    const float* origin = anchored ? batch.network.first_theta : batch.search.theta;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      float sum = 0.0f;
#pragma unroll
      for (int p = 0; p < kOwn; ++p) {
        const float2 w = load2(shared_.decoder + 8 * p + 2 * quarter());
        const float2 h = floats_of(h_[i][p]);
        sum = fmaf(h.x, w.x, fmaf(h.y, w.y, sum));
      }
      sum += __shfl_xor_sync(kFullWarp, sum, 1);
      sum += __shfl_xor_sync(kFullWarp, sum, 2);
      if (has_[i] && quarter() == i) {
        const float theta = proposed_theta(batch.network.theta_update, origin[at_[i]], bias + sum);
        batch.search.theta[at_[i]] = bounded_theta(theta / shared_.divisor);
      }
    }
  }

 private:
  __device__ static int quarter() {
    return static_cast<int>(threadIdx.x) % 4;
  }
  /// The first column of a pair.
  __device__ static int column(int half, int j) {
    return half * kHalf + 8 * j + 2 * quarter();
  }

  template <int Pairs, int Rows>
  __device__ HalfRows product(const Pair<T> (&a)[2][Pairs], const RowMatrix<T, Rows>& w, int half) const {
    HalfRows u;
    begin_products<T>();
    add_product(u, a, w, half, shared_.scratch.of_warp(), false);
    wait_products<T>(u);
    return u;
  }

  MlpShared<T>& shared_;
  long long at_[2];
  bool has_[2];
  Pair<T> h_[2][kOwn];
};

/// What depends on the step and not on the variables; all threads. Ends with a barrier.
template <typename T>
__device__ void set_step(const DeviceBatch& batch, const MlpOffsets& net, const float* vectors, int trajectory,
                         MlpShared<T>& shared) {
  const SearchState& state = batch.search.state[trajectory];
  const int c = static_cast<int>(threadIdx.x);
  if (c < kStepFeatures) {
    shared.seen[c] = seen_global_feature(batch, state, state.step - 1, kFirstStepFeature + c);
  }
  __syncthreads();
  if (c < kHidden) {
    float sum = vectors[net.step_bias + c];
#pragma unroll
    for (int i = 0; i < kStepFeatures; ++i) {
      sum = fmaf(shared.seen[i], vectors[net.step_embedding + i * kHidden + c], sum);
    }
    shared.constant[c] = sum + vectors[net.embedding_bias + c];
    shared.step[c] = fmaxf(sum, 0.0f);
  }
  set_divisor(
      batch, vectors + net.global_decoder, vectors[net.global_decoder_bias], [&](int i) { return shared.step[i]; },
      shared.divisor);
}

template <typename T, int Width>
__global__ void __launch_bounds__(kThreads, sizeof(T) == 2 ? 2 : 1)
    mlp_kernel(const __grid_constant__ DeviceBatch batch, const __grid_constant__ MlpOffsets net, bool resident) {
  extern __shared__ __align__(kRowAlignment) unsigned char raw[];
  auto& shared = *reinterpret_cast<MlpShared<T>*>(raw);
  auto* layers = reinterpret_cast<RowMatrix<T, Width>*>(raw + sizeof(MlpShared<T>));
  const RowChunk chunk = batch.search.variable_chunks[blockIdx.x];
  const TrajectoryData t = batch.trajectory[chunk.trajectory];
  const T* matrices = matrices_of<T>(batch, t.weights);
  const float* vectors = vectors_of(batch, t.weights);
  shared.embedding.fetch(matrices + net.embedding);
  for (int l = 0; resident && l < net.blocks; ++l) {
    layers[l].fetch(matrices + net.layer[l]);
  }
  for (int i = static_cast<int>(threadIdx.x); i < net.blocks * kHidden; i += kThreads) {
    shared.bias[i / kHidden][i % kHidden] = vectors[net.layer_bias[i / kHidden] + i % kHidden];
  }
  if (threadIdx.x < kHidden) {
    shared.decoder[threadIdx.x] = vectors[net.decoder + threadIdx.x];
  }
  if (!wait_for_previous(batch, chunk.trajectory)) {
    wait_async();
    return;
  }
  set_step(batch, net, vectors, chunk.trajectory, shared);
  wait_matrices();
  __syncthreads();
  const int end = chunk.first + chunk.rows;
#pragma unroll 1
  for (int first = chunk.first; first < end; first += kMlpRows) {
    MlpRows<T, Width> rows(batch, shared, t, first, end);
    rows.embed(batch);
#pragma unroll 1
    for (int l = 0; l < net.blocks; ++l) {
      if (!resident) {
        __syncthreads();
        layers[0].fetch(matrices + net.layer[l]);
        wait_matrices();
        __syncthreads();
      }
      rows.advance(layers[resident ? l : 0], shared.bias[l]);
    }
    rows.decode(batch, vectors[net.decoder_bias]);
  }
}

/// Calls body<T, Width>().
template <typename Body>
auto with_kind(bool use_bf16, bool narrow, const Body& body) {
  if (use_bf16) {
    return narrow ? body.template operator()<bf16, kNarrowHidden>() : body.template operator()<bf16, kHidden>();
  }
  return narrow ? body.template operator()<float, kNarrowHidden>() : body.template operator()<float, kHidden>();
}

}  // namespace

MlpShape mlp_shape(int hidden, int blocks, bool use_bf16) {
  MlpShape shape;
  shape.bf16 = use_bf16;
  shape.narrow = hidden <= kNarrowHidden;
  with_kind(use_bf16, shape.narrow, [&]<typename T, int Width>() {
    constexpr int kOther = static_cast<int>(sizeof(MlpShared<T>));
    static_assert(kOther + kMatrixBytes<T, Width> <= kMostShared);
    shape.resident = kOther + blocks * kMatrixBytes<T, Width> <= kMostShared;
    shape.shared_bytes = kOther + (shape.resident ? blocks : 1) * kMatrixBytes<T, Width>;
  });
  return shape;
}

void mlp_update(const DeviceBatch& batch, const MlpOffsets& net, const MlpShape& shape, cudaStream_t stream) {
  with_kind(shape.bf16, shape.narrow, [&]<typename T, int Width>() {
    launch(mlp_kernel<T, Width>, batch.search.variable_blocks, kThreads, shape.shared_bytes, stream, batch, net,
           shape.resident);
  });
}

}  // namespace moco::cuda
