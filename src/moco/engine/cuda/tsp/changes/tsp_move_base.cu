// What follows partial samples once per trajectory: those that are among the best enter the elite, then the base moves.
// All samples that are good enough are made again, one on top of the other, the best first, and each is kept that is
// still good enough there, as on the CPU (engine/cpu/partial_step.cc). Each warp of the block tries one of the next
// samples on a working copy of its own. The first one that is kept counts; those before it were tried on the tour that
// they would have been tried on one by one, those behind it are tried again.
#include <algorithm>

#include "moco/engine/cuda/batch/launch.cuh"
#include "moco/engine/cuda/tsp/changes/changed_tours.cuh"

namespace moco::cuda {

namespace {

constexpr int kWarps = kThreads / 32;

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

/// What the warps of a block share while the base moves.
struct Moving {
  int kept[kWarps];  ///< whether a warp's sample would be
  int count;         ///< samples that are good enough
  int not_worse;     ///< and of them, first ones that are not worse than the base
  double length;     ///< of the tour at hand, whose cities are the base's
  std::uint64_t identity;
};

/// Keeps in the order only the samples that are good enough for the base to move by. The first warp.
__device__ void keep_good(const std::uint64_t* identities, const BaseTour& base, int samples, const Ranking& ranking,
                          Moving& moving) {
  const int lane = static_cast<int>(threadIdx.x);
  int count = 0;
  int not_worse = 0;
  for (int first = 0; first < samples; first += 32) {
    const int sample = first + lane < samples ? ranking.order[first + lane] : -1;
    const bool good = sample >= 0 && identities[sample] != base.identity &&
                      ranking.cost[sample] - base.length <= ranking.threshold[sample];
    const unsigned mask = __ballot_sync(kFullWarp, good);
    not_worse += __popc(__ballot_sync(kFullWarp, good && ranking.cost[sample] <= base.length));
    __syncwarp();
    if (good) {
      ranking.order[count + __popc(mask & ((1u << lane) - 1u))] = sample;
    }
    __syncwarp();
    count += __popc(mask);
  }
  if (lane == 0) {
    moving.count = count;
    moving.not_worse = not_worse;
  }
}

/// Moves the base by the samples that were kept in the ranking; whether the elite is another one by that (known to the
/// first warp). All threads; `warps` of them have room for a working copy.
template <typename Kind>
__device__ bool move_base(const DeviceBatch& batch, int trajectory, const TrajectoryData& t, const GraphData& graph,
                          const BaseTour& base, const Ranking& ranking, unsigned char* copies, int copy_bytes,
                          int warps, EliteRanks& ranks, SearchState& state, EliteShared& elite, Moving& moving) {
  const TourChanges& changes = batch.tours.changes;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const bool works = warp < warps;
  const int count = moving.count;
  const int boundary = moving.not_worse;  // behind it the tour may get worse
  const auto step = static_cast<std::uint32_t>(state.step);
  int* order = changes.order + t.node_offset;
  const WarpTeam team;
  const int own = works ? warp : 0;
  typename Kind::Tour tour(team, works ? t.nodes : 0, typename Kind::Distance{graph}, neighbours_of(graph),
                           graph.cost_scale, Kind::memory(batch, t, own, copies + own * copy_bytes));
  double length = base.length;
  std::uint64_t identity = base.identity;
  bool entered = false;
  const auto offer_tour = [&] {  // by the first warp, whose copy it is
    const int slot = offer(batch, t, graph, tour, ranks, state);
    if (slot >= 0) {
      entered = true;
      elite.source[slot] = -1;  // it lies there already
    }
  };
  bool moved = false;
  bool offered = false;
  for (int next = 0; next < count;) {
    if (next >= boundary && moved && !offered) {
      if (warp == 0) {
        tour.assign(order, length, identity);
        offer_tour();
      }
      offered = true;
    }
    const int end = min(next + warps, next < boundary ? boundary : count);
    const int sample = works && next + warp < end ? ranking.order[next + warp] : -1;
    bool kept = false;
    if (sample >= 0) {
      tour.assign(order, length, identity);
      NoChoices nobody;
      tour.sample(batch.search.theta + t.variable_offset, changes.most, t.stream, step,
                  static_cast<std::uint32_t>(sample), nobody);
      kept = tour.identity() != identity && tour.length() - length <= ranking.threshold[sample];
    }
    if (team.lane() == 0) {
      moving.kept[warp] = kept ? 1 : 0;
    }
    __syncthreads();
    int winner = 0;
    while (winner < warps && moving.kept[winner] == 0) {
      ++winner;
    }
    if (winner < warps) {
      moved = true;
      if (warp == winner) {
        const std::uint64_t now = tour.identity();
        if (team.lane() == 0) {
          moving.length = tour.length();
          moving.identity = now;
        }
      }
    }
    __syncthreads();
    if (winner < warps) {
      if (warp == winner) {
        for (int i = team.lane(); i < t.nodes; i += WarpTeam::width) {
          order[i] = tour.order()[i];
        }
      }
      length = moving.length;
      identity = moving.identity;
    }
    next = winner < warps ? next + winner + 1 : end;
    __syncthreads();
  }
  if (warp == 0) {
    double measured = base.length;
    if (moved) {
      tour.assign(order, length, identity);
      offer_tour();
      tour.measure();
      measured = tour.length();
    }
    if (team.lane() == 0) {
      changes.base[trajectory] = {measured, identity, 1, 0};
    }
  }
  return entered;
}

template <typename Kind>
__global__ void __launch_bounds__(kThreads)
    tsp_move_base_kernel(const __grid_constant__ DeviceBatch batch, const __grid_constant__ NetworkOffsets net,
                         bool use_bf16, int copy_bytes, int warps) {
  extern __shared__ __align__(16) unsigned char raw[];
  __shared__ EliteShared elite;
  __shared__ Moving moving;
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
  const double left = 1.0 - static_cast<double>(step + 1) / static_cast<double>(*batch.search.budget);
  const double temperature = kFirstTourTemperature * base.length / t.nodes * fmax(left, 0.0);
  for (int s = static_cast<int>(threadIdx.x); s < batch.samples; s += kThreads) {
    ranking.threshold[s] = threshold(t, step, s, temperature);
    const std::uint64_t identity = changes.identity[first + s];
    ranking.new_to_elite[s] =
        identity != base.identity && elite_takes(state, batch.search.elite, ranking.cost[s], identity) ? 1 : 0;
  }
  __syncthreads();
  EliteRanks ranks(state, batch.search.elite);  // the first warp's count
  bool changed = base.fresh != 0;
  if (threadIdx.x < 32) {
    elite.source[threadIdx.x] = -1;
    __syncwarp();
    changed = keep_best(batch, first, ranking, ranks, elite) || changed;
    keep_good(changes.identity + first, base, batch.samples, ranking, moving);
  }
  __syncthreads();
  changed = move_base<Kind>(batch, trajectory, t, graph, base, ranking, raw + Ranking::bytes(batch.samples), copy_bytes,
                            warps, ranks, state, elite, moving) ||
            changed;
  if (threadIdx.x < 32) {
    ranks.store(state, changed, elite);
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

/// What is left of shared memory beside what the kernel declares.
constexpr int kRoom = kMostShared - static_cast<int>(sizeof(EliteShared) + sizeof(Moving));

}  // namespace

int tsp_most_changes(int max_nodes) {
  const long long room = kRoom - tsp_change_shape(max_nodes).copy_bytes;
  return static_cast<int>((room - Ranking::bytes(0)) / 21 - 1);
}

void tsp_move_base(const DeviceBatch& batch, const TourChangeShape& shape, const NetworkOffsets& net, bool use_bf16,
                   cudaStream_t stream) {
  const auto ranking = static_cast<int>(Ranking::bytes(batch.samples));
  const int fitting = shape.in_shared ? (kRoom - ranking) / shape.copy_bytes : batch.samples;
  const int warps = std::clamp(fitting, 1, kWarps);
  with_copy_kind(batch, shape, [&](auto kind) {
    launch(tsp_move_base_kernel<decltype(kind)>, batch.trajectories, kThreads, ranking + warps * shape.copy_bytes,
           stream, batch, net, use_bf16, shape.copy_bytes, warps);
  });
}

}  // namespace moco::cuda
