// The walk of one tour by a warp: from city i to the unvisited neighbour with the largest key θ_ir + Gumbel_ir, ties to
// the lower r; to the nearest unvisited city when no neighbour is left.
//
// Where a tour keeps its keys and its marks is the business of a class Tour (tsp_sorted.cuh, tsp_prepared.cuh,
// tsp_drawn.cuh):
//   void prepare(…)               clears the marks but the start's; all threads of the block
//   Move best(int here)           to the neighbour with the largest key; the whole warp, which first waits for the
//                                 marks of the step before
//   unsigned char* marks()        one per city, 1 when visited; void visit(int city) sets one
//   void record(int step, Move)   pick_at(step) and city_after(step) read it back
//   int* rest(int step)           room for the cities that are unvisited in a step, until its move is recorded
#pragma once

#include "moco/engine/cuda/tsp/distance.cuh"

namespace moco::cuda {

__host__ __device__ inline int align16(int bytes) {
  return (bytes + 15) / 16 * 16;
}

/// Philox blocks of a row of k keys; rows begin with a fresh one.
__host__ __device__ inline int row_blocks(int k) {
  return (k + 3) / 4;
}

/// To `city`, neighbour number r of the city before; r = −1 when no neighbour was left to choose.
struct Move {
  int r = -1;
  int city = 0;
  int lane = 0;  ///< the one that has looked at the mark of this city in this step
};

/// Maps a double to an integer with the same order; −0 and +0 are one.
__device__ inline std::uint64_t ordered(double x) {
  const auto bits = static_cast<std::uint64_t>(__double_as_longlong(x + 0.0));
  return (bits >> 63) != 0 ? ~bits : bits | 0x8000000000000000ull;
}

/// Lists the unvisited cities in rising order; how many there are. The whole warp.
__device__ inline int list_unvisited(const unsigned char* marks, int n, int* list) {
  constexpr int kTogether = 8;
  const int lane = static_cast<int>(threadIdx.x & 31u);
  int count = 0;
  for (int first = lane; first < n + lane; first += 32 * kTogether) {
    bool open[kTogether];
#pragma unroll
    for (int j = 0; j < kTogether; ++j) {
      open[j] = first + 32 * j < n && marks[first + 32 * j] == 0;
    }
#pragma unroll
    for (int j = 0; j < kTogether; ++j) {
      const unsigned mask = __ballot_sync(kFullWarp, open[j]);
      if (open[j]) {
        list[count + __popc(mask & ((1u << lane) - 1u))] = first + 32 * j;
      }
      count += __popc(mask);
    }
  }
  return count;
}

/// The nearest of the listed cities in the plane, −1 when float32 cannot tell; the whole warp. Its squares are off by
/// 2^-22 at most, relative to themselves.
__device__ inline int clearly_nearest(const double2* points, const int* list, int count, int from) {
  const double2 here = points[from];
  float best = INFINITY;
  float second = INFINITY;
  int city = 0;
  for (int i = static_cast<int>(threadIdx.x & 31u); i < count; i += 32) {
    const int other = list[i];
    const double2 there = points[other];
    const auto dx = static_cast<float>(there.x - here.x);
    const auto dy = static_cast<float>(there.y - here.y);
    const float square = fmaf(dx, dx, dy * dy);
    second = fminf(second, fmaxf(best, square));
    city = square < best ? other : city;
    best = fminf(best, square);
  }
  // Floats that are not negative have the order of their bits.
  const float least = __uint_as_float(__reduce_min_sync(kFullWarp, __float_as_uint(best)));
  const float limit = least * (1.0f + 0x1p-20f);
  const unsigned near = __ballot_sync(kFullWarp, best <= limit);
  const bool tied = __any_sync(kFullWarp, second <= limit) || (near & (near - 1)) != 0;
  city = __shfl_sync(kFullWarp, city, 31 - __clz(static_cast<int>(near)));
  return tied || !(least > 1e-30f && least < 1e30f) ? -1 : city;
}

/// Nearest unvisited city by (distance, index); the whole warp. Listing the cities first leaves one distance per lane
/// near the end of a tour, where dead ends are frequent. Not inlined: the walk needs its registers.
__device__ __noinline__ inline int nearest_unvisited(const GraphData& graph, const unsigned char* marks, int* list,
                                                     int from) {
  __syncwarp();
  const int count = list_unvisited(marks, graph.nodes, list);
  __syncwarp();
  if (static_cast<Metric>(graph.metric) == Metric::euclidean) {
    const int city = clearly_nearest(reinterpret_cast<const double2*>(graph.points), list, count, from);
    if (city >= 0) {
      __syncwarp();  // the list's place is free again
      return city;
    }
  }
  std::uint64_t best = ~std::uint64_t{0};
  unsigned city = ~0u;
  for (int i = static_cast<int>(threadIdx.x & 31u); i < count; i += 32) {
    const int other = list[i];
    const std::uint64_t d = ordered(distance(graph, from, other));
    if (d < best) {
      best = d;
      city = static_cast<unsigned>(other);
    }
  }
  const auto high = static_cast<unsigned>(best >> 32);
  const unsigned least_high = __reduce_min_sync(kFullWarp, high);
  const unsigned low = high == least_high ? static_cast<unsigned>(best) : ~0u;
  const unsigned least_low = __reduce_min_sync(kFullWarp, low);
  city = __reduce_min_sync(kFullWarp, high == least_high && low == least_low ? city : ~0u);
  __syncwarp();
  return static_cast<int>(city);
}

/// Makes and records n − 1 moves; the step after which penalties begin, or n. The start is marked as visited already.
template <typename Tour>
__device__ inline int walk(const Tour& tour, const GraphData& graph, int start, bool penalty) {
  const int n = graph.nodes;
  int here = start;
  int step = 0;
  const auto make = [&](const Move& move) {
    if (static_cast<int>(threadIdx.x & 31u) == move.lane) {
      tour.visit(move.city);
      tour.record(step, move);
    }
    here = move.city;
  };
  const auto nearest = [&] {
    const int city = nearest_unvisited(graph, tour.marks(), tour.rest(step), here);
    return Move{-1, city, city & 31};
  };
  for (; step + 1 < n; ++step) {
    Move move = tour.best(here);
    if (move.r < 0) {
      if (penalty) {
        break;
      }
      move = nearest();
    }
    make(move);
  }
  const int dead_at = step + 1 < n ? step : n;
  for (; step + 1 < n; ++step) {
    make(nearest());
  }
  return dead_at;
}

/// Variable of the way home, −1 when it is no candidate; the whole warp.
__device__ inline int closing_variable(const GraphData& graph, int from, int to) {
  for (int first = 0; first < graph.degree; first += 32) {
    const int r = first + static_cast<int>(threadIdx.x & 31u);
    const int variable = from * graph.degree + r;
    const unsigned found = __ballot_sync(kFullWarp, r < graph.degree && graph.targets[variable] == to);
    if (found != 0) {
      return from * graph.degree + first + __ffs(static_cast<int>(found)) - 1;
    }
  }
  return -1;
}

}  // namespace moco::cuda
