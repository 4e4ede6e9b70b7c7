// Local search on all sampled independent sets: one warp per set runs the search of problems/mis/set_search.h, so that
// it takes the CPU's decisions. What it finds stands beside the samples, which the gradient still needs.
#include "moco/engine/cuda/costs.cuh"
#include "moco/engine/cuda/launch.cuh"
#include "moco/engine/cuda/mis_advantage.cuh"
#include "moco/engine/cuda/step_kernels.h"
#include "moco/engine/cuda/warp_team.cuh"
#include "moco/problems/mis/set_search.h"

namespace moco::cuda {

namespace {

constexpr int kIntegers = 4;  // per node of the working set
constexpr int kFlags = 3;

__global__ void __launch_bounds__(32)
    mis_local_search_kernel(const __grid_constant__ DeviceBatch batch, const __grid_constant__ SetSearchLimits limits,
                            bool in_shared, int max_nodes) {
  extern __shared__ __align__(16) unsigned char raw[];
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
  int* integers = in_shared ? reinterpret_cast<int*>(raw) : batch.search_integers + kIntegers * slot;
  unsigned char* flags = in_shared ? raw + 4LL * kIntegers * max_nodes : batch.search_flags + kFlags * slot;
  const SetWorkspace work{integers, integers + n, integers + 2 * n, integers + 3 * n, flags, flags + n, flags + 2 * n};

  const WarpTeam team;
  const int sampled = batch.lengths[entry];
  SetSearch<WarpTeam, long long> search(team, {n, graph.offsets, graph.targets}, limits, work);
  search.run(batch.items + slot, sampled, [] { return false; });
  int* found = batch.found_items + slot;
  int size = search.write(found);
  if (size <= sampled) {
    size = sampled;
    for (int i = team.lane(); i < size; i += WarpTeam::width) {
      found[i] = batch.items[slot + i];
    }
    team.sync();
  }
  for (int i = team.lane(); i < size; i += WarpTeam::width) {
    batch.found_variables[slot + i] = found[i];
  }
  if (team.lane() == 0) {
    batch.found_lengths[entry] = size;
    batch.found_costs[entry] = 0.0 - static_cast<double>(size);
  }
  if (last_to_arrive(batch.arrivals + trajectory * kArrivals + kArriveSample, batch.samples)) {
    if (threadIdx.x == 0) {
      set_found_mean(batch, trajectory);
    }
    if (batch.by_improved) {
      set_advantages(batch, trajectory, t);
    }
  }
}

}  // namespace

SearchShape mis_search_shape(int max_nodes) {
  SearchShape shape;
  shape.max_nodes = max_nodes;
  const long long bytes = (4LL * kIntegers + kFlags) * max_nodes;
  shape.in_shared = bytes <= kSearchSharedLimit;
  shape.shared_bytes = shape.in_shared ? static_cast<int>(bytes) : 0;
  shape.integers_per_node = shape.in_shared ? 0 : kIntegers;
  shape.flags_per_node = shape.in_shared ? 0 : kFlags;
  return shape;
}

void mis_local_search(const DeviceBatch& batch, const SearchShape& shape, int move_limit, int plateau_steps,
                      cudaStream_t stream) {
  const SetSearchLimits limits{move_limit, plateau_steps};
  launch(mis_local_search_kernel, batch.trajectories * batch.samples, 32, shape.shared_bytes, stream, batch, limits,
         shape.in_shared, shape.max_nodes);
}

}  // namespace moco::cuda
