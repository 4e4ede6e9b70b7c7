// Where two tours A and B differ: the edges that only one of them has fall into cycles that run along edges of A and B
// in turns (AB-cycles; Nagata and Kobayashi 2013).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "moco/core/random.h"
#include "moco/types.h"

namespace moco {

/// [n] both neighbours of every city on a tour.
using TourLinks = std::vector<std::array<Index, 2>>;

class AbCycles {
 public:
  /// Where several edges go on from a city, chance decides.
  void find(const TourLinks& a, const TourLinks& b, RandomSequence& random);

  int count() const { return static_cast<int>(first_.size()) - 1; }
  /// The cities v0, v1, … along a cycle: {v0, v1}, {v2, v3}, … are edges of A; {v1, v2}, … and the one from the last
  /// city back to v0 are edges of B.
  std::span<const Index> cycle(int number) const {
    const auto i = static_cast<std::size_t>(number);
    return std::span(cities_).subspan(first_[i], first_[i + 1] - first_[i]);
  }

 private:
  /// Edges of a city that only one tour has and no cycle has taken yet.
  struct Rest {
    int count = 0;
    std::array<Index, 2> to{};
  };

  void take(int tour, Index from, Index to);
  void walk_from(Index start, RandomSequence& random);

  std::array<std::vector<Rest>, 2> rest_;             // of A and of B
  std::array<std::vector<std::int32_t>, 2> visited_;  // place on the walk before an edge of A and of B, −1
  std::vector<Index> differing_;
  std::vector<Index> walk_;
  std::vector<Index> cities_;
  std::vector<std::size_t> first_;
};

}  // namespace moco
