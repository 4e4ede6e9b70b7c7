// Advantage of a choice of an independent set: cost (total) or cost to go (causal) minus the mean over the samples; and
// what follows from it, the prefix sums of the gradient.
#pragma once

#include "moco/engine/cuda/common.cuh"

namespace moco::cuda {

/// Every choice costs −1, so the cost to go from step t is −(length − t), or 0 after the end; what a local search adds
/// counts at the last step. MIS costs have scale 1.
__device__ inline double mis_advantage(const DeviceBatch& batch, int trajectory, int sample, int step,
                                       double mean_cost) {
  const long long first = static_cast<long long>(trajectory) * batch.samples;
  const int* lengths = batch.lengths + first;
  const int* sizes = (batch.by_improved ? batch.found_lengths : batch.lengths) + first;
  if (!batch.causal) {
    return -static_cast<double>(__ldcg(sizes + sample)) - mean_cost;
  }
  long long sum = 0;
  for (int s = 0; s < batch.samples; ++s) {
    sum -= __ldcg(lengths + s) > step ? __ldcg(sizes + s) - step : 0;
  }
  return -static_cast<double>(__ldcg(sizes + sample) - step) - static_cast<double>(sum) / batch.samples;
}

/// Mass leaving per step → C_t, for one sample by one warp: Z_t summed from the end, then A_t/Z_t from the beginning.
__device__ inline void prefix_sums(const DeviceBatch& batch, int trajectory, int sample, int length, double* prefix) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  double carry = 0.0;
  for (int first = (length - 1) / 32 * 32; first >= 0 && length > 0; first -= 32) {
    const int at = first + lane;
    double candidates = at < length ? __ldcg(prefix + at) : 0.0;
#pragma unroll
    for (int offset = 1; offset < 32; offset <<= 1) {
      const double other = __shfl_down_sync(kFullWarp, candidates, offset);
      candidates += lane + offset < 32 ? other : 0.0;
    }
    candidates += carry;
    carry = __shfl_sync(kFullWarp, candidates, 0);
    if (at < length) {
      prefix[at] = mis_advantage(batch, trajectory, sample, at, batch.state[trajectory].mean_cost) / candidates;
    }
  }
  __syncwarp();
  carry = 0.0;
  for (int first = 0; first < length; first += 32) {
    const int at = first + lane;
    double sum = at < length ? prefix[at] : 0.0;
#pragma unroll
    for (int offset = 1; offset < 32; offset <<= 1) {
      const double other = __shfl_up_sync(kFullWarp, sum, offset);
      sum += lane >= offset ? other : 0.0;
    }
    sum += carry;
    carry = __shfl_sync(kFullWarp, sum, 31);
    if (at < length) {
      prefix[at] = sum;
    }
  }
}

/// The same for all samples of a trajectory, by its last block.
__device__ inline void all_prefix_sums(const DeviceBatch& batch, int trajectory, const TrajectoryData& t) {
  for (int s = static_cast<int>(threadIdx.x) / 32; s < batch.samples; s += static_cast<int>(blockDim.x) / 32) {
    const int length = __ldcg(batch.lengths + static_cast<long long>(trajectory) * batch.samples + s);
    prefix_sums(batch, trajectory, s, length,
                batch.prefix + t.node_offset * batch.samples + static_cast<long long>(s) * t.nodes);
  }
}

}  // namespace moco::cuda
