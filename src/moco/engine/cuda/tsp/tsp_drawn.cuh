// A tour whose keys are drawn on the way, by the warp that walks: for rows too large for shared memory, and where the
// tours that fit into it are too few to fill a multiprocessor. Everything but the marks lies in global memory.
#pragma once

#include "moco/engine/cuda/tsp/tsp_walk.cuh"

namespace moco::cuda {

class DrawnTour {
 public:
  __device__ DrawnTour(const DeviceBatch& batch, const TrajectoryData& t, const GraphData& graph, int step, int sample,
                       unsigned char* marks)
      : theta_(batch.search.theta + t.variable_offset),
        targets_(graph.targets),
        cities_(batch.search.items + t.node_offset * batch.samples + static_cast<long long>(sample) * graph.nodes),
        picks_(batch.search.variables + t.node_offset * batch.samples + static_cast<long long>(sample) * graph.nodes),
        marks_(marks),
        nodes_(graph.nodes),
        degree_(graph.degree),
        start_(t.start),
        step_(static_cast<std::uint32_t>(step)),
        sample_(static_cast<std::uint32_t>(sample)),
        stream_(t.stream) {}

  __device__ void prepare() const {
    for (int i = static_cast<int>(threadIdx.x); i < nodes_; i += static_cast<int>(blockDim.x)) {
      marks_[i] = i == start_ ? 1 : 0;
    }
  }

  /// 128 neighbours at a time: their random numbers are the Philox blocks of the 32 lanes.
  __device__ Move best(int here) const {
    const int lane = static_cast<int>(threadIdx.x & 31u);
    const long long row = static_cast<long long>(here) * degree_;
    std::uint32_t top = 0;
    unsigned best_r = ~0u;
    int best_target = 0;
    __syncwarp();  // marks of the step before
    for (int first = 0; first < degree_; first += 128) {
      int target[4] = {};
      float theta[4] = {};
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const int r = first + 32 * j + lane;
        if (r < degree_) {
          target[j] = targets_[row + r];
          theta[j] = theta_[row + r];
        }
      }
      const auto block = static_cast<std::uint32_t>(here * row_blocks(degree_) + first / 4 + lane);
      const Philox4 random = philox(block, sample_, step_, static_cast<std::uint32_t>(Purpose::sample), stream_);
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        if (first + 32 * j < degree_) {
          const float key = theta[j] + gumbel(word_of(random, 8 * j + lane / 4, lane));
          const int r = first + 32 * j + lane;
          const std::uint32_t rank =
              r < degree_ && marks_[target[j]] == 0 ? ordered(key + 0.0f) : 0u;  // −0 and +0 are one key
          if (rank > top) {
            top = rank;
            best_r = static_cast<unsigned>(r);
            best_target = target[j];
          }
        }
      }
    }
    const std::uint32_t largest = __reduce_max_sync(kFullWarp, top);
    const unsigned chosen = __reduce_min_sync(kFullWarp, top == largest ? best_r : ~0u);
    const int city = __shfl_sync(kFullWarp, best_target, static_cast<int>(chosen % 32));
    return largest != 0 ? Move{static_cast<int>(chosen), city, static_cast<int>(chosen % 32)} : Move{};
  }

  __device__ unsigned char* marks() const {
    return marks_;
  }
  __device__ void visit(int city) const {
    marks_[city] = 1;
  }
  __device__ void record(int step, Move move) const {
    picks_[step] = move.r;
    cities_[step + 1] = move.city;
  }
  __device__ int pick_at(int step) const {
    return picks_[step];
  }
  __device__ int city_after(int step) const {
    return cities_[step + 1];
  }
  __device__ int* rest(int step) const {
    return cities_ + step + 1;
  }

 private:
  /// Word number `which` mod 4 of the block of lane `from`; the whole warp.
  __device__ static std::uint32_t word_of(const Philox4& block, int from, int which) {
    const std::uint32_t a = __shfl_sync(kFullWarp, block.v[0], from);
    const std::uint32_t b = __shfl_sync(kFullWarp, block.v[1], from);
    const std::uint32_t c = __shfl_sync(kFullWarp, block.v[2], from);
    const std::uint32_t d = __shfl_sync(kFullWarp, block.v[3], from);
    return (which & 2) != 0 ? ((which & 1) != 0 ? d : c) : ((which & 1) != 0 ? b : a);
  }

  const float* theta_;
  const int* targets_;
  int* cities_;
  int* picks_;
  unsigned char* marks_;
  int nodes_;
  int degree_;
  int start_;
  std::uint32_t step_;
  std::uint32_t sample_;
  StreamKey stream_;
};

}  // namespace moco::cuda
