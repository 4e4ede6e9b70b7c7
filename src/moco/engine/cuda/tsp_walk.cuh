// The walk of one tour by a warp: from city i to the unvisited neighbour with the largest key θ_ir + Gumbel_ir, ties to
// the lower r; to the nearest unvisited city when no neighbour is left. Lane r looks at neighbours r, r + 32, ….
#pragma once

#include "moco/engine/cuda/distance.cuh"

namespace moco::cuda {

/// Gumbel variate of neighbour r of city i: lane r % 4 of the Philox block i·⌈k/4⌉ + r/4.
__device__ inline float noise_of(StreamKey key, int step, int sample, int row_blocks, int city, int r) {
  const Philox4 block =
      philox(static_cast<std::uint32_t>(city * row_blocks + r / 4), static_cast<std::uint32_t>(sample),
             static_cast<std::uint32_t>(step), static_cast<std::uint32_t>(Purpose::sample), key);
  const std::uint32_t low = (r & 1) != 0 ? block.v[1] : block.v[0];
  const std::uint32_t high = (r & 1) != 0 ? block.v[3] : block.v[2];
  return gumbel((r & 2) != 0 ? high : low);
}

/// Nearest unvisited city by (distance, index); the whole warp.
__device__ inline int nearest_unvisited(const GraphData& graph, const unsigned char* visited, int from) {
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

/// Fills order and pick; the step after which penalties begin, or n. `Keys` and `Targets`: the work area holds them.
template <bool Keys, bool Targets>
__device__ inline int walk(const DeviceBatch& batch, const TrajectoryData& t, const GraphData& graph, int step,
                           int sample, const Workspace& work) {
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
__device__ inline int closing_variable(const GraphData& graph, int from, int to) {
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

}  // namespace moco::cuda
