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
    const std::uint32_t rank = ordered(own.gain + 0.0f);  // −0 and +0 are one gain
    const std::uint32_t top = __reduce_max_sync(kFullWarp, rank);
    const auto number = static_cast<unsigned>(own.number);  // −1 becomes the largest
    own.number = static_cast<int>(__reduce_min_sync(kFullWarp, rank == top ? number : ~0u));
    own.gain = __uint_as_float((top & 0x80000000u) != 0 ? top ^ 0x80000000u : ~top);
    return own;
  }
  /// The number whose gain, a positive one, is the largest, the lowest of equal ones; −1 where no lane has a number.
  __device__ int largest(double gain, int number) const {
    const auto bits = static_cast<std::uint64_t>(__double_as_longlong(gain));
    const auto high = number < 0 ? 0u : static_cast<std::uint32_t>(bits >> 32);
    const std::uint32_t top = __reduce_max_sync(kFullWarp, high);
    const bool leads = number >= 0 && high == top;
    const auto low = leads ? static_cast<std::uint32_t>(bits) : 0u;
    const std::uint32_t second = __reduce_max_sync(kFullWarp, low);
    const auto own = leads && low == second ? static_cast<unsigned>(number) : ~0u;
    return static_cast<int>(__reduce_min_sync(kFullWarp, own));
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
