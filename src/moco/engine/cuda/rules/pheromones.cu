// Pheromones of all variables, step after step.
//
// The amounts are float and are added in the order of the samples, as the CPU does, so that both engines come to the
// same sums. A thread block keeps its variables' pheromones in shared memory and goes through all samples, one after
// the other, with the next ones on their way; within one of them no variable is met twice, but for the two directions
// of a tour through two cities.
#include "moco/engine/cuda/batch/launch.cuh"
#include "moco/engine/cuda/rules/rule_kernels.h"
#include "moco/engine/pheromones.h"

namespace moco::cuda {

namespace {

/// The pheromones of a chunk of variables in shared memory.
struct Trails {
  float* value;
  int first;
  int count;

  __device__ void add(int variable, float amount) const {
    const int i = variable - first;
    if (i >= 0 && i < count) {
      value[i] = __fadd_rn(value[i], amount);
    }
  }
};

/// A solution and what it adds to its variables (−1 for none). Each thread takes the variable of its number, and every
/// further one that many threads behind; the first is known beforehand.
struct Deposit {
  const int* variables = nullptr;
  int length = 0;
  float amount = 0.0f;
  int variable = -1;
  int back = -1;

  Deposit() = default;
  __device__ Deposit(const int* own_variables, int own_length, float own_amount, const int* reverse)
      : variables(own_variables), length(own_length), amount(own_amount) {
    const int i = static_cast<int>(threadIdx.x);
    variable = i < length ? variables[i] : -1;
    back = reverse_of(variable, reverse);
  }

  __device__ static int reverse_of(int variable, const int* reverse) {
    return reverse != nullptr && variable >= 0 ? reverse[variable] : -1;
  }
};

__device__ Deposit of_sample(const DeviceBatch& batch, const TrajectoryData& t, int trajectory, int sample,
                             float amount, const int* reverse) {
  return {batch.search.found.variables + t.node_offset * batch.samples + static_cast<long long>(sample) * t.nodes,
          batch.search.found.lengths[static_cast<long long>(trajectory) * batch.samples + sample], amount, reverse};
}

__device__ Deposit of_best(const DeviceBatch& batch, const TrajectoryData& t, const SearchState& state, float amount,
                           const int* reverse) {
  const int slot = state.elite_slot[0];
  return {batch.search.elite_variables + t.node_offset * kEliteSize + static_cast<long long>(slot) * t.nodes,
          state.elite_length[slot], amount, reverse};
}

/// Adds to a solution's variables; where both directions are as long, to those of the other one too. All threads.
__device__ void add(const Trails& trails, const Deposit& solution, const int* reverse, bool goes_both_ways) {
  trails.add(solution.variable, solution.amount);  // −1 lies before all of them
  for (int i = static_cast<int>(threadIdx.x) + kThreads; i < solution.length; i += kThreads) {
    trails.add(solution.variables[i], solution.amount);
  }
  if (reverse != nullptr) {
    if (goes_both_ways) {
      __syncthreads();
    }
    trails.add(solution.back, solution.amount);
    for (int i = static_cast<int>(threadIdx.x) + kThreads; i < solution.length; i += kThreads) {
      trails.add(Deposit::reverse_of(solution.variables[i], reverse), solution.amount);
    }
  }
  __syncthreads();
}

/// The first of the cheapest samples, known to all threads.
__device__ int best_sample(const double* costs, int samples) {
  __shared__ int found;
  if (threadIdx.x < 32) {
    double least = INFINITY;
    int best = 0;
    for (int s = static_cast<int>(threadIdx.x); s < samples; s += 32) {
      if (costs[s] < least) {
        least = costs[s];
        best = s;
      }
    }
#pragma unroll
    for (int offset = 16; offset > 0; offset >>= 1) {
      const double other = __shfl_xor_sync(kFullWarp, least, offset);
      const int number = __shfl_xor_sync(kFullWarp, best, offset);
      if (other < least || (other == least && number < best)) {
        least = other;
        best = number;
      }
    }
    if (threadIdx.x == 0) {
      found = best;
    }
  }
  __syncthreads();
  return found;
}

__global__ void __launch_bounds__(kThreads)
    pheromones_begin_kernel(const __grid_constant__ DeviceBatch batch, float weight) {
  const RowChunk chunk = batch.search.variable_chunks[blockIdx.x];
  if (!wait_for_previous(batch, chunk.trajectory)) {
    return;
  }
  const long long first = batch.trajectory[chunk.trajectory].variable_offset + chunk.first;
  for (int i = static_cast<int>(threadIdx.x); i < chunk.rows; i += kThreads) {
    const long long at = first + i;
    const float theta = bounded_theta(weight * batch.search.theta[at]);
    batch.search.theta[at] = theta;
    batch.pheromones.weighed_theta[at] = theta;
    batch.pheromones.trails[at] = 1.0f;
  }
}

template <bool Bounded>
__global__ void __launch_bounds__(kThreads) pheromones_deposit_kernel(const __grid_constant__ DeviceBatch batch) {
  __shared__ float values[kVariablesOfBlock];
  const RowChunk chunk = batch.search.variable_chunks[blockIdx.x];
  if (!wait_for_previous(batch, chunk.trajectory)) {
    return;
  }
  const PheromoneData& rule = batch.pheromones;
  const TrajectoryData t = batch.trajectory[chunk.trajectory];
  const GraphData& graph = batch.graphs[t.graph];
  const SearchState& state = batch.search.state[chunk.trajectory];
  const double* costs = batch.search.found.costs + static_cast<long long>(chunk.trajectory) * batch.samples;
  // Other blocks of the trajectory may find the unit set already: to the same.
  double unit = rule.unit_cost[chunk.trajectory];
  if (unit == 0.0) {
    unit = state.elite_cost[0];
    if (chunk.first == 0 && threadIdx.x == 0) {
      rule.unit_cost[chunk.trajectory] = unit;
    }
  }
  float* stored = rule.trails + t.variable_offset + chunk.first;
  for (int i = static_cast<int>(threadIdx.x); i < chunk.rows; i += kThreads) {
    values[i] = __fmul_rn(rule.kept, stored[i]);
  }
  __syncthreads();
  const Trails trails{values, chunk.first, chunk.rows};
  const double best = solution_quality(state.elite_cost[0], unit);
  const int* reverse = graph.deposits;
  const auto deposit = [&](const Deposit& solution) { add(trails, solution, reverse, t.nodes == 2); };
  float low = -INFINITY;
  float high = INFINITY;
  if constexpr (Bounded) {
    if (state.step % kBestSoFarEvery == 0) {
      deposit(of_best(batch, t, state, static_cast<float>(rule.of_best * best), reverse));
    } else {
      const int sample = best_sample(costs, batch.samples);
      const double amount = rule.of_samples * solution_quality(costs[sample], unit);
      deposit(of_sample(batch, t, chunk.trajectory, sample, static_cast<float>(amount), reverse));
    }
    const int choices = batch.is_tsp ? t.nodes - 1 : state.elite_length[state.elite_slot[0]];
    high = static_cast<float>(best);
    low = static_cast<float>(best * least_pheromone_share(choices, batch.is_tsp ? graph.degree : graph.nodes));
  } else {
    __shared__ float amounts[kThreads];
    for (int first = 0; first < batch.samples; first += kThreads) {
      const int count = min(batch.samples - first, kThreads);
      const int own = static_cast<int>(threadIdx.x);
      if (own < count) {
        amounts[own] = static_cast<float>(rule.of_samples * solution_quality(costs[first + own], unit) / batch.samples);
      }
      __syncthreads();
      in_order<8>(
          count, [&](int i) { return of_sample(batch, t, chunk.trajectory, first + i, amounts[i], reverse); },
          [&](int, const Deposit& solution) { deposit(solution); });
    }
    if (rule.of_best > 0.0) {
      deposit(of_best(batch, t, state, static_cast<float>(rule.of_best * best), reverse));
    }
  }
  for (int i = static_cast<int>(threadIdx.x); i < chunk.rows; i += kThreads) {
    stored[i] = fminf(fmaxf(values[i], low), high);
  }
}

__global__ void __launch_bounds__(kThreads) pheromones_update_kernel(const __grid_constant__ DeviceBatch batch) {
  const RowChunk chunk = batch.search.variable_chunks[blockIdx.x];
  if (!wait_for_previous(batch, chunk.trajectory)) {
    return;
  }
  const long long first = batch.trajectory[chunk.trajectory].variable_offset + chunk.first;
  for (int i = static_cast<int>(threadIdx.x); i < chunk.rows; i += kThreads) {
    const long long at = first + i;
    batch.search.theta[at] = theta_of_pheromone(batch.pheromones.trails[at], batch.pheromones.trail_weight,
                                                batch.pheromones.weighed_theta[at]);
  }
}

}  // namespace

void pheromones_begin(const DeviceBatch& batch, float weight, cudaStream_t stream) {
  launch(pheromones_begin_kernel, batch.search.variable_blocks, kThreads, 0, stream, batch, weight);
}

void pheromones_deposit(const DeviceBatch& batch, cudaStream_t stream) {
  launch(batch.pheromones.bounded ? pheromones_deposit_kernel<true> : pheromones_deposit_kernel<false>,
         batch.search.variable_blocks, kThreads, 0, stream, batch);
}

void pheromones_update(const DeviceBatch& batch, cudaStream_t stream) {
  launch(pheromones_update_kernel, batch.search.variable_blocks, kThreads, 0, stream, batch);
}

}  // namespace moco::cuda
