// Kicks of windows on the CPU by teams of one thread: what engines' windows are compared with.
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "moco/core/thread_pool.h"
#include "moco/policy/plane_windows.h"
#include "moco/problems/tsp/plane_kicks.h"

namespace moco {

class SerialWindows final : public WindowKicks {
 public:
  explicit SerialWindows(const Executor& executor = {}, std::size_t at_once = 1)
      : executor_(executor), at_once_(at_once) {}

  std::size_t most_cities() const override { return kMostPlaneCities; }
  std::size_t at_once(std::size_t) const override { return at_once_; }
  void begin(const PlaneWindows& windows) override {
    windows_ = windows;
    orders_.resize(windows.points.size());
    for (std::size_t window = 0; window < windows.count(); ++window) {
      std::iota(orders_.begin() + windows.first[window], orders_.begin() + windows.first[window + 1], std::uint16_t{0});
    }
  }
  void kick(const KickSlice& slice) override {
    executor_.for_each(windows_.count(), [&](std::size_t window, std::size_t) {
      switch (windows_.rounding) {
        case LengthRounding::none:
          return kick<LengthRounding::none>(window, slice);
        case LengthRounding::nearest:
          return kick<LengthRounding::nearest>(window, slice);
        case LengthRounding::up:
          return kick<LengthRounding::up>(window, slice);
      }
    });
  }
  std::span<const std::uint16_t> orders() override { return orders_; }

 private:
  template <LengthRounding Rounding>
  void kick(std::size_t window, const KickSlice& slice) {
    const int n = static_cast<int>(windows_.size(window));
    const std::size_t first = windows_.first[window];
    std::vector<std::uint32_t> words(static_cast<std::size_t>(plane_memory_bytes(n)) / sizeof(std::uint32_t) + 1);
    const PlaneMemory memory = place_plane_memory(reinterpret_cast<unsigned char*>(words.data()), n);
    for (int i = 0; i < n; ++i) {
      const std::size_t slot = first + static_cast<std::size_t>(i);
      memory.points[i] = windows_.points[slot];
      memory.fixed[i] = windows_.fixed[slot];
      memory.order[i] = orders_[slot];
    }
    kick_in_plane<Rounding>(SerialTeam(), n, memory, windows_.keys[window], slice);
    std::copy(memory.order, memory.order + n, orders_.begin() + static_cast<std::ptrdiff_t>(first));
  }

  Executor executor_;
  std::size_t at_once_;
  PlaneWindows windows_;
  std::vector<std::uint16_t> orders_;
};

}  // namespace moco
