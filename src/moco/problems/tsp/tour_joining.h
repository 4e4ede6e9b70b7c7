// Improved windows put back into the tour they were cut from.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "moco/problems/tsp/tour_kicks.h"
#include "moco/problems/tsp/tour_windows.h"

namespace moco {

/// A tour as links between cities. Each window alone, put back, leaves a tour; several together may leave several
/// cycles, which are then joined.
class TourJoining {
 public:
  /// All must outlive this. The tour is one of the part's cities, by its numbers.
  TourJoining(const TspInstance& instance, const TourPart& part, std::span<const Index> tour,
              const TourWindows& windows);

  /// `order` is the window's improved tour: places in the window, where two that follow each other in the window
  /// without an edge of the tour are neighbours still. Different windows may be put back concurrently.
  void put_back(std::size_t window, std::span<const Index> order);

  /// The tour with all windows put back, which begins where the old one did. Joins cycles to others by the cheapest
  /// exchange of two edges at candidates, or else where the old tour went from one to another.
  std::vector<Index> tour();
  /// How many cycles there were.
  std::size_t cycles() const { return cycles_; }

 private:
  using Links = std::array<Index, 2>;

  const TspInstance& instance_;
  const TourPart& part_;
  std::span<const Index> old_tour_;
  const TourWindows& windows_;
  std::vector<Links> links_;
  std::size_t cycles_ = 1;
};

}  // namespace moco
