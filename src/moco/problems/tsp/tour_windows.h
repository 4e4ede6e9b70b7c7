// A tour cut into windows: parts that are small enough for a cache and are improved side by side.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "moco/core/random.h"
#include "moco/core/raw_vector.h"
#include "moco/core/thread_pool.h"
#include "moco/instance.h"
#include "moco/types.h"

namespace moco {

/// Every city is in one window, the cities of a window are in the order of the tour. Where the next city of a window is
/// not the next one of the tour, the tour leaves the window and comes back: the way outside is the window's business as
/// little as what other windows do, so it stands for a fixed edge between the two.
struct TourWindows {
  RawVector<Index> cities;         ///< [n] grouped by window
  std::vector<std::size_t> first;  ///< [windows + 1] into cities
  RawVector<std::size_t> slot;     ///< [n] of each city in cities
  RawVector<unsigned char>
      joined;  ///< [n] by slot: whether the next city of the window, cyclically, follows on the tour

  std::size_t count() const { return first.size() - 1; }
  std::size_t size(std::size_t window) const { return first[window + 1] - first[window]; }
  std::span<const Index> cities_of(std::size_t window) const { return {cities.data() + first[window], size(window)}; }
  std::span<const unsigned char> joined_of(std::size_t window) const {
    return {joined.data() + first[window], size(window)};
  }
};

/// `count` cells of the plane with equally many cities, but for a few: halves of halves, cut at random places near the
/// middle along axes that are turned by a random angle. `points` are the cities'; there are far more than cells.
/// Throws Halted when the executor's halt is due.
TourWindows cut_into_cells(std::span<const Point> points, std::span<const Index> tour, std::size_t count,
                           RandomSequence& random, const Executor& executor);

}  // namespace moco
