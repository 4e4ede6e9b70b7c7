// b tours per trajectory by the Gumbel order: from city i to the unvisited neighbour with the largest key θ_ir +
// Gumbel_ir, ties to the lower r; to the nearest unvisited city, or to the end with a penalty, when no neighbour is
// left.
//
// One thread block per tour. All threads draw the keys [n × k] into shared memory (every row is used exactly once, so
// no draw is wasted), then one warp walks: lane r looks at neighbours r, r + 32, …. Lengths are looked up (and scaled)
// by all threads afterwards, in the place of the keys, and added in step order in double precision, as the CPU does.
// Rows too large for shared memory are drawn on the way.
#include "moco/engine/cuda/costs.cuh"
#include "moco/engine/cuda/distance.cuh"
#include "moco/engine/cuda/network_kernels.h"
#include "moco/engine/cuda/step_kernels.h"

namespace moco::cuda {

namespace {

constexpr double kPenalty = 1.4142135623730951;  // per unvisited city, in the unit square

/// Gumbel variate of neighbour r of city i: lane r % 4 of the Philox block i·⌈k/4⌉ + r/4.
__device__ float noise_of(StreamKey key, int step, int sample, int row_blocks, int city, int r) {
  const Philox4 block =
      philox(static_cast<std::uint32_t>(city * row_blocks + r / 4), static_cast<std::uint32_t>(sample),
             static_cast<std::uint32_t>(step), static_cast<std::uint32_t>(Purpose::sample), key);
  const std::uint32_t low = (r & 1) != 0 ? block.v[1] : block.v[0];
  const std::uint32_t high = (r & 1) != 0 ? block.v[3] : block.v[2];
  return gumbel((r & 2) != 0 ? high : low);
}

/// Nearest unvisited city by (distance, index); the whole warp.
__device__ int nearest_unvisited(const GraphData& graph, const unsigned char* visited, int from) {
  double best = INFINITY;
  int city = graph.nodes;
  for (int i = static_cast<int>(threadIdx.x) % 32; i < graph.nodes; i += 32) {
    if (visited[i] == 0) {
      const double d = distance(graph, from, i);
      if (city == graph.nodes || d < best) {
        best = d;
        city = i;
      }
    }
  }
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1) {
    const double other = __shfl_xor_sync(kFullWarp, best, offset);
    const int other_city = __shfl_xor_sync(kFullWarp, city, offset);
    const bool better =
        other_city < graph.nodes && (city == graph.nodes || other < best || (other == best && other_city < city));
    best = better ? other : best;
    city = better ? other_city : city;
  }
  return city;
}

/// Pieces of a tour's working set. Sizes are those of the largest trajectory of the batch.
struct Workspace {
  double* length;  ///< [n] of each step; where the keys were
  double* scaled;  ///< [n × scaled_stride], likewise: length / cost_scale
  int scaled_stride;
  int* order;              ///< [n]
  int* pick;               ///< [n] neighbour number taken at each step, −1 for none
  unsigned char* visited;  ///< [n]
  float* keys;             ///< [n × k]
  std::uint16_t* targets;  ///< [n × k]
};

__host__ __device__ inline long long align16(long long bytes) {
  return (bytes + 15) / 16 * 16;
}

/// The keys and, later in the same place, two lengths per city.
__host__ __device__ inline long long key_bytes(long long max_nodes, long long max_variables) {
  return align16(4 * max_variables > 16 * max_nodes ? 4 * max_variables : 16 * max_nodes);
}

template <bool Keys, bool Targets>
__device__ int walk(const DeviceBatch& batch, const TrajectoryData& t, const GraphData& graph, int step, int sample,
                    const Workspace& work) {
  const int n = graph.nodes;
  const int k = graph.degree;
  const int lane = static_cast<int>(threadIdx.x);
  const float* theta = batch.theta + t.variable_offset;
  int here = t.start;
  int dead_at = n;
  for (int step_at = 0; step_at + 1 < n; ++step_at) {
    if (lane == 0) {
      work.order[step_at] = here;
      work.visited[here] = 1;  // no city is its own neighbour: the other lanes need this in the next step only
    }
    const long long row = static_cast<long long>(here) * k;
    std::uint32_t best = 0;
    int best_r = 0;
    int best_target = 0;
    if (dead_at == n) {
      for (int r = lane; r < k; r += 32) {
        const int target = Targets ? static_cast<int>(work.targets[row + r]) : graph.targets[row + r];
        const bool seen = work.visited[target] != 0;
        if (!Keys && seen) {
          continue;  // without a draw
        }
        const float key =
            Keys ? work.keys[row + r] : theta[row + r] + noise_of(t.stream, step, sample, (k + 3) / 4, here, r);
        const std::uint32_t rank = seen ? 0u : ordered(key + 0.0f);  // −0 and +0 are one key
        if (rank > best) {
          best = rank;
          best_r = r;
          best_target = target;
        }
      }
    }
    __syncwarp();
    const std::uint32_t top = __reduce_max_sync(kFullWarp, best);
    int chosen = -1;
    if (top != 0) {
      if (k <= 32) {
        const int winner = __ffs(static_cast<int>(__ballot_sync(kFullWarp, best == top))) - 1;
        chosen = winner;
        here = __shfl_sync(kFullWarp, best_target, winner);
      } else {
        const unsigned mine = best == top ? static_cast<unsigned>(best_r) : 0x7FFFFFFFu;
        const unsigned first = __reduce_min_sync(kFullWarp, mine);
        chosen = static_cast<int>(first);
        here = __shfl_sync(kFullWarp, best_target, chosen % 32);
      }
    } else {
      here = nearest_unvisited(graph, work.visited, here);
      if (batch.penalty && dead_at == n) {
        dead_at = step_at;
      }
    }
    if (lane == 0) {
      work.pick[step_at] = chosen;
    }
  }
  if (lane == 0) {
    work.order[n - 1] = here;
  }
  return dead_at;
}

/// Variable of the way home, −1 when it is no candidate; the whole warp.
__device__ int closing_variable(const GraphData& graph, int from, int to) {
  for (int first = 0; first < graph.degree; first += 32) {
    const int r = first + static_cast<int>(threadIdx.x) % 32;
    const int variable = from * graph.degree + r;
    const unsigned found = __ballot_sync(kFullWarp, r < graph.degree && graph.targets[variable] == to);
    if (found != 0) {
      return __shfl_sync(kFullWarp, variable, __ffs(static_cast<int>(found)) - 1);
    }
  }
  return -1;
}

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
