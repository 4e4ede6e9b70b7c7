// b tours per trajectory by the Gumbel order: from city i to the unvisited neighbour with the largest key θ_ir +
// Gumbel_ir, ties to the lower r; to the nearest unvisited city, or to the end with a penalty, when no neighbour is
// left.
//
// One thread block per tour. All threads draw the keys [n × k] into shared memory (every row is used exactly once, so
// no draw is wasted), then one warp walks: lane r looks at neighbours r, r + 32, …. Lengths are looked up (and scaled)
// by all threads afterwards, in the place of the keys, and added in step order in double precision, as the CPU does.
// Rows too large for shared memory are drawn on the way.
#include "moco/engine/cuda/costs.cuh"
#include "moco/engine/cuda/network_kernels.h"
#include "moco/engine/cuda/step_kernels.h"
#include "moco/engine/cuda/tsp_walk.cuh"

namespace moco::cuda {

namespace {

constexpr double kPenalty = 1.4142135623730951;  // per unvisited city, in the unit square

/// Mean cost over the samples; for causal gradients the mean cost to go of every step. By the trajectory's last block.
__device__ void finish_trajectory(const DeviceBatch& batch, int trajectory, const TrajectoryData& t) {
  if (threadIdx.x == 0) {
    set_sampled_mean(batch, trajectory);
  }
  if (batch.causal) {
    average_to_go(batch, t);
  }
}

template <bool Keys, bool Targets>
__global__ void __launch_bounds__(256, 4) tsp_sample_kernel(const __grid_constant__ DeviceBatch batch, int max_nodes,
                                                            int max_variables, bool visited_shared) {
  extern __shared__ __align__(16) unsigned char raw[];
  __shared__ int dead_shared;
  __shared__ int closing_shared;
  const int trajectory = static_cast<int>(blockIdx.x) / batch.samples;
  const int sample = static_cast<int>(blockIdx.x) % batch.samples;
  const TrajectoryState& state = batch.state[trajectory];
  if (state.active == 0) {
    return;
  }
  const TrajectoryData t = batch.trajectory[trajectory];
  const GraphData graph = batch.graphs[t.graph];
  const int n = graph.nodes;
  const int k = graph.degree;
  const int step = state.step;
  const long long slot = t.node_offset * batch.samples + static_cast<long long>(sample) * n;

  Workspace work;
  unsigned char* next = raw;
  work.scaled_stride = 1;
  if (visited_shared) {
    work.order = reinterpret_cast<int*>(next);
    next += align16(4LL * max_nodes);
    work.pick = reinterpret_cast<int*>(next);
    next += align16(4LL * max_nodes);
    work.visited = next;
    next += align16(max_nodes);
    work.length = reinterpret_cast<double*>(next);
    work.scaled = work.length + max_nodes;
  } else {
    work.length = batch.prefix + slot;
    work.scaled = batch.to_go + t.node_offset * batch.samples + sample;  // the costs to go will replace it
    work.scaled_stride = batch.samples;
    work.order = batch.items + slot;
    work.pick = batch.variables + slot;
    work.visited = batch.spill_visited + slot;
  }
  work.keys = reinterpret_cast<float*>(next);
  next += Keys ? key_bytes(max_nodes, max_variables) : 0;
  work.targets = reinterpret_cast<std::uint16_t*>(next);

  const int tid = static_cast<int>(threadIdx.x);
  const int threads = static_cast<int>(blockDim.x);
  for (int i = tid; i < n; i += threads) {
    work.visited[i] = 0;
  }
  if constexpr (Keys) {
    const int row_blocks = (k + 3) / 4;
    const float* theta = batch.theta + t.variable_offset;
    for (int q = tid; q < n * row_blocks; q += threads) {
      const Philox4 block =
          philox(static_cast<std::uint32_t>(q), static_cast<std::uint32_t>(sample), static_cast<std::uint32_t>(step),
                 static_cast<std::uint32_t>(Purpose::sample), t.stream);
      const int city = q / row_blocks;
      const int first = q % row_blocks * 4;
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        if (first + j < k) {
          work.keys[city * k + first + j] = theta[city * k + first + j] + gumbel(block.v[j]);
        }
      }
    }
  }
  if constexpr (Targets) {
    for (int e = tid; e < graph.variables; e += threads) {
      work.targets[e] = static_cast<std::uint16_t>(graph.targets[e]);
    }
  }
  __syncthreads();
  if (tid < 32) {
    const int dead_at = walk<Keys, Targets>(batch, t, graph, step, sample, work);
    __syncwarp();
    const int closing = dead_at < n ? -1 : closing_variable(graph, work.order[n - 1], t.start);
    if (tid == 0) {
      dead_shared = dead_at;
      closing_shared = closing;
    }
  }
  __syncthreads();
  const int dead_at = dead_shared;
  const bool dead = dead_at < n;

  int* items = batch.items + slot;
  int* variables = batch.variables + slot;
  for (int i = tid; i < n; i += threads) {
    const int city = work.order[i];
    const int pick = i + 1 < n ? work.pick[i] : -1;
    int variable = pick >= 0 ? city * k + pick : -1;
    double length = 0.0;
    if (i + 1 < n) {
      if (variable >= 0) {
        length = graph.length[variable];
      } else if (!batch.penalty) {
        length = distance(graph, city, work.order[i + 1]);
      } else if (i == dead_at) {
        length = __dmul_rn(__dmul_rn(kPenalty, graph.cost_scale), static_cast<double>(n - 1 - i));
      }
    } else {
      variable = closing_shared;
    }
    work.length[i] = length;
    if (batch.causal) {
      work.scaled[i * work.scaled_stride] = __ddiv_rn(length, graph.cost_scale);
    }
    const long long at = (t.node_offset + city) * batch.samples + sample;
    batch.left_at[at] = i;
    batch.choice[at] = pick;
    items[i] = city;
    variables[i] = variable;
  }
  __syncthreads();
  const double closing = dead || n == 1 ? 0.0 : distance(graph, work.order[n - 1], t.start);
  if (tid == 0) {
    double cost = 0.0;
    for (int i = 0; i + 1 < n; ++i) {
      cost += work.length[i];
    }
    batch.costs[static_cast<long long>(trajectory) * batch.samples + sample] = cost + closing;
    batch.lengths[static_cast<long long>(trajectory) * batch.samples + sample] = n;
  }
  if (batch.causal && tid == 32) {
    double to_go = 0.0;
    const double scaled_closing = __ddiv_rn(closing, graph.cost_scale);
    const int answers = n >= 2 ? n - 2 : 0;  // the last choice answers for the way home
    for (int i = n - 1; i >= 0; --i) {
      const double own = work.scaled[i * work.scaled_stride];
      to_go += i == answers ? __dadd_rn(own, scaled_closing) : own;
      batch.to_go[(t.node_offset + i) * batch.samples + sample] = to_go;
    }
  }
  if (last_to_arrive(batch.arrivals + trajectory * kArrivals + kArriveSample, batch.samples)) {
    finish_trajectory(batch, trajectory, t);
  }
}

}  // namespace

SamplerShape tsp_sampler_shape(int max_nodes, int max_variables, int max_degree, bool, long long samples) {
  constexpr long long kLimit = 220 * 1024;
  SamplerShape shape;
  shape.max_nodes = max_nodes;
  shape.max_variables = max_variables;
  shape.max_degree = max_degree;
  // Small batches leave multiprocessors idle: more threads then draw the keys of a tour. In large ones the walks are
  // what takes time, and a multiprocessor holds the more of them the fewer threads each has.
  shape.threads = samples <= 132 ? 256 : samples <= 8 * 132 ? 128 : 64;
  const long long lengths = align16(16LL * max_nodes);
  long long bytes = 2 * align16(4LL * max_nodes) + align16(max_nodes);
  shape.visited_shared = bytes + lengths <= kLimit;
  if (!shape.visited_shared) {
    bytes = 0;
  }
  const long long keys = key_bytes(max_nodes, max_variables);
  const long long targets = align16(2LL * max_variables);
  shape.keys_shared = bytes + keys <= kLimit;
  bytes += shape.keys_shared ? keys : shape.visited_shared ? lengths : 0;
  // With many tours, two blocks on a multiprocessor are worth more than near neighbour lists.
  const bool room = samples <= 132 ? bytes + targets <= kLimit : bytes + targets <= kLimit / 2;
  shape.targets_shared = shape.keys_shared && max_nodes <= 65536 && room;
  bytes += shape.targets_shared ? targets : 0;
  shape.shared_bytes = static_cast<int>(bytes);
  return shape;
}

void tsp_sample(const DeviceBatch& batch, const SamplerShape& shape, cudaStream_t stream) {
  const auto run = [&](auto kernel) {
    allow_shared(kernel, shape.shared_bytes);
    kernel<<<batch.trajectories * batch.samples, shape.threads, shape.shared_bytes, stream>>>(
        batch, shape.max_nodes, shape.max_variables, shape.visited_shared);
    MOCO_CUDA_CHECK(cudaGetLastError());
  };
  if (shape.targets_shared) {
    run(tsp_sample_kernel<true, true>);
  } else if (shape.keys_shared) {
    run(tsp_sample_kernel<true, false>);
  } else {
    run(tsp_sample_kernel<false, false>);
  }
}

}  // namespace moco::cuda
