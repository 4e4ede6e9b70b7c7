// Policy gradient of partial samples of tours and its momenta.
//
// A choice at city i has a softmax gradient over the neighbours that were open to it (tsp_gradient.cu has the formula);
// each sample counts the mean over its choices. A warp takes a row. First the lanes are samples, 32 at a time: each
// sums the masses of what was open. Then the lanes are neighbours, and each adds up the samples that came by: few, for
// a walk is short. What is open to a sample may be far less likely than what is not, so masses are relative to the
// largest open one, as on the CPU.
#include <algorithm>

#include "moco/engine/cuda/batch/launch.cuh"
#include "moco/engine/cuda/step/mass.cuh"
#include "moco/engine/cuda/step/momenta.cuh"
#include "moco/engine/cuda/tsp/tour_kernels.h"

namespace moco::cuda {

namespace {

constexpr int kWarps = kThreads / 32;
constexpr int kSharedLimit = 200 * 1024;

/// A warp's working set; `degree` entries each, laid out one after the other.
struct Row {
  double* sum;
  unsigned* open;  ///< bit s: to sample s of the current 32
  int* target;
};

__host__ __device__ constexpr int row_bytes(int degree) {
  return (8 + 4 + 4) * ((degree + 1) / 2 * 2);
}

struct SampleShare {
  double scaled[32];  ///< A/Σ
  double advantage[32];
  int taken[32];  ///< neighbour taken, −1 for none
  float top[32];  ///< largest θ that was open
};

__device__ void row_gradient(const DeviceBatch& batch, int trajectory, const TrajectoryData& t, const GraphData& graph,
                             int node, const Row& row, SampleShare& share) {
  const int k = graph.degree;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const float* theta = batch.search.theta + t.variable_offset + static_cast<long long>(node) * k;
  for (int r = lane; r < k; r += 32) {
    row.sum[r] = 0.0;
    row.target[r] = graph.targets[static_cast<long long>(node) * k + r];
  }
  __syncwarp();
  const int b = batch.samples;
  const int* left_at = batch.search.left_at + t.node_offset * b;
  const int* choice = batch.tours.choice + t.node_offset * b;
  const long long samples = static_cast<long long>(trajectory) * b;
  const double* costs = (batch.search.by_improved ? batch.tours.changes.mended : batch.tours.changes.chosen) + samples;
  const double mean = batch.search.state[trajectory].mean_cost;
  for (int first = 0; first < b; first += 32) {
    const int s = first + lane;
    const int taken = s < b ? choice[static_cast<long long>(node) * b + s] : -1;
    const unsigned came_by = __ballot_sync(kFullWarp, taken >= 0);
    if (came_by == 0) {
      continue;
    }
    const int left = taken >= 0 ? left_at[static_cast<long long>(node) * b + s] : 0;
    float top = -INFINITY;
    for (int r = 0; r < k; ++r) {
      const bool open = taken >= 0 && left_at[static_cast<long long>(row.target[r]) * b + s] > left;
      const unsigned mask = __ballot_sync(kFullWarp, open);
      if (lane == 0) {
        row.open[r] = mask;
      }
      top = open ? fmaxf(top, theta[r]) : top;
    }
    __syncwarp();
    double total = 0.0;
    for (int r = 0; taken >= 0 && r < k; ++r) {
      total += ((row.open[r] >> lane) & 1u) != 0 ? mass_of(theta[r], top) : 0.0;
    }
    double advantage = 0.0;
    if (taken >= 0) {
      advantage = (batch.search.causal ? batch.search.to_go[(t.node_offset + left) * b + s] -
                                             batch.search.mean_to_go[t.node_offset + left]
                                       : (costs[s] - mean) / graph.cost_scale) /
                  batch.tours.changes.made[samples + s];
    }
    share.scaled[lane] = taken >= 0 ? advantage / total : 0.0;
    share.advantage[lane] = advantage;
    share.taken[lane] = taken;
    share.top[lane] = top;
    __syncwarp();
    for (int r = lane; r < k; r += 32) {
      double sum = row.sum[r];
      for (unsigned left_over = came_by; left_over != 0; left_over &= left_over - 1) {
        const int i = __ffs(static_cast<int>(left_over)) - 1;
        sum -= ((row.open[r] >> i) & 1u) != 0 ? mass_of(theta[r], share.top[i]) * share.scaled[i] : 0.0;
        sum += share.taken[i] == r ? share.advantage[i] : 0.0;
      }
      row.sum[r] = sum;
    }
    __syncwarp();
  }
  for (int r = lane; r < k; r += 32) {
    store_gradient(batch, t.variable_offset + static_cast<long long>(node) * k + r, static_cast<float>(row.sum[r] / b));
  }
  __syncwarp();
}

__global__ void __launch_bounds__(kThreads)
    tsp_change_gradient_kernel(const __grid_constant__ DeviceBatch batch, int max_degree, int warps) {
  extern __shared__ __align__(16) unsigned char raw[];
  __shared__ SampleShare shares[kWarps];
  const RowChunk chunk = batch.search.gradient_chunks[blockIdx.x];
  if (!wait_for_previous(batch, chunk.trajectory) || !batch.tours.changes.have_base(chunk.trajectory)) {
    return;
  }
  const int warp = static_cast<int>(threadIdx.x) / 32;
  if (warp >= warps) {
    return;
  }
  const TrajectoryData t = batch.trajectory[chunk.trajectory];
  const GraphData graph = batch.graphs[t.graph];
  const int width = (max_degree + 1) / 2 * 2;
  Row row;
  row.sum = reinterpret_cast<double*>(raw + warp * row_bytes(max_degree));
  row.open = reinterpret_cast<unsigned*>(row.sum + width);
  row.target = reinterpret_cast<int*>(row.open + width);
  for (int node = chunk.first + warp; node < chunk.first + chunk.rows; node += warps) {
    row_gradient(batch, chunk.trajectory, t, graph, node, row, shares[warp]);
  }
}

}  // namespace

void tsp_change_gradient(const DeviceBatch& batch, int max_degree, cudaStream_t stream) {
  const int warps = std::clamp(kSharedLimit / std::max(row_bytes(max_degree), 1), 1, kWarps);
  launch(tsp_change_gradient_kernel, batch.search.gradient_blocks, kThreads, warps * row_bytes(max_degree), stream,
         batch, max_degree, warps);
}

}  // namespace moco::cuda
