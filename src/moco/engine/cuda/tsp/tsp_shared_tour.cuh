// What tours in shared memory have in common: marks and moves.
#pragma once

#include "moco/engine/cuda/tsp/tsp_walk.cuh"

namespace moco::cuda {

class SharedTour {
 public:
  __device__ SharedTour(unsigned char* marks, unsigned char* moves)
      : marks_(kept_shared(marks)), moves_(kept_shared(reinterpret_cast<std::uint32_t*>(moves))) {}

  __device__ unsigned char* marks() const { return marks_; }
  __device__ void visit(int city) const { marks_[city] = 1; }
  __device__ void record(int step, Move move) const {
    moves_[step] = static_cast<std::uint32_t>(move.r) << 16 | static_cast<std::uint32_t>(move.city);
  }
  __device__ int pick_at(int step) const { return pick_of(moves_[step]); }
  __device__ int city_after(int step) const { return city_of(moves_[step]); }
  __device__ int* rest(int step) const { return reinterpret_cast<int*>(moves_ + step); }

 protected:
  /// r and city in half a word each; all ones are no move.
  __device__ static int pick_of(std::uint32_t word) { return static_cast<std::int32_t>(word) >> 16; }
  __device__ static int city_of(std::uint32_t word) { return static_cast<int>(word & 0xFFFFu); }

  unsigned char* marks_;  ///< [n]

 private:
  std::uint32_t* moves_;  ///< [n]
};

}  // namespace moco::cuda
