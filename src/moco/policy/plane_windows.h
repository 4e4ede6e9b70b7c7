// What an engine may offer to searches that improve a solution part by part: kicks on thousands of small tours in the
// plane side by side. A window is such a tour: the cities of a part in the order of the solution, joined by fixed
// edges where the solution leaves the part and comes back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "moco/core/random.h"

namespace moco {

/// A place relative to somewhere near, so that single precision tells near places apart.
struct PlanePoint {
  float x = 0.0f;
  float y = 0.0f;
};

/// What becomes of the length of an edge in the plane.
enum class LengthRounding : unsigned char { none, nearest, up };

/// Cities are numbered in the order of their window; the tours that are improved begin in that order.
struct PlaneWindows {
  LengthRounding rounding = LengthRounding::none;
  std::vector<std::uint32_t> first = {0};  ///< [windows + 1] into the others
  std::vector<PlanePoint> points;          ///< [n]
  std::vector<unsigned char> fixed;        ///< [n] whether the edge to the next city of the window, cyclically, stays
  std::vector<StreamKey> keys;             ///< [windows]

  std::size_t count() const { return first.size() - 1; }
  std::size_t size(std::size_t window) const { return first[window + 1] - first[window]; }
};

/// Kicks of every window, of a sequence that may be cut anywhere: what comes out does not depend on where.
struct KickSlice {
  std::uint32_t begin = 0;        ///< first of the slice
  std::uint32_t end = 0;          ///< one behind the last
  float temperature = 0.0f;       ///< of kick 0, as a length
  float temperature_fall = 0.0f;  ///< from one kick to the next
};

class WindowKicks {
 public:
  virtual ~WindowKicks() = default;

  /// Most cities of a window.
  virtual std::size_t most_cities() const = 0;
  /// How many windows of so many cities are at work at the same time.
  virtual std::size_t at_once(std::size_t cities) const = 0;

  /// Takes over windows; they may be changed at once.
  virtual void begin(const PlaneWindows& windows) = 0;
  /// A local search of every window where the slice is its first, then kicks. Returns when the slice before has ended.
  virtual void kick(const KickSlice& slice) = 0;
  /// Waits. The tours, by numbers of cities within their window; [n], valid until the next begin().
  virtual std::span<const std::uint16_t> orders() = 0;
};

}  // namespace moco
