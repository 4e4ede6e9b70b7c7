// Local search on all sampled independent sets: one warp per set runs the search of problems/mis/set_search.h, so that
// it takes the CPU's decisions. What it finds stands beside the samples, which the gradient still needs.
#include "moco/engine/cuda/batch/launch.cuh"
#include "moco/engine/cuda/kit/warp_team.cuh"
#include "moco/engine/cuda/mis/mis_advantage.cuh"
#include "moco/engine/cuda/mis/set_kernels.h"
#include "moco/engine/cuda/step/costs.cuh"
#include "moco/problems/mis/set_search.h"

namespace moco::cuda {

namespace {

/// Bytes of the working set, per node; with weights their sums come first, which need the widest places.
constexpr int integers_of(bool weighted) {
  return weighted ? 5 : 4;
}
constexpr int reals_of(bool weighted) {
  return weighted ? 1 : 0;
}
constexpr int kFlags = 3;

/// Improves a sample; one warp.
template <typename Weights>
__device__ void improve(const DeviceBatch& batch, const GraphData& graph, const SetSearchLimits& limits,
                        const SetWorkspace& work, const Weights& weights, long long slot, long long entry) {
  const WarpTeam team;
  const int sampled = batch.search.lengths[entry];
  SetSearch<WarpTeam, long long, Weights> search(team, {graph.nodes, graph.offsets, graph.targets}, limits, work,
                                                 weights);
  search.run(batch.search.items + slot, sampled, [] { return false; });
  int* found = batch.search.found.items + slot;
  int size = search.write(found);
  double cost = 0.0 - static_cast<double>(size);
  bool better = size > sampled;
  if constexpr (Weights::weighted) {
    cost = 0.0 - search.total();
    better = cost < batch.search.costs[entry];
  }
  if (!better) {
    size = sampled;
    cost = batch.search.costs[entry];
    for (int i = team.lane(); i < size; i += WarpTeam::width) {
      found[i] = batch.search.items[slot + i];
    }
    team.sync();
  }
  for (int i = team.lane(); i < size; i += WarpTeam::width) {
    batch.search.found.variables[slot + i] = found[i];
  }
  if (team.lane() == 0) {
    batch.search.found.lengths[entry] = size;
    batch.search.found.costs[entry] = cost;
  }
}

/// `Weights`: some graph's nodes have weights.
template <bool Weights>
__global__ void __launch_bounds__(32)
    mis_local_search_kernel(const __grid_constant__ DeviceBatch batch, const __grid_constant__ SetSearchLimits limits,
                            bool in_shared, int max_nodes) {
  extern __shared__ __align__(16) unsigned char raw[];
  constexpr int kIntegers = integers_of(Weights);
  constexpr int kReals = reals_of(Weights);
  const int trajectory = static_cast<int>(blockIdx.x) / batch.samples;
  const int sample = static_cast<int>(blockIdx.x) % batch.samples;
  if (!wait_for_previous(batch, trajectory)) {
    return;
  }
  const TrajectoryData t = batch.trajectory[trajectory];
  const GraphData graph = batch.graphs[t.graph];
  const int n = t.nodes;
  const long long slot = t.node_offset * batch.samples + static_cast<long long>(sample) * n;
  const long long entry = static_cast<long long>(trajectory) * batch.samples + sample;
  unsigned char* behind_reals = raw + 8LL * kReals * max_nodes;
  int* integers = in_shared ? reinterpret_cast<int*>(behind_reals) : batch.search.found.integers + kIntegers * slot;
  unsigned char* flags =
      in_shared ? behind_reals + 4LL * kIntegers * max_nodes : batch.search.found.flags + kFlags * slot;
  const SetWorkspace work{integers, integers + n, integers + 2 * n, integers + 3 * n, flags, flags + n, flags + 2 * n};
  if (Weights && t.weighted) {
    double* reals = in_shared ? reinterpret_cast<double*>(raw) : batch.search.found.reals + kReals * slot;
    improve(batch, graph, limits, work, NodeWeights{graph.weights, reals, integers + 4 * n}, slot, entry);
  } else {
    improve(batch, graph, limits, work, UnitWeights(), slot, entry);
  }
  if (last_to_arrive(batch.search.arrivals + trajectory * kArrivals + kArriveSample, batch.samples)) {
    if (threadIdx.x == 0) {
      set_found_mean(batch, trajectory);
    }
    if (batch.search.by_improved) {
      set_advantages<Weights>(batch, trajectory, t);
    }
  }
}

}  // namespace

SearchShape mis_search_shape(int max_nodes, bool weighted) {
  SearchShape shape;
  shape.max_nodes = max_nodes;
  const int integers = integers_of(weighted);
  const int reals = reals_of(weighted);
  const long long bytes = (8LL * reals + 4LL * integers + kFlags) * max_nodes;
  shape.in_shared = bytes <= kSearchSharedLimit;
  shape.shared_bytes = shape.in_shared ? static_cast<int>(bytes) : 0;
  shape.integers_per_node = shape.in_shared ? 0 : integers;
  shape.flags_per_node = shape.in_shared ? 0 : kFlags;
  shape.reals_per_node = shape.in_shared ? 0 : reals;
  return shape;
}

void mis_local_search(const DeviceBatch& batch, const SearchShape& shape, int move_limit, int plateau_steps,
                      cudaStream_t stream) {
  const SetSearchLimits limits{move_limit, plateau_steps};
  launch(batch.sets.weighted ? mis_local_search_kernel<true> : mis_local_search_kernel<false>,
         batch.trajectories * batch.samples, 32, shape.shared_bytes, stream, batch, limits, shape.in_shared,
         shape.max_nodes);
}

}  // namespace moco::cuda
