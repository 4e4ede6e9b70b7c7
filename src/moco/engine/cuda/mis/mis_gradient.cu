// Policy gradient of the MIS and its momenta; beside it, in the same launch, the elites.
//
// Node j is a candidate until step τ (chosen or blocked):  g_j = Σ_s (A_τ [j chosen] − w_j C_τ) / (length_s · b), with
// w = e^(θ − max) and the prefix sums C of mis_sample. A warp takes a node, its lanes the samples.
#include "moco/engine/cuda/batch/launch.cuh"
#include "moco/engine/cuda/mis/mis_advantage.cuh"
#include "moco/engine/cuda/mis/set_kernels.h"
#include "moco/engine/cuda/step/elite.cuh"
#include "moco/engine/cuda/step/momenta.cuh"

namespace moco::cuda {

namespace {

constexpr int kWarps = kThreads / 32;

/// Blocks 0 … trajectories − 1 keep the elites, the others compute gradients.
template <typename T, bool Weights>
__global__ void __launch_bounds__(kThreads)
    mis_gradient_kernel(const __grid_constant__ DeviceBatch batch, const __grid_constant__ NetworkOffsets net) {
  extern __shared__ __align__(16) unsigned char raw[];
  __shared__ EliteShared elite;
  const int block = static_cast<int>(blockIdx.x);
  if (block < batch.trajectories) {
    if (wait_for_previous(batch, block)) {
      update_elite<T>(batch, net, block, elite, reinterpret_cast<double*>(raw));
    }
    return;
  }
  const RowChunk chunk = batch.search.gradient_chunks[block - batch.trajectories];
  if (!wait_for_previous(batch, chunk.trajectory)) {
    return;
  }
  const TrajectoryData t = batch.trajectory[chunk.trajectory];
  const double mean = batch.search.state[chunk.trajectory].mean_cost;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int b = batch.samples;
  const long long base = t.node_offset * b;
  for (int node = chunk.first + static_cast<int>(threadIdx.x) / 32; node < chunk.first + chunk.rows; node += kWarps) {
    const double weight = batch.sets.mass[t.variable_offset + node];
    double sum = 0.0;
    for (int s = lane; s < b; s += 32) {
      const int left = batch.search.left_at[base + static_cast<long long>(node) * b + s];
      const long long at = base + static_cast<long long>(s) * t.nodes + left;
      const double chosen =
          batch.search.items[at] == node ? mis_advantage<Weights>(batch, chunk.trajectory, t, s, left, mean) : 0.0;
      const double length = batch.search.lengths[static_cast<long long>(chunk.trajectory) * b + s];
      sum += (chosen - weight * batch.search.prefix[at]) / (length * b);
    }
    sum = warp_sum(sum);
    if (lane == 0) {
      store_gradient(batch, t.variable_offset + node, static_cast<float>(sum));
    }
  }
}

}  // namespace

int mis_most_samples() {
  return samples_in(kMostShared - static_cast<int>(sizeof(EliteShared)));
}

void mis_gradient(const DeviceBatch& batch, const NetworkOffsets& net, bool use_bf16, cudaStream_t stream) {
  const int bytes = elite_bytes(batch.samples);
  const auto run = [&](auto kernel) {
    launch(kernel, batch.trajectories + batch.search.gradient_blocks, kThreads, bytes, stream, batch, net);
  };
  if (use_bf16) {
    run(batch.sets.weighted ? mis_gradient_kernel<bf16, true> : mis_gradient_kernel<bf16, false>);
  } else {
    run(batch.sets.weighted ? mis_gradient_kernel<float, true> : mis_gradient_kernel<float, false>);
  }
}

}  // namespace moco::cuda
