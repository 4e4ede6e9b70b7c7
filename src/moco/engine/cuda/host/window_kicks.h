// Kicks of windows on the device: memory, copies and the order of slices.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "moco/engine/cuda/tsp/plane_windows.h"

namespace moco::cuda {

class DeviceWindowKicks final : public WindowKicks {
 public:
  explicit DeviceWindowKicks(std::shared_ptr<DeviceContext> context) : context_(std::move(context)) {}

  std::size_t most_cities() const override;
  std::size_t at_once(std::size_t cities) const override;
  void begin(const PlaneWindows& windows) override;
  void kick(const KickSlice& slice) override;
  std::span<const std::uint16_t> orders() override;

 private:
  std::shared_ptr<DeviceContext> context_;
  std::size_t cities_ = 0;
  std::size_t room_ = 0;  ///< bytes of memory_
  std::optional<DeviceBuffer> memory_;
  DeviceWindows windows_;
  std::array<Event, 2> ended_;  ///< of the slices, in turns
  int slices_ = 0;              ///< since begin()
};

}  // namespace moco::cuda
