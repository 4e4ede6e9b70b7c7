// Launcher of kicks on windows in the plane, a warp for each.
#pragma once

#include <cstdint>

#include "moco/engine/cuda/kit/device.h"
#include "moco/policy/plane_windows.h"

namespace moco::cuda {

/// Windows as they lie on the device.
struct DeviceWindows {
  int count = 0;
  int most_cities = 0;  ///< of a window
  LengthRounding rounding = LengthRounding::none;
  const std::uint32_t* first = nullptr;  ///< [count + 1]
  const PlanePoint* points = nullptr;    ///< [n]
  const unsigned char* fixed = nullptr;  ///< [n]
  const StreamKey* keys = nullptr;       ///< [count]
  std::uint16_t* orders = nullptr;       ///< [n] the tours, in place; before the first slice anything
};

/// How many windows of so many cities the current device works on at the same time.
int plane_windows_at_once(int most_cities);
/// The kicks of a slice in every window; the first slice begins with the cities in the order of their numbers.
void kick_plane_windows(const DeviceWindows& windows, const KickSlice& slice, cudaStream_t stream);

}  // namespace moco::cuda
