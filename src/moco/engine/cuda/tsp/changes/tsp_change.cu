// The base of a trajectory, and b changes of it per step: a warp takes a sample, on a working copy of its own.
//
// What the gradient needs is where whole samples leave it (tsp_gradient.cu): from which cities a sample chose the way
// on, when, and which neighbours. Only cities that its last walk came by have to be cleared before.
#include <limits>

#include "moco/engine/cuda/batch/launch.cuh"
#include "moco/engine/cuda/step/costs.cuh"
#include "moco/engine/cuda/tsp/changes/changed_tours.cuh"

namespace moco::cuda {

namespace {

constexpr int kWarpsTogether = 16;  // on a multiprocessor at least: they may have 128 registers a lane
constexpr int kNever = std::numeric_limits<int>::max();  // left by no choice

template <typename Kind>
__global__ void __launch_bounds__(32, kWarpsTogether) tsp_base_kernel(const __grid_constant__ DeviceBatch batch) {
  extern __shared__ __align__(16) unsigned char raw[];
  const int trajectory = static_cast<int>(blockIdx.x);
  if (!wait_for_previous(batch, trajectory)) {
    return;
  }
  SearchState& state = batch.search.state[trajectory];
  BaseTour& base = batch.tours.changes.base[trajectory];
  if (state.elite_size == 0) {
    return;  // samples are whole
  }
  const WarpTeam team;
  if (team.lane() == 0) {
    state.previous_best = state.elite_cost[0];
  }
  if (base.ready != 0) {
    return;
  }
  const TrajectoryData t = batch.trajectory[trajectory];
  const GraphData graph = batch.graphs[t.graph];
  typename Kind::Tour tour(team, t.nodes, typename Kind::Distance{graph}, neighbours_of(graph), graph.cost_scale,
                           Kind::memory(batch, t, 0, raw));
  const long long best = t.node_offset * kEliteSize + static_cast<long long>(state.elite_slot[0]) * t.nodes;
  tour.assign(batch.search.elite_items + best, 0.0, 0);
  tour.measure();
  tour.mend();
  EliteRanks ranks(state, batch.search.elite);
  if (offer(batch, t, graph, tour, ranks, state) >= 0) {
    ranks.store(state);
  }
  for (int i = team.lane(); i < t.nodes; i += WarpTeam::width) {
    batch.tours.changes.order[t.node_offset + i] = tour.order()[i];
  }
  const std::uint64_t identity = tour.identity();
  if (team.lane() == 0) {
    base = {tour.length(), identity, 1, 1};
  }
}

/// Leaves a sample's choices to the gradient; lane 0 writes.
struct Choices {
  const DeviceBatch& batch;
  const TrajectoryData& t;
  int sample;
  double scale;
  int* walked;
  int count = 0;

  __device__ long long entry(int city) const { return (t.node_offset + city) * batch.samples + sample; }

  __device__ void chosen(int step, int here, int rank, double cost) {
    if (threadIdx.x == 0) {
      walked[step] = here;
      batch.search.left_at[entry(here)] = step;
      batch.tours.choice[entry(here)] = rank;
      if (batch.search.causal) {
        batch.search.to_go[entry(step)] = __ddiv_rn(cost, scale);
      }
    }
    count = step + 1;
  }

  __device__ void clear(int city) const {
    batch.search.left_at[entry(city)] = kNever;
    batch.tours.choice[entry(city)] = -1;
  }
};

/// Costs to go of all steps that any sample may have made, from what they cost; `last` counts as a cost of the last
/// one. Lane 0.
__device__ void add_to_go(const Choices& choices, int steps, double last) {
  double to_go = last;
  double* scaled = choices.batch.search.to_go;
  for (int step = steps - 1; step >= choices.count; --step) {
    scaled[choices.entry(step)] = 0.0;
  }
  in_order<8>(
      choices.count, [&](int back) { return scaled[choices.entry(choices.count - 1 - back)]; },
      [&](int back, double x) {
        to_go += x;
        scaled[choices.entry(choices.count - 1 - back)] = to_go;
      });
}

template <typename Kind>
__global__ void __launch_bounds__(32, kWarpsTogether) tsp_change_kernel(const __grid_constant__ DeviceBatch batch) {
  extern __shared__ __align__(16) unsigned char raw[];
  const int trajectory = static_cast<int>(blockIdx.x) / batch.samples;
  const int sample = static_cast<int>(blockIdx.x) % batch.samples;
  if (!wait_for_previous(batch, trajectory) || !batch.tours.changes.have_base(trajectory)) {
    return;
  }
  const TourChanges& changes = batch.tours.changes;
  const BaseTour base = changes.base[trajectory];
  const TrajectoryData t = batch.trajectory[trajectory];
  const GraphData graph = batch.graphs[t.graph];
  const int n = t.nodes;
  const long long entry = static_cast<long long>(trajectory) * batch.samples + sample;
  const WarpTeam team;
  typename Kind::Tour tour(team, n, typename Kind::Distance{graph}, neighbours_of(graph), graph.cost_scale,
                           Kind::memory(batch, t, sample, raw));
  tour.assign(changes.order + t.node_offset, base.length, base.identity);

  Choices choices{batch, t, sample, graph.cost_scale, changes.walked + entry * changes.most};
  const int to_clear = base.fresh != 0 ? n : changes.made[entry];
  for (int i = team.lane(); i < to_clear; i += WarpTeam::width) {
    choices.clear(base.fresh != 0 ? i : choices.walked[i]);
  }
  team.sync();
  const double chosen = tour.sample(batch.search.theta + t.variable_offset, changes.most, t.stream,
                                    static_cast<std::uint32_t>(batch.search.state[trajectory].step),
                                    static_cast<std::uint32_t>(sample), choices);
  const double cost = tour.length_from(t.start);
  const std::uint64_t identity = tour.identity();
  const long long slot = t.node_offset * batch.samples + static_cast<long long>(sample) * n;
  for (int i = team.lane(); i < n; i += WarpTeam::width) {
    batch.search.found.items[slot + i] = tour.along(t.start, i);
  }
  if (team.lane() == 0) {
    batch.search.found.lengths[entry] = n;
    batch.search.found.costs[entry] = cost;
    changes.chosen[entry] = chosen;
    changes.mended[entry] = tour.length();
    changes.identity[entry] = identity;
    changes.made[entry] = choices.count;
    if (batch.search.causal) {
      add_to_go(choices, min(changes.most, n - 1),
                batch.search.by_improved ? (tour.length() - chosen) / graph.cost_scale : 0.0);
    }
  }
  if (last_to_arrive(batch.search.arrivals + trajectory * kArrivals + kArriveSample, batch.samples)) {
    if (threadIdx.x == 0) {
      const long long first = static_cast<long long>(trajectory) * batch.samples;
      SearchState& state = batch.search.state[trajectory];
      state.found_mean = mean_of(changes.mended + first, batch.samples);
      state.mean_cost = batch.search.by_improved ? state.found_mean : mean_of(changes.chosen + first, batch.samples);
    }
    if (batch.search.causal) {
      average_to_go(batch, t, min(changes.most, n - 1));
    }
  }
}

}  // namespace

TourChangeShape tsp_change_shape(int max_nodes) {
  using Shared = CopyKind<std::uint16_t, AnyLength>;
  TourChangeShape shape;
  const long long bytes =
      (ChangedTourMemory<std::uint16_t>::kBytesPerCity * static_cast<long long>(max_nodes) + 15) / 16 * 16;
  shape.in_shared = bytes <= kSearchSharedLimit;
  shape.copy_bytes = shape.in_shared ? static_cast<int>(bytes) : 0;
  shape.spilled_per_city = shape.in_shared ? 0 : Shared::kSpilledPerCity;
  return shape;
}

void tsp_base(const DeviceBatch& batch, const TourChangeShape& shape, cudaStream_t stream) {
  with_copy_kind(batch, shape, [&](auto kind) {
    launch(tsp_base_kernel<decltype(kind)>, batch.trajectories, 32, shape.copy_bytes, stream, batch);
  });
}

void tsp_change(const DeviceBatch& batch, const TourChangeShape& shape, cudaStream_t stream) {
  with_copy_kind(batch, shape, [&](auto kind) {
    launch(tsp_change_kernel<decltype(kind)>, batch.trajectories * batch.samples, 32, shape.copy_bytes, stream, batch);
  });
}

}  // namespace moco::cuda
