// What a trajectory's last block does once the costs of all samples are known.
#pragma once

#include "moco/engine/cuda/batch/batch.cuh"

namespace moco::cuda {

/// Mean over the samples, in their order; costs may come from other blocks of this kernel.
__device__ inline double mean_of(const double* costs, int samples) {
  double sum = 0.0;
  in_order<16>(
      samples, [&](int s) { return __ldcg(costs + s); }, [&](int, double cost) { sum += cost; });
  return sum / samples;
}

/// After sampling; one thread.
__device__ inline void set_sampled_mean(const DeviceBatch& batch, int trajectory) {
  SearchState& state = batch.search.state[trajectory];
  state.mean_cost = mean_of(batch.search.costs + static_cast<long long>(trajectory) * batch.samples, batch.samples);
  state.found_mean = state.mean_cost;
}

/// After local search; one thread.
__device__ inline void set_found_mean(const DeviceBatch& batch, int trajectory) {
  SearchState& state = batch.search.state[trajectory];
  state.found_mean =
      mean_of(batch.search.found.costs + static_cast<long long>(trajectory) * batch.samples, batch.samples);
  if (batch.search.by_improved) {
    state.mean_cost = state.found_mean;
  }
}

/// For causal gradients of the TSP: the mean cost to go of the first `steps` steps; all threads.
__device__ inline void average_to_go(const DeviceBatch& batch, const TrajectoryData& t, int steps) {
  for (int i = static_cast<int>(threadIdx.x); i < steps; i += static_cast<int>(blockDim.x)) {
    batch.search.mean_to_go[t.node_offset + i] =
        mean_of(batch.search.to_go + (t.node_offset + i) * batch.samples, batch.samples);
  }
}

}  // namespace moco::cuda
