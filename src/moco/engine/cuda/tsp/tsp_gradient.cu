// Policy gradient of the TSP and its momenta; beside it, in the same launch, the elites.
//
// City i is left once per tour, at step t, so its row of θ gets one softmax gradient per sample over the neighbours
// that were unvisited then:  g_ir = share · Σ_s A_s ([r taken] − [r unvisited] w_r / Σ_unvisited w),  w = e^(θ − row
// maximum). A warp takes a row. First the lanes are samples (32 at a time): each sums the masses of its unvisited
// neighbours, and a ballot records who was unvisited. Then the lanes are neighbours: each sums A_s/Σ over the samples
// in its ballot.
#include <algorithm>

#include "moco/engine/cuda/batch/launch.cuh"
#include "moco/engine/cuda/step/elite.cuh"
#include "moco/engine/cuda/step/mass.cuh"
#include "moco/engine/cuda/step/momenta.cuh"
#include "moco/engine/cuda/tsp/tour_kernels.h"

namespace moco::cuda {

namespace {

constexpr int kWarps = kThreads / 32;
constexpr int kSharedLimit = 200 * 1024;
constexpr int kTogether = 10;  // neighbours of a row that a lane looks up at a time

/// A warp's working set; `degree` entries each, laid out one after the other.
struct Row {
  double* weight;
  double* sum;
  unsigned* unvisited;  ///< bit s: unvisited for sample s of the current 32
  int* target;
};

struct SampleShare {
  double scaled[32];  ///< A/Σ
  double advantage[32];
  int taken[32];  ///< neighbour taken, −1 for none
};

/// What is left of shared memory beside what the kernel declares.
constexpr int kRoom = kMostShared - static_cast<int>(sizeof(EliteShared) + kWarps * sizeof(SampleShare));

__host__ __device__ constexpr int row_bytes(int degree) {
  return (8 + 8 + 4 + 4) * ((degree + 1) / 2 * 2);
}

__device__ void row_gradient(const DeviceBatch& batch, int trajectory, const TrajectoryData& t, const GraphData& graph,
                             int node, const Row& row, SampleShare& share) {
  const int k = graph.degree;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const float* theta = batch.search.theta + t.variable_offset + static_cast<long long>(node) * k;
  float top = -INFINITY;
  for (int r = lane; r < k; r += 32) {
    top = fmaxf(top, theta[r]);
  }
  top = warp_max(top);
  for (int r = lane; r < k; r += 32) {
    row.weight[r] = mass_of(theta[r], top);
    row.sum[r] = 0.0;
    row.target[r] = graph.targets[static_cast<long long>(node) * k + r];
  }
  __syncwarp();
  const int b = batch.samples;
  const int* left_at = batch.search.left_at + t.node_offset * b;
  const int* choice = batch.tours.choice + t.node_offset * b;
  const double* costs = (batch.search.by_improved ? batch.search.found.costs : batch.search.costs) +
                        static_cast<long long>(trajectory) * b;
  const double mean = batch.search.state[trajectory].mean_cost;
  for (int first = 0; first < b; first += 32) {
    const int s = first + lane;
    const bool in_range = s < b;
    const int left = in_range ? left_at[static_cast<long long>(node) * b + s] : 0;
    const int taken = in_range ? choice[static_cast<long long>(node) * b + s] : -1;
    double total = 0.0;
    for (int first_r = 0; first_r < k; first_r += kTogether) {
      int neighbour_left[kTogether];
#pragma unroll
      for (int j = 0; j < kTogether; ++j) {
        const int r = first_r + j;
        neighbour_left[j] = r < k && taken >= 0 ? left_at[static_cast<long long>(row.target[r]) * b + s] : -1;
      }
#pragma unroll
      for (int j = 0; j < kTogether; ++j) {
        if (const int r = first_r + j; r < k) {
          const bool open = taken >= 0 && neighbour_left[j] > left;
          const unsigned mask = __ballot_sync(kFullWarp, open);
          if (lane == 0) {
            row.unvisited[r] = mask;
          }
          total += open ? row.weight[r] : 0.0;
        }
      }
    }
    double advantage = 0.0;
    if (taken >= 0) {
      advantage = batch.search.causal ? batch.search.to_go[(t.node_offset + left) * b + s] -
                                            batch.search.mean_to_go[t.node_offset + left]
                                      : (costs[s] - mean) / graph.cost_scale;
    }
    share.scaled[lane] = taken >= 0 ? advantage / total : 0.0;
    share.advantage[lane] = advantage;
    share.taken[lane] = taken;
    __syncwarp();
    for (int r = lane; r < k; r += 32) {
      const unsigned mask = row.unvisited[r];
      double pushed = 0.0;
      double pulled = 0.0;
#pragma unroll 8
      for (int i = 0; i < 32; ++i) {
        pushed += ((mask >> i) & 1u) != 0 ? share.scaled[i] : 0.0;
        pulled += share.taken[i] == r ? share.advantage[i] : 0.0;
      }
      row.sum[r] += pulled - row.weight[r] * pushed;
    }
    __syncwarp();
  }
  const double scale = 1.0 / (static_cast<double>(max(graph.nodes - 1, 1)) * b);
  for (int r = lane; r < k; r += 32) {
    store_gradient(batch, t.variable_offset + static_cast<long long>(node) * k + r,
                   static_cast<float>(row.sum[r] * scale));
  }
  __syncwarp();
}

/// Blocks 0 … trajectories − 1 keep the elites, the others compute gradients.
template <typename T>
__global__ void __launch_bounds__(kThreads, 4)
    tsp_gradient_kernel(const __grid_constant__ DeviceBatch batch, const __grid_constant__ NetworkOffsets net,
                        int max_degree, int warps) {
  extern __shared__ __align__(16) unsigned char raw[];
  __shared__ EliteShared elite;
  __shared__ SampleShare shares[kWarps];
  const int block = static_cast<int>(blockIdx.x);
  if (block < batch.trajectories) {
    if (wait_for_previous(batch, block) && !batch.tours.changes.have_base(block)) {
      update_elite<T>(batch, net, block, elite, reinterpret_cast<double*>(raw));
    }
    return;
  }
  const RowChunk chunk = batch.search.gradient_chunks[block - batch.trajectories];
  if (!wait_for_previous(batch, chunk.trajectory) || batch.tours.changes.have_base(chunk.trajectory)) {
    return;
  }
  const TrajectoryData t = batch.trajectory[chunk.trajectory];
  const GraphData graph = batch.graphs[t.graph];
  const int warp = static_cast<int>(threadIdx.x) / 32;
  if (warp >= warps) {
    return;
  }
  const int width = (max_degree + 1) / 2 * 2;
  Row row;
  row.weight = reinterpret_cast<double*>(raw + warp * row_bytes(max_degree));
  row.sum = row.weight + width;
  row.unvisited = reinterpret_cast<unsigned*>(row.sum + width);
  row.target = reinterpret_cast<int*>(row.unvisited + width);
  for (int node = chunk.first + warp; node < chunk.first + chunk.rows; node += warps) {
    row_gradient(batch, chunk.trajectory, t, graph, node, row, shares[warp]);
  }
}

template <typename T>
__global__ void __launch_bounds__(kThreads)
    tsp_elite_kernel(const __grid_constant__ DeviceBatch batch, const __grid_constant__ NetworkOffsets net) {
  __shared__ EliteShared elite;
  if (wait_for_previous(batch, static_cast<int>(blockIdx.x))) {
    show_elite<T>(batch, net, static_cast<int>(blockIdx.x), elite);
  }
}

}  // namespace

int tsp_most_samples() {
  return samples_in(kRoom);
}

int tsp_most_neighbours() {
  return kRoom / row_bytes(2) * 2;
}

void tsp_gradient(const DeviceBatch& batch, const NetworkOffsets& net, bool use_bf16, int max_degree,
                  cudaStream_t stream) {
  // Very long rows leave room for fewer warps.
  const int warps = std::clamp(kSharedLimit / std::max(row_bytes(max_degree), 1), 1, kWarps);
  const int bytes = std::max(warps * row_bytes(max_degree), elite_bytes(batch.samples));
  const auto run = [&](auto kernel) {
    launch(kernel, batch.trajectories + batch.search.gradient_blocks, kThreads, bytes, stream, batch, net, max_degree,
           warps);
  };
  if (use_bf16) {
    run(tsp_gradient_kernel<bf16>);
  } else {
    run(tsp_gradient_kernel<float>);
  }
}

void tsp_elite(const DeviceBatch& batch, const NetworkOffsets& net, bool use_bf16, cudaStream_t stream) {
  const auto run = [&](auto kernel) { launch(kernel, batch.trajectories, kThreads, 0, stream, batch, net); };
  if (use_bf16) {
    run(tsp_elite_kernel<bf16>);
  } else {
    run(tsp_elite_kernel<float>);
  }
}

}  // namespace moco::cuda
