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
  cudaStream_t stream(std::size_t part) const { return part == 0 ? context_->stream() : second_.get(); }
  void wait();

  std::shared_ptr<DeviceContext> context_;
  Stream second_;
  std::size_t cities_ = 0;
  std::size_t room_ = 0;  ///< bytes of memory_
  std::optional<DeviceBuffer> memory_;
  std::array<DeviceWindows, 2> parts_;  ///< each with a stream: what one leaves idle in the end, the other makes use of
  std::size_t used_ = 1;                ///< of them; two where the device does not hold all windows at once
  Event sent_;
  std::array<std::array<Event, 2>, 2> ended_;  ///< of the parts' slices, in turns
  std::size_t slices_ = 0;                     ///< since begin()
};

}  // namespace moco::cuda
