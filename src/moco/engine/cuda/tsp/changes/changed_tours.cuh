// Partial samples on the device: a warp and its working copy of a base (problems/tsp/changed_tour.h).
#pragma once

#include "moco/engine/cuda/batch/batch.cuh"
#include "moco/engine/cuda/kit/warp_team.cuh"
#include "moco/engine/cuda/step/elite.cuh"
#include "moco/engine/cuda/tsp/distance.cuh"
#include "moco/engine/cuda/tsp/tour_kernels.h"
#include "moco/problems/tsp/changed_tour.h"

namespace moco::cuda {

/// Any metric. Not inlined: moves ask in many places, and the rare metrics are long.
struct AnyLength {
  const GraphData& graph;

  __device__ __noinline__ double operator()(int from, int to) const { return distance(graph, from, to); }
};

/// __dsqrt_rn without branches, so that a lane finds several roots at the same time: Newton's steps to 1/(2√x) and √x,
/// and the last one from the exact remainder, which rounds correctly (Markstein 1990). Numbers near the ends of the
/// range are brought to its middle by powers of two.
__device__ inline double root(double x) {
  const bool small = x < 0x1p-900;
  const bool large = x > 0x1p900;
  const double scaled = x * (small ? 0x1p600 : large ? 0x1p-600 : 1.0);
  double y;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(scaled));
  double g = __dmul_rn(scaled, y);
  double h = __dmul_rn(0.5, y);
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const double r = __fma_rn(-h, g, 0.5);
    g = __fma_rn(g, r, g);
    h = __fma_rn(h, r, h);
  }
  g = __fma_rn(__fma_rn(-g, g, scaled), h, g);
  return x == 0.0 ? 0.0 : g * (small ? 0x1p-300 : large ? 0x1p300 : 1.0);
}

/// The usual metric.
struct PlaneLength {
  const double2* points;

  __device__ explicit PlaneLength(const GraphData& graph) : points(reinterpret_cast<const double2*>(graph.points)) {}
  __device__ double operator()(int from, int to) const {
    const double2 a = points[from];
    const double2 b = points[to];
    const double dx = a.x - b.x;
    const double dy = a.y - b.y;
    return root(__dadd_rn(__dmul_rn(dx, dx), __dmul_rn(dy, dy)));
  }
};

/// Kinds of working copies: in shared memory, where cities fit into half a word each, or in global memory.
template <typename AnyCity, typename AnyDistance>
struct CopyKind {
  using City = AnyCity;
  using Distance = AnyDistance;
  using Tour = ChangedTour<WarpTeam, City, Distance>;
  static constexpr bool kInShared = sizeof(City) == 2;

  /// `shared` is the warp's own.
  __device__ static ChangedTourMemory<City> memory(const DeviceBatch& batch, const TrajectoryData& t, int sample,
                                                   unsigned char* shared) {
    if constexpr (kInShared) {
      return {shared, t.nodes};
    } else {
      const long long city = t.node_offset * batch.samples + static_cast<long long>(sample) * t.nodes;
      return {batch.tours.changes.copies + city * kSpilledPerCity, t.nodes};
    }
  }

  static constexpr int kSpilledPerCity = 20;  // more than it takes, for words at every multiple of it
};

__device__ inline TourNeighbours neighbours_of(const GraphData& graph) {
  return {graph.targets, graph.length, graph.degree};
}

/// Enters the solution of a working copy into the elite if it is among the best; the slot that it takes, or −1. The
/// whole warp.
template <typename Tour>
__device__ inline int offer(const DeviceBatch& batch, const TrajectoryData& t, const GraphData& graph, const Tour& tour,
                            EliteRanks& ranks, SearchState& state) {
  const std::uint64_t identity = tour.identity();
  if (!ranks.takes(tour.length(), identity)) {
    return -1;
  }
  const double cost = tour.length_from(t.start);
  if (!ranks.takes(cost, identity)) {
    return -1;
  }
  const int slot = ranks.insert(cost, ranks.distinct() ? identity : 0);
  const long long first = (t.node_offset * kEliteSize) + static_cast<long long>(slot) * t.nodes;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for (int i = lane; i < t.nodes; i += 32) {
    const int city = tour.along(t.start, i);
    batch.search.elite_items[first + i] = city;
    batch.search.elite_variables[first + i] = edge_between(graph, city, tour.along(city, 1));
  }
  if (lane == 0) {
    state.elite_length[slot] = t.nodes;
  }
  return slot;
}

/// Chooses the kind of working copies of a batch, and calls run(kind).
template <typename Run>
void with_copy_kind(const DeviceBatch& batch, const TourChangeShape& shape, const Run& run) {
  if (shape.in_shared && batch.tours.all_plane) {
    run(CopyKind<std::uint16_t, PlaneLength>());
  } else if (shape.in_shared) {
    run(CopyKind<std::uint16_t, AnyLength>());
  } else {
    run(CopyKind<int, AnyLength>());
  }
}

}  // namespace moco::cuda
