// Edges of a tour that no move may remove.
#pragma once

#include <limits>
#include <span>

#include "moco/types.h"

namespace moco {

/// At most two for each city; none at all costs nothing to ask for.
class FixedEdges {
 public:
  FixedEdges() = default;
  /// [2n] the other ends of the fixed edges at each city, −1 where there is none. An edge stands at both of its ends.
  explicit FixedEdges(std::span<const Index> partners) : partners_(partners.empty() ? nullptr : partners.data()) {}

  bool none() const { return partners_ == nullptr; }
  bool has(Index a, Index b) const {
    return partners_ != nullptr && (partners_[2 * std::ptrdiff_t{a}] == b || partners_[2 * std::ptrdiff_t{a} + 1] == b);
  }

 private:
  const Index* partners_ = nullptr;
};

/// Distances as moves are to see them: a fixed edge is infinitely short, so nothing is gained by removing it.
template <typename Distance>
struct FixedEdgesAreShortest {
  const Distance& distance;
  FixedEdges fixed;

  double operator()(Index a, Index b) const {
    return fixed.has(a, b) ? -std::numeric_limits<double>::infinity() : distance(a, b);
  }
};

}  // namespace moco
