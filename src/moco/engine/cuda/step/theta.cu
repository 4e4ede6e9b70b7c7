// Small kernels on θ alone: the entropy of the policy, and a θ from outside.
#include "moco/core/ceil_div.h"
#include "moco/engine/cuda/batch/launch.cuh"
#include "moco/engine/cuda/step/mass.cuh"
#include "moco/engine/cuda/step/step_kernels.h"
#include "moco/engine/features.h"

namespace moco::cuda {

namespace {

constexpr int kBlock = 256;

/// Part of the entropy −Σ p log p.
__device__ double surprise(float theta, float top, double total) {
  const double p = mass_of(theta, top) / total;
  return -p * log(p);
}

/// TSP: a warp per row, mean over rows. MIS: one row; the warps' parts of it are joined by block reductions.
__global__ void entropy_kernel(const __grid_constant__ DeviceBatch batch) {
  __shared__ double scratch[kBlock / 32];
  if (!wait_for_previous(batch, static_cast<int>(blockIdx.x))) {
    return;
  }
  const TrajectoryData t = batch.trajectory[blockIdx.x];
  const float* theta = batch.search.theta + t.variable_offset;
  const int tid = static_cast<int>(threadIdx.x);
  double sum = 0.0;
  if (batch.is_tsp) {
    const int k = batch.graphs[t.graph].degree;
    for (int node = tid / 32; k > 0 && node < t.nodes; node += kBlock / 32) {
      const float* row = theta + static_cast<long long>(node) * k;
      float top = -INFINITY;
      for (int r = tid % 32; r < k; r += 32) {
        top = fmaxf(top, row[r]);
      }
      top = warp_max(top);
      double total = 0.0;
      for (int r = tid % 32; r < k; r += 32) {
        total += mass_of(row[r], top);
      }
      total = warp_sum(total);
      for (int r = tid % 32; r < k; r += 32) {
        sum += surprise(row[r], top, total);
      }
    }
    sum = block_sum(sum, scratch) / t.nodes;
  } else {
    float top = -INFINITY;
    double total = 0.0;
    for (int v = tid; v < t.variables; v += kBlock) {
      top = fmaxf(top, theta[v]);
    }
    top = block_max(top, scratch);
    for (int v = tid; v < t.variables; v += kBlock) {
      total += mass_of(theta[v], top);
    }
    total = block_sum(total, scratch);
    for (int v = tid; v < t.variables; v += kBlock) {
      sum += surprise(theta[v], top, total);
    }
    sum = block_sum(sum, scratch);
  }
  if (tid == 0) {
    batch.search.state[blockIdx.x].entropy = sum;
  }
}

__global__ void bound_theta_kernel(float* theta, std::size_t count) {
  const std::size_t at = static_cast<std::size_t>(blockIdx.x) * kBlock + threadIdx.x;
  if (at < count) {
    theta[at] = bounded_theta(theta[at]);
  }
}

}  // namespace

void keep_theta(const DeviceBatch& batch, float* place, cudaStream_t stream) {
  MOCO_CUDA_CHECK(cudaMemcpyAsync(place, batch.search.theta,
                                  static_cast<std::size_t>(batch.total_variables) * sizeof(float),
                                  cudaMemcpyDeviceToDevice, stream));
}

void entropy(const DeviceBatch& batch, cudaStream_t stream) {
  launch(entropy_kernel, batch.trajectories, kBlock, 0, stream, batch);
}

void bound_theta(std::span<float> theta, cudaStream_t stream) {
  if (!theta.empty()) {
    const auto blocks = ceil_div(theta.size(), std::size_t{kBlock});
    bound_theta_kernel<<<static_cast<unsigned>(blocks), kBlock, 0, stream>>>(theta.data(), theta.size());
    MOCO_CUDA_CHECK(cudaGetLastError());
  }
}

}  // namespace moco::cuda
