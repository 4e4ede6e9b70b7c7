// Feature rows of variables (engine/features.h has the order) as the embedding's left operand [rows × 48].
//
// 41 features, then, in bf16, what rounding takes from the instance feature, the gradient and θ (the embedding repeats
// those three rows of weights), then what a node weighs, for networks that see it, and in bf16 what rounding takes from
// that, then zeros. weight_plan.cc puts the rows of the embedding in these places.
#pragma once

#include "moco/engine/cuda/batch/batch.cuh"
#include "moco/engine/cuda/kit/tile.cuh"
#include "moco/engine/features.h"

namespace moco::cuda {

constexpr int kWeightPlace = kVariableFeatures + 3;  // of a node's weight; its low half follows

/// What rounding to bf16 takes from x.
__device__ inline float low_half(float x) {
  return x - __bfloat162float(__float2bfloat16_rn(x));
}

/// The feature whose low half a column holds; the column itself where it holds none.
__device__ constexpr int repeated_column(int column) {
  return column == kVariableFeatures       ? 0
         : column == kVariableFeatures + 1 ? kGradientColumn
         : column == kVariableFeatures + 2 ? kThetaColumn
                                           : column;
}

/// The instance feature: d of an edge; of a node 1 or, for GNN_update if it sees that, the crowding.
__device__ inline float first_feature(const DeviceBatch& batch, const GraphData& graph, long long at, int v,
                                      bool init) {
  if (batch.is_tsp) {
    return graph.feature[v];
  }
  return init || batch.network.crowding == nullptr ? 1.0f : batch.network.crowding[at];
}

/// What a node weighs, as a share of the mean weight; 0 for networks that do not see it.
__device__ inline float shown_weight(const DeviceBatch& batch, const GraphData& graph, int v) {
  return !batch.network.node_weights ? 0.0f : graph.feature == nullptr ? 1.0f : graph.feature[v];
}

/// A column of the feature row that stands in `given_rows`.
template <typename T>
__device__ inline float given_feature(const DeviceBatch& batch, long long at, int column) {
  const int source = sizeof(T) < sizeof(float) ? repeated_column(column) : column;
  if (source >= kVariableFeatures) {
    return 0.0f;
  }
  const float value = batch.network.given_rows[at * kVariableFeatures + source];
  return source == column ? value : low_half(value);
}

/// Columns First … First + Count − 1 of the feature row of variable v. `init`: the instance feature alone, as GNN_init
/// sees it. `Nodes`: variables are nodes, which may have weights.
template <typename T, int First, bool Nodes = false, int Count>
__device__ inline void feature_columns(const DeviceBatch& batch, const GraphData& graph, long long at, int v, bool init,
                                       float (&x)[Count]) {
  constexpr bool kLowHalves = sizeof(T) < sizeof(float);  // they correct a rounding that float32 does not make
  const bool has_bits = First < kMomentumColumn && First + Count > kMembershipColumn && !init;
  const std::uint32_t bits = has_bits ? batch.search.membership[at] : 0u;
#pragma unroll
  for (int i = 0; i < Count; ++i) {
    const int column = First + i;
    x[i] = 0.0f;
    if (Nodes && column == kWeightPlace) {
      x[i] = shown_weight(batch, graph, v);
    } else if (Nodes && column == kWeightPlace + 1) {
      x[i] = kLowHalves ? low_half(shown_weight(batch, graph, v)) : 0.0f;
    } else if (batch.network.given_rows != nullptr && !init) {
      x[i] = given_feature<T>(batch, at, column);
    } else if (column < kMembershipColumn) {
      x[i] = first_feature(batch, graph, at, v, init);
    } else if (column == kVariableFeatures && kLowHalves) {
      x[i] = low_half(first_feature(batch, graph, at, v, init));
    } else if (init) {
      continue;
    } else if (column < kMomentumColumn) {
      x[i] = static_cast<float>((bits >> (column - kMembershipColumn)) & 1u);
    } else if (column < kGradientColumn) {
      x[i] =
          batch.network.gradient_scale * batch.search.momenta[(column - kMomentumColumn) * batch.total_variables + at];
    } else if (column == kGradientColumn) {
      x[i] = batch.network.gradient_scale * batch.search.gradient[at];
    } else if (column == kThetaColumn) {
      x[i] = batch.search.theta[at];
    } else if (column == kVariableFeatures + 1 && kLowHalves) {
      x[i] = low_half(batch.network.gradient_scale * batch.search.gradient[at]);
    } else if (column == kVariableFeatures + 2 && kLowHalves) {
      x[i] = low_half(batch.search.theta[at]);
    }
  }
}

/// The feature rows of variables first … first + rows − 1 in shared memory, zero up to tile_rows; by a block of
/// `Threads`.
template <int Threads = kThreads, bool Nodes = false, typename T>
__device__ inline void build_features(const DeviceBatch& batch, const GraphData& graph, long long offset, int first,
                                      int rows, int tile_rows, bool init, T* out) {
  static_assert(kFeatureRows == 48);
  for (int i = static_cast<int>(threadIdx.x); i < tile_rows * (kFeatureRows / 8); i += Threads) {
    const int row = i % tile_rows;  // neighbouring threads read neighbouring variables
    const int chunk = i / tile_rows;
    float x[8] = {};
    if (row < rows) {
      const int v = first + row;
      const long long at = offset + v;
      switch (chunk) {
        case 0:
          feature_columns<T, 0, Nodes>(batch, graph, at, v, init, x);
          break;
        case 1:
          feature_columns<T, 8, Nodes>(batch, graph, at, v, init, x);
          break;
        case 2:
          feature_columns<T, 16, Nodes>(batch, graph, at, v, init, x);
          break;
        case 3:
          feature_columns<T, 24, Nodes>(batch, graph, at, v, init, x);
          break;
        case 4:
          feature_columns<T, 32, Nodes>(batch, graph, at, v, init, x);
          break;
        default:
          feature_columns<T, 40, Nodes>(batch, graph, at, v, init, x);
          break;
      }
    }
    store8(out + row * kFeaturePitch<T> + 8 * chunk, x);
  }
}

}  // namespace moco::cuda
