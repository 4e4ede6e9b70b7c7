// The walk of one tour by a warp: from city i to the unvisited neighbour with the largest key θ_ir + Gumbel_ir, ties to
// the lower r; to the nearest unvisited city when no neighbour is left. Lane r looks at neighbours r, r + 32, ….
//
// Where a tour keeps its keys and its marks is the business of a class Tour (tsp_prepared.cuh, tsp_drawn.cuh):
//   void prepare(…)               clears the marks but the start's; all threads of the block
//   Move best(int here)           to the neighbour with the largest key; the whole warp, which first waits for the
//   marks
//                                 of the step before
//   unsigned char* marks()        one per city, 1 when visited; void visit(int city) sets one
//   void record(int step, Move)   pick_at(step) and city_after(step) read it back
//   int* rest(int step)           room for the cities that are unvisited in a step, until its move is recorded
//   int target(int city, int r)   the neighbour lists
#pragma once

#include "moco/engine/cuda/distance.cuh"

namespace moco::cuda {

/// Philox blocks of a row of k keys; rows begin with a fresh one.
__host__ __device__ inline int row_blocks(int k) {
  return (k + 3) / 4;
}

/// To `city`, neighbour number r of the city before; r = −1 when no neighbour was left to choose.
struct Move {
  int r;
  int city;
};

/// Maps a double to an integer with the same order; −0 and +0 are one.
__device__ inline std::uint64_t ordered(double x) {
  const auto bits = static_cast<std::uint64_t>(__double_as_longlong(x + 0.0));
  return (bits >> 63) != 0 ? ~bits : bits | 0x8000000000000000ull;
}

/// Lists the unvisited cities in rising order; how many there are. The whole warp.
__device__ inline int list_unvisited(const unsigned char* marks, int n, int* list) {
  const unsigned lane = threadIdx.x & 31u;
  int count = 0;
#pragma unroll 4
  for (int first = 0; first < n; first += 32) {
    const int city = first + static_cast<int>(lane);
    const bool open = city < n && marks[city] == 0;
    const unsigned mask = __ballot_sync(kFullWarp, open);
    if (open) {
      list[count + __popc(mask & ((1u << lane) - 1u))] = city;
    }
    count += __popc(mask);
  }
  return count;
}

/// Nearest unvisited city by (distance, index); the whole warp. Listing the cities first leaves one distance per lane
/// near the end of a tour, where dead ends are frequent. Not inlined: the walk needs its registers.
__device__ __noinline__ inline int nearest_unvisited(const GraphData& graph, const unsigned char* marks, int* list,
                                                     int from) {
  __syncwarp();
  const int count = list_unvisited(marks, graph.nodes, list);
  __syncwarp();
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
  __syncwarp();  // the list's place is free again
  return static_cast<int>(city);
}

/// Makes and records n − 1 moves; the step after which penalties begin, or n. The start is marked as visited already.
template <typename Tour>
__device__ inline int walk(const Tour& tour, const GraphData& graph, int start, bool penalty) {
  const int n = graph.nodes;
  const int lane = static_cast<int>(threadIdx.x & 31u);
  int here = start;
  int dead_at = n;
  for (int step = 0; step + 1 < n; ++step) {
    Move move = dead_at == n ? tour.best(here) : Move{-1, 0};
    int reader = move.r & 31;
    if (move.r < 0) {
      move.city = nearest_unvisited(graph, tour.marks(), tour.rest(step), here);
      dead_at = penalty && dead_at == n ? step : dead_at;
      reader = move.city & 31;
    }
    if (lane == reader) {  // the one lane that has looked at the mark of this city in this step
      tour.visit(move.city);
      tour.record(step, move);
    }
    here = move.city;
  }
  return dead_at;
}

/// Variable of the way home, −1 when it is no candidate; the whole warp.
template <typename Tour>
__device__ inline int closing_variable(const Tour& tour, int degree, int from, int to) {
  for (int first = 0; first < degree; first += 32) {
    const int r = first + static_cast<int>(threadIdx.x & 31u);
    const unsigned found = __ballot_sync(kFullWarp, r < degree && tour.target(from, r) == to);
    if (found != 0) {
      return from * degree + first + __ffs(static_cast<int>(found)) - 1;
    }
  }
  return -1;
}

}  // namespace moco::cuda
