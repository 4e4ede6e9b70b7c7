// A team of threads (core/team.h) that meet as the lanes of a warp do, for tests of code that is written for teams.
#pragma once

#include <algorithm>
#include <array>
#include <barrier>
#include <bit>
#include <cstdint>
#include <thread>
#include <vector>

#include "moco/core/team.h"

namespace moco::test {

/// What the lanes of a team share to meet.
template <int Width>
struct Meeting {
  std::barrier<> barrier{Width};
  std::array<std::uint64_t, Width> values{};

  /// Every lane's value, known to all.
  std::array<std::uint64_t, Width> exchange(int lane, std::uint64_t value) {
    values[static_cast<std::size_t>(lane)] = value;
    barrier.arrive_and_wait();
    const std::array<std::uint64_t, Width> all = values;
    barrier.arrive_and_wait();
    return all;
  }
};

template <int Width>
class ThreadTeam {
 public:
  static constexpr int width = Width;

  ThreadTeam(Meeting<Width>& meeting, int lane) : meeting_(&meeting), lane_(lane) {}

  int lane() const { return lane_; }
  void sync() const { meeting_->barrier.arrive_and_wait(); }
  TeamChoice best(const TeamChoice& own) const {
    const auto word = std::uint64_t{std::bit_cast<std::uint32_t>(own.gain)} << 32 |
                      std::uint64_t{static_cast<std::uint32_t>(own.number)};
    TeamChoice best = own;
    for (const std::uint64_t other : meeting_->exchange(lane_, word)) {
      const TeamChoice choice{std::bit_cast<float>(static_cast<std::uint32_t>(other >> 32)),
                              static_cast<int>(static_cast<std::uint32_t>(other))};
      best = gains_more(choice, best) ? choice : best;
    }
    return best;
  }
  TeamChoice first(const TeamChoice& own) const {
    std::uint32_t lowest = ~0u;
    for (const std::uint64_t number : meeting_->exchange(lane_, static_cast<std::uint32_t>(own.number))) {
      lowest = std::min(lowest, static_cast<std::uint32_t>(number));
    }
    return {own.gain, static_cast<int>(lowest)};
  }
  int largest(double gain, int number) const {
    const auto gains = meeting_->exchange(lane_, std::bit_cast<std::uint64_t>(gain));
    const auto numbers = meeting_->exchange(lane_, static_cast<std::uint32_t>(number));
    double most = 0.0;
    int best = -1;
    for (std::size_t i = 0; i < Width; ++i) {
      const double own = std::bit_cast<double>(gains[i]);
      const int choice = static_cast<int>(static_cast<std::uint32_t>(numbers[i]));
      if (choice >= 0 && (best < 0 || own > most || (own == most && choice < best))) {
        most = own;
        best = choice;
      }
    }
    return best;
  }
  template <typename Condition>
  int leading(int count, const Condition& meets) const {
    return SerialTeam().leading(count, meets);
  }
  double from(int lane, double own) const {
    return std::bit_cast<double>(of_lane(lane, std::bit_cast<std::uint64_t>(own)));
  }
  int from(int lane, int own) const { return static_cast<int>(of_lane(lane, static_cast<std::uint32_t>(own))); }
  std::uint64_t sum(std::uint64_t own) const {
    std::uint64_t sum = 0;
    for (const std::uint64_t value : meeting_->exchange(lane_, own)) {
      sum += value;
    }
    return sum;
  }
  int rank(bool flag, int& total) const {
    int before = 0;
    total = 0;
    const auto flags = meeting_->exchange(lane_, flag ? 1 : 0);
    for (int i = 0; i < Width; ++i) {
      const int set = flags[static_cast<std::size_t>(i)] != 0 ? 1 : 0;
      before += i < lane_ ? set : 0;
      total += set;
    }
    return before;
  }

 private:
  std::uint64_t of_lane(int lane, std::uint64_t own) const {
    return meeting_->exchange(lane_, own)[static_cast<std::size_t>(lane)];
  }

  Meeting<Width>* meeting_;
  int lane_;
};

/// Calls body(team) on every lane of a team, each on a thread of its own.
template <int Width, typename Body>
void run_team(const Body& body) {
  Meeting<Width> meeting;
  std::vector<std::thread> lanes;
  for (int lane = 0; lane < Width; ++lane) {
    lanes.emplace_back([&, lane] { body(ThreadTeam<Width>(meeting, lane)); });
  }
  for (std::thread& lane : lanes) {
    lane.join();
  }
}

}  // namespace moco::test
