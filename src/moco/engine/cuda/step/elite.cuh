// The 32 best solutions of a trajectory, by one block of 256 threads: order, copies, membership bits, status, h_g.
//
// Same rules as the CPU's elite: samples enter in the order of (cost, sample); an equal cost goes behind the older
// solution, or before it; a full elite drops its last. One warp keeps the order in its lanes (lane l: rank l) and
// shifts it with each insertion. Where a slot is taken more than once in a step, the last sample stays in it.
#pragma once

#include "moco/engine/cuda/step/global.cuh"
#include "moco/policy/solution_identity.h"

namespace moco::cuda {

struct EliteShared {
  int source[kEliteSize];  ///< sample that a slot takes over, −1 for none
  int changed;
  int size;
  double mean_cost;
  int slot[kEliteSize];  ///< by rank, after the insertions
  GlobalScratch global;
};

/// Order-independent hash of the variables a solution sets, or of a tour's undirected edges (a warp together).
__device__ inline std::uint64_t hash_of(const int* items, const int* variables, int length, bool undirected_tour) {
  unsigned long long sum = 0;
  for (int i = static_cast<int>(threadIdx.x) % 32; i < length; i += 32) {
    sum += undirected_tour ? undirected_edge_hash(items[i], items[i + 1 < length ? i + 1 : 0])
                           : variable_hash(variables[i]);
  }
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1) {
    sum += __shfl_xor_sync(kFullWarp, sum, offset);
  }
  return sum;
}

/// Costs of the samples in shared memory, and their ranks by (cost, sample): order[rank] = sample; all threads.
__device__ inline void order_samples(const double* found, int samples, double* costs, int* order) {
  for (int s = static_cast<int>(threadIdx.x); s < samples; s += static_cast<int>(blockDim.x)) {
    costs[s] = found[s];
  }
  __syncthreads();
  for (int s = static_cast<int>(threadIdx.x); s < samples; s += static_cast<int>(blockDim.x)) {
    const double own = costs[s];
    int rank = 0;
    for (int other = 0; other < samples; ++other) {
      const double cost = costs[other];
      rank += cost < own || (cost == own && other < s) ? 1 : 0;
    }
    order[rank] = s;
  }
}

/// The ranks of an elite in the lanes of a warp: lane l has rank l.
class EliteRanks {
 public:
  __device__ EliteRanks(const SearchState& state, EliteRule rule)
      : lane_(static_cast<int>(threadIdx.x) % 32),
        distinct_(rule != EliteRule::paper),
        newest_(rule == EliteRule::newest),
        size_(state.elite_size),
        cost_(state.elite_cost[lane_]),
        hash_(state.elite_hash[lane_]),
        slot_(state.elite_slot[lane_]) {}

  __device__ bool distinct() const { return distinct_; }
  __device__ int size() const { return size_; }
  __device__ bool good_enough(double cost) const {
    const double worst = __shfl_sync(kFullWarp, cost_, kEliteSize - 1);
    return size_ < kEliteSize || cost < worst || (newest_ && cost == worst);
  }
  __device__ bool contains(double cost, std::uint64_t hash) const {
    return __any_sync(kFullWarp, lane_ < size_ && same_cost(cost_, cost) && hash_ == hash) != 0;
  }
  /// Whether a solution would enter.
  __device__ bool takes(double cost, std::uint64_t hash) const {
    return good_enough(cost) && !(distinct_ && contains(cost, hash));
  }
  /// Enters a solution that is good enough; where it is to lie.
  __device__ int insert(double cost, std::uint64_t hash) {
    const int place = __popc(__ballot_sync(kFullWarp, lane_ < size_ && (cost_ < cost || (!newest_ && cost_ == cost))));
    const int last_slot = __shfl_sync(kFullWarp, slot_, kEliteSize - 1);
    const int free_slot = size_ == kEliteSize ? last_slot : size_;
    const double shifted_cost = __shfl_up_sync(kFullWarp, cost_, 1);
    const std::uint64_t shifted_hash = __shfl_up_sync(kFullWarp, hash_, 1);
    const int shifted_slot = __shfl_up_sync(kFullWarp, slot_, 1);
    if (lane_ >= place) {
      cost_ = lane_ == place ? cost : shifted_cost;
      hash_ = lane_ == place ? hash : shifted_hash;
      slot_ = lane_ == place ? free_slot : shifted_slot;
    }
    size_ = min(size_ + 1, kEliteSize);
    return free_slot;
  }
  __device__ void store(SearchState& state) const {
    state.elite_cost[lane_] = cost_;
    state.elite_hash[lane_] = hash_;
    state.elite_slot[lane_] = slot_;
    if (lane_ == 0) {
      state.elite_size = size_;
    }
  }
  /// Likewise, and what the block needs to know of it.
  __device__ void store(SearchState& state, bool changed, EliteShared& shared) const {
    store(state);
    shared.slot[lane_] = slot_;
    const double sum = warp_sum(lane_ < size_ ? cost_ : 0.0);
    if (lane_ == 0) {
      shared.size = size_;
      shared.mean_cost = sum / size_;
      shared.changed = changed ? 1 : 0;
    }
  }

 private:
  int lane_;
  bool distinct_;
  bool newest_;
  int size_;
  double cost_;
  std::uint64_t hash_;
  int slot_;
};

/// Inserts the ordered samples; the first warp.
__device__ inline void insert_samples(const DeviceBatch& batch, int trajectory, const TrajectoryData& t,
                                      const double* costs, const int* order, SearchState& state, EliteShared& shared) {
  const int lane = static_cast<int>(threadIdx.x);
  EliteRanks ranks(state, batch.search.elite);
  shared.source[lane] = -1;
  __syncwarp();
  bool changed = false;
  for (int c = 0; c < batch.samples; ++c) {
    const int sample = order[c];
    const double candidate = costs[sample];
    if (!ranks.good_enough(candidate)) {
      break;
    }
    std::uint64_t candidate_hash = 0;
    if (ranks.distinct()) {
      const long long from = t.node_offset * batch.samples + static_cast<long long>(sample) * t.nodes;
      candidate_hash = hash_of(batch.search.found.items + from, batch.search.found.variables + from,
                               batch.search.found.lengths[static_cast<long long>(trajectory) * batch.samples + sample],
                               batch.is_tsp && batch.graphs[t.graph].symmetric);
      if (ranks.contains(candidate, candidate_hash)) {
        continue;
      }
    }
    const int slot = ranks.insert(candidate, candidate_hash);
    if (lane == 0) {
      shared.source[slot] = sample;
    }
    changed = true;
  }
  ranks.store(state, changed, shared);
}

/// Entries of a solution that a lane has on their way together.
constexpr int kEntriesTogether = 8;

/// Of a solution's entries, how many are this lane's: lane, lane + 32, …
__device__ inline int entries_of_lane(int length) {
  return (length - static_cast<int>(threadIdx.x) % 32 + 31) / 32;
}

/// Sets the membership bits anew, from the slots by rank, a warp per rank; all threads.
__device__ inline void set_membership(const DeviceBatch& batch, const TrajectoryData& t, const SearchState& state,
                                      const EliteShared& shared) {
  const int tid = static_cast<int>(threadIdx.x);
  const int threads = static_cast<int>(blockDim.x);
  const long long elite_base = t.node_offset * kEliteSize;
  std::uint32_t* membership = batch.search.membership + t.variable_offset;
  for (int v = tid; v < t.variables; v += threads) {
    membership[v] = 0;
  }
  __syncthreads();
  const int* reverse = batch.graphs[t.graph].reverse;
  for (int rank = tid / 32; rank < shared.size; rank += threads / 32) {
    const int slot = shared.slot[rank];
    const int* variables =
        batch.search.elite_variables + elite_base + static_cast<long long>(slot) * t.nodes + tid % 32;
    in_order<kEntriesTogether>(
        entries_of_lane(state.elite_length[slot]),
        [&](int i) {
          const int variable = variables[32 * i];
          return make_int2(variable, reverse != nullptr && variable >= 0 ? reverse[variable] : -1);
        },
        [&](int, int2 pair) {
          if (pair.x >= 0) {
            atomicOr(membership + pair.x, 1u << rank);
          }
          if (pair.y >= 0) {
            atomicOr(membership + pair.y, 1u << rank);
          }
        });
  }
}

/// Copies accepted samples into their slots, a warp per slot, and sets the membership bits anew; all threads.
/// `variable_at` gives the variable at a place of the samples' items.
template <typename VariableAt>
__device__ inline void copy_samples(const DeviceBatch& batch, int trajectory, const TrajectoryData& t,
                                    SearchState& state, EliteShared& shared, const VariableAt& variable_at) {
  const int tid = static_cast<int>(threadIdx.x);
  const int warps = static_cast<int>(blockDim.x) / 32;
  const long long sample_base = t.node_offset * batch.samples + tid % 32;
  const long long elite_base = t.node_offset * kEliteSize + tid % 32;
  for (int slot = tid / 32; slot < kEliteSize; slot += warps) {
    const int sample = shared.source[slot];
    if (sample < 0) {
      continue;
    }
    const int length = batch.search.found.lengths[static_cast<long long>(trajectory) * batch.samples + sample];
    const long long from = sample_base + static_cast<long long>(sample) * t.nodes;
    const long long to = elite_base + static_cast<long long>(slot) * t.nodes;
    in_order<kEntriesTogether>(
        entries_of_lane(length),
        [&](int i) {
          return make_int2(batch.search.found.items[from + 32 * i], variable_at(sample, tid % 32 + 32 * i));
        },
        [&](int i, int2 pair) {
          batch.search.elite_items[to + 32 * i] = pair.x;
          batch.search.elite_variables[to + 32 * i] = pair.y;
        });
    if (tid % 32 == 0) {
      state.elite_length[slot] = length;
    }
  }
  set_membership(batch, t, state, shared);
}

/// Places for the samples' costs: whole pairs, because the compiler loads two at once.
__host__ __device__ inline int cost_places(int samples) {
  return (samples + 1) / 2 * 2;
}
/// Bytes of shared memory that update_elite uses.
__host__ __device__ inline int elite_bytes(int samples) {
  return cost_places(samples) * static_cast<int>(sizeof(double)) + samples * static_cast<int>(sizeof(int));
}

/// The most samples for which `room` bytes are enough.
__host__ __device__ constexpr int samples_in(int room) {
  return room / static_cast<int>(sizeof(double) + sizeof(int)) / 2 * 2;
}

/// What a network begins with that has not seen this elite: membership and, for tours, h_g; a block of 256 threads.
template <typename T>
__device__ inline void show_elite(const DeviceBatch& batch, const NetworkOffsets& net, int trajectory,
                                  EliteShared& shared) {
  const TrajectoryData t = batch.trajectory[trajectory];
  const SearchState& state = batch.search.state[trajectory];
  if (threadIdx.x < kEliteSize) {
    shared.slot[threadIdx.x] = state.elite_slot[threadIdx.x];
  }
  if (threadIdx.x == 0) {
    shared.size = state.elite_size;
  }
  __syncthreads();
  set_membership(batch, t, state, shared);
  if (batch.network.embeds_global && batch.is_tsp && state.step > 0) {
    embed_global<T>(batch, net, trajectory, t.weights, state.step - 1, shared.global);
  }
}

/// Counts the step, leaves its status for the host, and begins the network; all threads.
template <typename T>
__device__ inline void end_step(const DeviceBatch& batch, const NetworkOffsets& net, int trajectory,
                                const TrajectoryData& t, int step, SearchState& state, EliteShared& shared) {
  if (threadIdx.x == 0) {
    state.step = step + 1;
    batch.search.ring[static_cast<long long>(step % kStatusRing) * batch.trajectories + trajectory] = {
        state.elite_cost[0], shared.mean_cost, state.found_mean, state.entropy};
  }
  if (batch.network.embeds_global && batch.is_tsp) {  // the MIS embeds it beside its nodes
    embed_global<T>(batch, net, trajectory, t.weights, step, shared.global);
  }
}

/// Everything that follows sampling once per trajectory. `costs` are elite_bytes() of shared memory.
template <typename T>
__device__ inline void update_elite(const DeviceBatch& batch, const NetworkOffsets& net, int trajectory,
                                    EliteShared& shared, double* costs) {
  auto* order = reinterpret_cast<int*>(costs + cost_places(batch.samples));
  const TrajectoryData t = batch.trajectory[trajectory];
  SearchState& state = batch.search.state[trajectory];
  const double* found = batch.search.found.costs + static_cast<long long>(trajectory) * batch.samples;
  const int step = state.step;
  if (threadIdx.x == 0) {
    state.previous_best = state.elite_size > 0 ? state.elite_cost[0] : 0.0;
  }
  order_samples(found, batch.samples, costs, order);
  __syncthreads();
  if (threadIdx.x < 32) {
    insert_samples(batch, trajectory, t, costs, order, state, shared);
  }
  __syncthreads();
  if (shared.changed != 0 || step == 0) {
    copy_samples(batch, trajectory, t, state, shared, [&](int sample, int i) {
      return batch.search.found.variables[t.node_offset * batch.samples + static_cast<long long>(sample) * t.nodes + i];
    });
  }
  end_step<T>(batch, net, trajectory, t, step, state, shared);
}

}  // namespace moco::cuda
