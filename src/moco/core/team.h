// One algorithm for one thread and for many: code that works on a solution with a team of lanes. On the CPU a team is
// one thread, on a device a warp (engine/cuda/kit/warp_team.cuh). Loops run from lane() in strides of `width`, choices
// are made by (gain, candidate number), so a team of any width takes the same decisions.
#pragma once

#include <cstdint>

#if defined(__CUDACC__)
#define MOCO_TEAM_CODE __device__
#define MOCO_TEAM_UNROLL _Pragma("unroll")  // so that small arrays stay in registers
#else
#define MOCO_TEAM_CODE
#define MOCO_TEAM_UNROLL
#endif

namespace moco {

/// A numbered choice and what it gains; number −1 stands for none.
struct TeamChoice {
  float gain = 0.0f;
  int number = -1;
};

/// Largest gain first, then lowest number.
MOCO_TEAM_CODE inline bool gains_more(const TeamChoice& a, const TeamChoice& b) {
  return a.gain > b.gain || (a.gain == b.gain && a.number >= 0 && (b.number < 0 || a.number < b.number));
}

class SerialTeam {
 public:
  static constexpr int width = 1;

  MOCO_TEAM_CODE int lane() const { return 0; }
  /// What any lane wrote before is seen by all afterwards.
  MOCO_TEAM_CODE void sync() const {}
  /// The best of all lanes' choices, known to all.
  MOCO_TEAM_CODE TeamChoice best(const TeamChoice& own) const { return own; }
  /// The lanes' choice of the lowest number, none left out of account.
  MOCO_TEAM_CODE TeamChoice first(const TeamChoice& own) const { return own; }
  /// A lane's value, known to all.
  template <typename Value>
  MOCO_TEAM_CODE Value from(int, Value own) const {
    return own;
  }
  /// The sum over all lanes, known to all.
  MOCO_TEAM_CODE std::uint64_t sum(std::uint64_t own) const { return own; }
  /// Number of lanes before this one whose flag is set; `total` counts all.
  MOCO_TEAM_CODE int rank(bool flag, int& total) const {
    total = flag ? 1 : 0;
    return 0;
  }
  /// How many lanes, from the first one on without a gap, have their flag set.
  MOCO_TEAM_CODE int run(bool flag) const { return flag ? 1 : 0; }
  /// How many of 0 … count − 1 meet a condition that the first ones meet and no later ones.
  template <typename Condition>
  MOCO_TEAM_CODE int leading(int count, const Condition& meets) const {
    int low = 0;
    int high = count;
    while (low < high) {
      const int middle = (low + high) / 2;
      if (meets(middle)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
};

/// Winner among choices 0 … count−1: with `first` the lowest number that gains anything, otherwise the largest gain.
/// `gain_of` returns 0 for a choice that gains nothing.
template <typename Team, typename Gain>
MOCO_TEAM_CODE TeamChoice choose(const Team& team, int count, bool first, const Gain& gain_of) {
  TeamChoice own;
  for (int base = 0; base < count; base += Team::width) {
    const int number = base + team.lane();
    if (number < count) {
      const float gain = gain_of(number);
      if (gain > own.gain) {
        own = {gain, number};
      }
    }
    if (first) {
      const TeamChoice winner = team.first(own);
      if (winner.number >= 0) {
        return winner;
      }
    }
  }
  return first ? TeamChoice{} : team.best(own);
}

}  // namespace moco
