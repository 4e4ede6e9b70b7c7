// Local search on all sampled tours: one warp per tour runs the search of problems/tsp/tour_search.h, so that it takes
// the CPU's decisions. What it finds stands beside the samples, which the gradient still needs.
#include "moco/engine/cuda/batch/launch.cuh"
#include "moco/engine/cuda/kit/warp_team.cuh"
#include "moco/engine/cuda/step/costs.cuh"
#include "moco/engine/cuda/tsp/distance.cuh"
#include "moco/engine/cuda/tsp/tour_kernels.h"
#include "moco/problems/tsp/tour_search.h"

namespace moco::cuda {

namespace {

constexpr int kIntegers = 3;  // per city of the working set, besides one flag

/// Any metric. Not inlined: a search asks in many places, and the rare metrics are long.
struct GraphDistance {
  const GraphData& graph;

  __device__ __noinline__ float operator()(int from, int to) const {
    return static_cast<float>(distance(graph, from, to));
  }
};

/// The usual metric.
struct PlaneDistance {
  const double2* points;

  __device__ explicit PlaneDistance(const GraphData& graph) : points(reinterpret_cast<const double2*>(graph.points)) {}
  __device__ float operator()(int from, int to) const {
    return static_cast<float>(plane_distance(points[from], points[to]));
  }
};

/// The working set of one tour. Order and positions lie together: their place serves for the lengths afterwards.
__device__ TourWorkspace workspace_at(int* integers, unsigned char* flags, int n) {
  return {integers, integers + n, integers + 2 * n, flags};
}

/// Cost of a tour as the checker adds it up, from its first city on.
__device__ double tour_cost(const WarpTeam& team, const GraphData& graph, const int* tour, double* length) {
  const int n = graph.nodes;
  for (int i = team.lane(); i < n; i += WarpTeam::width) {
    length[i] = n > 1 ? distance(graph, tour[i], tour[i + 1 == n ? 0 : i + 1]) : 0.0;
  }
  team.sync();
  double cost = 0.0;
  in_order<8>(
      n, [&](int i) { return length[i]; }, [&](int, double x) { cost += x; });
  return cost;
}

/// Adds what the search gained to the cost to go of every step of a sample.
__device__ void shift_to_go(const DeviceBatch& batch, const TrajectoryData& t, int sample, double shift) {
  for (int i = static_cast<int>(threadIdx.x); i < t.nodes; i += static_cast<int>(blockDim.x)) {
    batch.search.to_go[(t.node_offset + i) * batch.samples + sample] += shift;
  }
}

/// `InShared`: shared memory holds the working set, at places that the compiler knows. `Distance`: for all instances.
template <bool InShared, typename Distance>
__global__ void __launch_bounds__(32)
    tsp_local_search_kernel(const __grid_constant__ DeviceBatch batch, const __grid_constant__ TourSearchLimits limits,
                            int max_nodes) {
  extern __shared__ __align__(16) unsigned char raw[];
  const int trajectory = static_cast<int>(blockIdx.x) / batch.samples;
  const int sample = static_cast<int>(blockIdx.x) % batch.samples;
  if (!wait_for_previous(batch, trajectory) || batch.tours.changes.have_base(trajectory)) {
    return;
  }
  const TrajectoryData t = batch.trajectory[trajectory];
  const GraphData graph = batch.graphs[t.graph];
  const int n = graph.nodes;
  const long long slot = t.node_offset * batch.samples + static_cast<long long>(sample) * n;
  const long long entry = static_cast<long long>(trajectory) * batch.samples + sample;
  // A spilled working set takes four integers per city, so that every tour's lengths are aligned.
  int* integers = InShared ? reinterpret_cast<int*>(raw) : batch.search.found.integers + 4 * slot;
  const TourWorkspace work =
      workspace_at(integers, InShared ? raw + 4LL * kIntegers * max_nodes : batch.search.found.flags + slot, n);

  const WarpTeam team;
  for (int i = team.lane(); i < n; i += WarpTeam::width) {
    work.order[i] = batch.search.items[slot + i];
  }
  team.sync();
  search_tour(team, n, t.start, Distance{graph}, TourNeighbours{graph.targets, graph.length, graph.degree},
              graph.symmetric, limits, work, [] { return false; });
  const int* tour = work.queue;
  const double cost = tour_cost(team, graph, tour, reinterpret_cast<double*>(integers));
  const double sampled = batch.search.costs[entry];
  const bool better = cost < sampled;
  for (int i = team.lane(); i < n; i += WarpTeam::width) {
    batch.search.found.items[slot + i] = better ? tour[i] : batch.search.items[slot + i];
    batch.search.found.variables[slot + i] =
        better ? edge_between(graph, tour[i], tour[i + 1 == n ? 0 : i + 1]) : batch.search.variables[slot + i];
  }
  if (team.lane() == 0) {
    batch.search.found.costs[entry] = better ? cost : sampled;
    batch.search.found.lengths[entry] = n;
  }
  if (batch.search.causal && batch.search.by_improved) {
    shift_to_go(batch, t, sample, better ? (cost - sampled) / graph.cost_scale : 0.0);
  }
  if (last_to_arrive(batch.search.arrivals + trajectory * kArrivals + kArriveSample, batch.samples)) {
    if (threadIdx.x == 0) {
      set_found_mean(batch, trajectory);
    }
    if (batch.search.causal && batch.search.by_improved) {
      average_to_go(batch, t, t.nodes);
    }
  }
}

}  // namespace

SearchShape tsp_search_shape(int max_nodes) {
  SearchShape shape;
  shape.max_nodes = max_nodes;
  const long long bytes = (4LL * kIntegers + 1) * max_nodes;
  shape.in_shared = bytes <= kSearchSharedLimit;
  shape.shared_bytes = shape.in_shared ? static_cast<int>(bytes) : 0;
  shape.integers_per_node = shape.in_shared ? 0 : kIntegers + 1;
  shape.flags_per_node = shape.in_shared ? 0 : 1;
  return shape;
}

void tsp_local_search(const DeviceBatch& batch, const SearchShape& shape, unsigned kinds, bool first, int move_limit,
                      cudaStream_t stream) {
  const TourSearchLimits limits{kinds, first, move_limit};
  const auto run = [&](auto kernel) {
    launch(kernel, batch.trajectories * batch.samples, 32, shape.shared_bytes, stream, batch, limits, shape.max_nodes);
  };
  if (shape.in_shared && batch.tours.all_plane) {
    run(tsp_local_search_kernel<true, PlaneDistance>);
  } else if (shape.in_shared) {
    run(tsp_local_search_kernel<true, GraphDistance>);
  } else {
    run(tsp_local_search_kernel<false, GraphDistance>);
  }
}

}  // namespace moco::cuda
