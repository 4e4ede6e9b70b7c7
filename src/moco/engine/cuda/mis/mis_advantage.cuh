// Advantage of a choice of an independent set: cost (total) or cost to go (causal) minus the mean over the samples; and
// what follows from it, the prefix sums of the gradient. Sizes of sets stand for costs where nodes have no weights;
// `Weights` is false in batches in which none have.
#pragma once

#include "moco/engine/cuda/step/costs.cuh"

namespace moco::cuda {

/// Sizes of the sets that a trajectory's advantages count.
__device__ inline const int* counted_sizes(const DeviceBatch& batch, int trajectory) {
  return (batch.search.by_improved ? batch.search.found.lengths : batch.search.lengths) +
         static_cast<long long>(trajectory) * batch.samples;
}

/// Costs of these sets.
__device__ inline const double* counted_costs(const DeviceBatch& batch, int trajectory) {
  return (batch.search.by_improved ? batch.search.found.costs : batch.search.costs) +
         static_cast<long long>(trajectory) * batch.samples;
}

/// Where the weight chosen before the steps of a sample stands.
__device__ inline double* weight_before(const DeviceBatch& batch, const TrajectoryData& t, int sample) {
  return batch.search.to_go + t.node_offset * batch.samples + static_cast<long long>(sample) * t.nodes;
}

/// Sets it for all samples; all threads of the trajectory's last block. Sums of weights are exact.
__device__ inline void set_weight_before(const DeviceBatch& batch, int trajectory, const TrajectoryData& t) {
  const double* weights = batch.graphs[t.graph].weights;
  const int* lengths = batch.search.lengths + static_cast<long long>(trajectory) * batch.samples;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for (int s = static_cast<int>(threadIdx.x) / 32; s < batch.samples; s += static_cast<int>(blockDim.x) / 32) {
    const int* items = batch.search.items + t.node_offset * batch.samples + static_cast<long long>(s) * t.nodes;
    const int length = __ldcg(lengths + s);
    double carry = 0.0;
    for (int first = 0; first < length; first += 32) {
      const int at = first + lane;
      const double weight = at < length ? weights[__ldcg(items + at)] : 0.0;
      const double sum = sum_before(weight) + carry;
      carry = __shfl_sync(kFullWarp, sum, 31);
      if (at < length) {
        weight_before(batch, t, s)[at] = sum - weight;
      }
    }
  }
}

/// As set_mean_to_go, by weight.
__device__ inline void set_mean_weight_to_go(const DeviceBatch& batch, int trajectory, const TrajectoryData& t) {
  const int* lengths = batch.search.lengths + static_cast<long long>(trajectory) * batch.samples;
  const double* costs = counted_costs(batch, trajectory);
  for (int step = static_cast<int>(threadIdx.x); step < t.nodes; step += static_cast<int>(blockDim.x)) {
    double sum = 0.0;
    bool any = false;
    for (int s = 0; s < batch.samples; ++s) {
      if (__ldcg(lengths + s) > step) {
        sum += __ldcg(costs + s) + __ldcg(weight_before(batch, t, s) + step);
        any = true;
      }
    }
    if (!any) {
      break;
    }
    batch.search.mean_to_go[t.node_offset + step] = sum / batch.samples;
  }
}

/// For causal gradients: the mean cost to go of every step that a sample makes; all threads of the trajectory's last
/// block. Every choice costs −1, so the cost to go from step t is −(length − t), or 0 after the end; what a local
/// search adds counts at the last step.
__device__ inline void set_mean_to_go(const DeviceBatch& batch, int trajectory, const TrajectoryData& t) {
  const int* lengths = batch.search.lengths + static_cast<long long>(trajectory) * batch.samples;
  const int* sizes = counted_sizes(batch, trajectory);
  for (int step = static_cast<int>(threadIdx.x); step < t.nodes; step += static_cast<int>(blockDim.x)) {
    long long sum = 0;
    bool any = false;
#pragma unroll 16
    for (int s = 0; s < batch.samples; ++s) {
      const bool goes_on = __ldcg(lengths + s) > step;
      sum -= goes_on ? __ldcg(sizes + s) - step : 0;
      any = any || goes_on;
    }
    if (!any) {
      break;
    }
    batch.search.mean_to_go[t.node_offset + step] = static_cast<double>(sum) / batch.samples;
  }
}

/// Without weights, MIS costs have scale 1.
template <bool Weights>
__device__ inline double mis_advantage(const DeviceBatch& batch, int trajectory, const TrajectoryData& t, int sample,
                                       int step, double mean_cost) {
  if (Weights && t.weighted) {
    const double cost = __ldcg(counted_costs(batch, trajectory) + sample);
    const double advantage = batch.search.causal ? cost + __ldcg(weight_before(batch, t, sample) + step) -
                                                       __ldcg(batch.search.mean_to_go + t.node_offset + step)
                                                 : cost - mean_cost;
    return advantage / batch.graphs[t.graph].cost_scale;
  }
  const int size = __ldcg(counted_sizes(batch, trajectory) + sample);
  return batch.search.causal
             ? -static_cast<double>(size - step) - __ldcg(batch.search.mean_to_go + t.node_offset + step)
             : -static_cast<double>(size) - mean_cost;
}

/// Mean cost of the sets that count; a warp, which need not wait for the one that stores it. Sums of sizes are exact.
template <bool Weights>
__device__ inline double mean_counted_cost(const DeviceBatch& batch, int trajectory, const TrajectoryData& t) {
  if (Weights && t.weighted) {
    return mean_of(counted_costs(batch, trajectory), batch.samples);
  }
  const int* sizes = counted_sizes(batch, trajectory);
  int sum = 0;
  for (int s = static_cast<int>(threadIdx.x) % 32; s < batch.samples; s += 32) {
    sum += __ldcg(sizes + s);
  }
  return -static_cast<double>(__reduce_add_sync(kFullWarp, sum)) / batch.samples;
}

/// Mass leaving per step → C_t, for one sample by one warp: Z_t summed from the end, then A_t/Z_t from the beginning.
template <bool Weights>
__device__ inline void prefix_sums(const DeviceBatch& batch, int trajectory, const TrajectoryData& t, int sample,
                                   int length, double mean_cost, double* prefix) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  double carry = 0.0;
  for (int first = (length - 1) / 32 * 32; first >= 0 && length > 0; first -= 32) {
    const int at = first + lane;
    const double leaving = at < length ? __ldcg(prefix + at) : 0.0;
    const double advantage = at < length ? mis_advantage<Weights>(batch, trajectory, t, sample, at, mean_cost) : 0.0;
    const double candidates = sum_after(leaving) + carry;
    carry = __shfl_sync(kFullWarp, candidates, 0);
    if (at < length) {
      prefix[at] = advantage / candidates;
    }
  }
  __syncwarp();
  carry = 0.0;
  for (int first = 0; first < length; first += 32) {
    const int at = first + lane;
    const double sum = sum_before(at < length ? prefix[at] : 0.0) + carry;
    carry = __shfl_sync(kFullWarp, sum, 31);
    if (at < length) {
      prefix[at] = sum;
    }
  }
}

/// Means and prefix sums of all samples of a trajectory once their advantages are known, by its last block.
template <bool Weights>
__device__ inline void set_advantages(const DeviceBatch& batch, int trajectory, const TrajectoryData& t) {
  if (Weights && t.weighted && batch.search.causal) {
    set_weight_before(batch, trajectory, t);
    __syncthreads();
    set_mean_weight_to_go(batch, trajectory, t);
    __syncthreads();
  } else if (batch.search.causal) {
    set_mean_to_go(batch, trajectory, t);
    __syncthreads();
  }
  const double mean_cost = mean_counted_cost<Weights>(batch, trajectory, t);
  for (int s = static_cast<int>(threadIdx.x) / 32; s < batch.samples; s += static_cast<int>(blockDim.x) / 32) {
    const int length = __ldcg(batch.search.lengths + static_cast<long long>(trajectory) * batch.samples + s);
    prefix_sums<Weights>(batch, trajectory, t, s, length, mean_cost,
                         batch.search.prefix + t.node_offset * batch.samples + static_cast<long long>(s) * t.nodes);
  }
}

/// What the last sampling block of a trajectory does; all threads.
template <bool Weights>
__device__ inline void finish_sets(const DeviceBatch& batch, int trajectory) {
  const TrajectoryData t = batch.trajectory[trajectory];
  if (threadIdx.x == 0) {
    set_sampled_mean(batch, trajectory);
  }
  if (!batch.search.by_improved) {  // otherwise the local search knows the advantages
    set_advantages<Weights>(batch, trajectory, t);
  }
}

/// Likewise, not inlined: for kernels that need the registers.
template <bool Weights>
__device__ __noinline__ void finish_apart(const DeviceBatch& batch, int trajectory) {
  finish_sets<Weights>(batch, trajectory);
}

}  // namespace moco::cuda
