// A warp as a team (core/team.h): what one thread does on the CPU, 32 lanes do together here.
#pragma once

#include "moco/core/team.h"
#include "moco/engine/cuda/kit/common.cuh"

namespace moco::cuda {

class WarpTeam {
 public:
  static constexpr int width = 32;

  __device__ int lane() const { return static_cast<int>(threadIdx.x) % 32; }
  __device__ void sync() const { __syncwarp(); }
  __device__ TeamChoice best(TeamChoice own) const {
#pragma unroll
    for (int offset = 16; offset > 0; offset >>= 1) {
      const TeamChoice other{__shfl_xor_sync(kFullWarp, own.gain, offset),
                             __shfl_xor_sync(kFullWarp, own.number, offset)};
      own = gains_more(other, own) ? other : own;
    }
    return own;
  }
  __device__ TeamChoice first(const TeamChoice& own) const {
    const unsigned lowest = __reduce_min_sync(kFullWarp, static_cast<unsigned>(own.number));  // −1 becomes the largest
    return {own.gain, static_cast<int>(lowest)};
  }
  template <typename Value>
  __device__ Value from(int lane, Value own) const {
    return __shfl_sync(kFullWarp, own, lane);
  }
  __device__ std::uint64_t sum(std::uint64_t own) const {
    auto sum = static_cast<unsigned long long>(own);
#pragma unroll
    for (int offset = 16; offset > 0; offset >>= 1) {
      sum += __shfl_xor_sync(kFullWarp, sum, offset);
    }
    return sum;
  }
  __device__ int rank(bool flag, int& total) const {
    const unsigned flags = __ballot_sync(kFullWarp, flag);
    total = __popc(flags);
    return __popc(flags & ((1u << lane()) - 1u));
  }
  __device__ int run(bool flag) const {
    const unsigned gaps = ~__ballot_sync(kFullWarp, flag);
    return gaps == 0 ? width : __ffs(static_cast<int>(gaps)) - 1;
  }
  template <typename Condition>
  __device__ int leading(int count, const Condition& meets) const {
    for (int base = 0; base < count; base += width) {
      const int number = base + lane();
      const unsigned met = __ballot_sync(kFullWarp, number < count && meets(number));
      if (met != kFullWarp) {
        return base + __popc(met);
      }
    }
    return count;
  }
};

}  // namespace moco::cuda
