// What follows partial samples once per trajectory: those that are among the best enter the elite, then the base moves.
// All samples that are good enough are made again, one on top of the other, the best first, and each is kept that is
// still good enough there; one warp does that, in the CPU's order (engine/cpu/partial_step.cc).
#include "moco/engine/cuda/batch/launch.cuh"
#include "moco/engine/cuda/tsp/changed_tours.cuh"

namespace moco::cuda {

namespace {

/// A block's dynamic shared memory: what is known of each sample, then the working copy.
struct Ranking {
  double* cost;                 ///< [b] after the local search
  double* threshold;            ///< [b] by how much it may be worse than what it changes
  int* order;                   ///< [b] samples, best first
  unsigned char* new_to_elite;  ///< [b] the elite would have taken it before the step, and it is not the base

  __device__ Ranking(unsigned char* raw, int samples)
      : cost(reinterpret_cast<double*>(raw)),
        threshold(cost + cost_places(samples)),
        order(reinterpret_cast<int*>(threshold + samples)),
        new_to_elite(reinterpret_cast<unsigned char*>(order + samples)) {}
  __host__ __device__ static long long bytes(int samples) {
    return (cost_places(samples) * 8LL + samples * 13LL + 15) / 16 * 16;
  }
};

/// By how much a sample may be worse than what it changes.
__device__ double threshold(const TrajectoryData& t, int step, int sample, double temperature) {
  if (temperature <= 0.0) {
    return 0.0;
  }
  const Philox4 bits = philox(0, static_cast<std::uint32_t>(sample), static_cast<std::uint32_t>(step),
                              static_cast<std::uint32_t>(Purpose::acceptance), t.stream);
  return -temperature * log(static_cast<double>(uniform_open(bits.v[0])));
}

/// Whether the elite takes a solution; any thread.
__device__ bool elite_takes(const SearchState& state, EliteRule rule, double cost, std::uint64_t identity) {
  if (state.elite_size == kEliteSize) {
    const double worst = state.elite_cost[kEliteSize - 1];
    if (!(cost < worst || (rule == EliteRule::newest && cost == worst))) {
      return false;
    }
  }
  for (int rank = 0; rule != EliteRule::paper && rank < state.elite_size; ++rank) {
    if (same_cost(state.elite_cost[rank], cost) && state.elite_hash[rank] == identity) {
      return false;
    }
  }
  return true;
}

/// Enters samples into the elite; whether there are any. The first warp.
__device__ bool keep_best(const DeviceBatch& batch, long long first, const Ranking& ranking, EliteRanks& ranks,
                          EliteShared& shared) {
  bool changed = false;
  for (int c = 0; c < batch.samples; ++c) {
    const int sample = ranking.order[c];
    if (!ranks.good_enough(ranking.cost[sample])) {
      break;
    }
    const std::uint64_t identity = batch.tours.changes.identity[first + sample];
    if (ranking.new_to_elite[sample] == 0 || !ranks.takes(ranking.cost[sample], identity)) {
      continue;
    }
    const double cost = batch.search.found.costs[first + sample];
    if (!ranks.takes(cost, identity)) {
      continue;
    }
    const int slot = ranks.insert(cost, ranks.distinct() ? identity : 0);
    if (threadIdx.x == 0) {
      shared.source[slot] = sample;
    }
    changed = true;
  }
  __syncwarp();
  return changed;
}

/// Moves the base; whether the elite is another one by that. The first warp.
template <typename Kind>
__device__ bool move_base(const DeviceBatch& batch, int trajectory, const TrajectoryData& t, const GraphData& graph,
                          const Ranking& ranking, unsigned char* copy, EliteRanks& ranks, SearchState& state,
                          EliteShared& shared) {
  const TourChanges& changes = batch.tours.changes;
  BaseTour& base = changes.base[trajectory];
  const double base_length = base.length;
  const std::uint64_t base_identity = base.identity;
  const long long first = static_cast<long long>(trajectory) * batch.samples;
  int* order = changes.order + t.node_offset;
  const WarpTeam team;
  typename Kind::Tour tour(team, t.nodes, typename Kind::Distance{graph}, neighbours_of(graph), graph.cost_scale,
                           Kind::memory(batch, t, 0, copy));
  tour.assign(order, base_length, base_identity);
  bool entered = false;
  const auto offer_tour = [&] {
    const int slot = offer(batch, t, graph, tour, ranks, state);
    if (slot >= 0) {
      entered = true;
      shared.source[slot] = -1;  // it lies there already
    }
  };
  bool moved = false;
  bool offered = false;
  const auto step = static_cast<std::uint32_t>(state.step);
  for (int c = 0; c < batch.samples; ++c) {
    const int sample = ranking.order[c];
    const double most = ranking.threshold[sample];
    if (changes.identity[first + sample] == base_identity || !(ranking.cost[sample] - base_length <= most)) {
      continue;
    }
    if (moved && !offered && ranking.cost[sample] > base_length) {  // from here on it may get worse
      offer_tour();
      offered = true;
    }
    const double before = tour.length();
    const std::uint64_t identity = tour.identity();
    NoChoices nobody;
    tour.sample(batch.search.theta + t.variable_offset, changes.most, t.stream, step,
                static_cast<std::uint32_t>(sample), nobody);
    if (tour.identity() != identity && tour.length() - before <= most) {
      moved = true;
      for (int i = team.lane(); i < t.nodes; i += WarpTeam::width) {
        order[i] = tour.order()[i];
      }
    } else {
      tour.assign(order, before, identity);
    }
  }
  if (moved) {
    offer_tour();
    tour.measure();
  }
  if (team.lane() == 0) {
    base = {tour.length(), tour.identity(), 1, 0};
  }
  return entered;
}

template <typename Kind>
__global__ void __launch_bounds__(kThreads)
    tsp_move_base_kernel(const __grid_constant__ DeviceBatch batch, const __grid_constant__ NetworkOffsets net,
                         bool use_bf16) {
  extern __shared__ __align__(16) unsigned char raw[];
  __shared__ EliteShared elite;
  const int trajectory = static_cast<int>(blockIdx.x);
  if (!wait_for_previous(batch, trajectory) || !batch.tours.changes.have_base(trajectory)) {
    return;
  }
  const TourChanges& changes = batch.tours.changes;
  const TrajectoryData t = batch.trajectory[trajectory];
  const GraphData graph = batch.graphs[t.graph];
  const long long first = static_cast<long long>(trajectory) * batch.samples;
  const BaseTour base = changes.base[trajectory];
  SearchState& state = batch.search.state[trajectory];
  const int step = state.step;
  const Ranking ranking(raw, batch.samples);
  order_samples(changes.mended + first, batch.samples, ranking.cost, ranking.order);
  const double left = 1.0 - static_cast<double>(step + 1) / static_cast<double>(batch.search.budget);
  const double temperature = kFirstTourTemperature * base.length / t.nodes * fmax(left, 0.0);
  for (int s = static_cast<int>(threadIdx.x); s < batch.samples; s += kThreads) {
    ranking.threshold[s] = threshold(t, step, s, temperature);
    const std::uint64_t identity = changes.identity[first + s];
    ranking.new_to_elite[s] =
        identity != base.identity && elite_takes(state, batch.search.elite, ranking.cost[s], identity) ? 1 : 0;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    EliteRanks ranks(state, batch.search.elite);
    elite.source[threadIdx.x] = -1;
    __syncwarp();
    const bool kept = keep_best(batch, first, ranking, ranks, elite);
    const bool entered =
        move_base<Kind>(batch, trajectory, t, graph, ranking, raw + Ranking::bytes(batch.samples), ranks, state, elite);
    ranks.store(state, kept || entered || base.fresh != 0, elite);
  }
  __syncthreads();
  if (elite.changed != 0) {
    copy_samples(batch, trajectory, t, state, elite, [&](int sample, int i) {
      const int* items =
          batch.search.found.items + t.node_offset * batch.samples + static_cast<long long>(sample) * t.nodes;
      return edge_between(graph, items[i], items[i + 1 == t.nodes ? 0 : i + 1]);
    });
  }
  if (use_bf16) {
    end_step<bf16>(batch, net, trajectory, t, step, state, elite);
  } else {
    end_step<float>(batch, net, trajectory, t, step, state, elite);
  }
}

}  // namespace

int tsp_most_changes(int max_nodes) {
  const long long room =
      kMostShared - static_cast<long long>(sizeof(EliteShared)) - tsp_change_shape(max_nodes).copy_bytes;
  return static_cast<int>((room - 32) / 21);
}

void tsp_move_base(const DeviceBatch& batch, const TourChangeShape& shape, const NetworkOffsets& net, bool use_bf16,
                   cudaStream_t stream) {
  const int bytes = static_cast<int>(Ranking::bytes(batch.samples)) + shape.copy_bytes;
  with_copy_kind(batch, shape, [&](auto kind) {
    launch(tsp_move_base_kernel<decltype(kind)>, batch.trajectories, kThreads, bytes, stream, batch, net, use_bf16);
  });
}

}  // namespace moco::cuda
