// Small vocabulary types shared by the whole library.
#pragma once

#include <cstdint>
#include <vector>

namespace moco {

/// Number of a node, an edge slot or a decision variable.
using Index = std::int32_t;
/// Position in an edge array; graphs may have more than 2^31 edges.
using Offset = std::int64_t;

/// A solution as plain data. TSP: all cities in visiting order (0-based, closed implicitly).
/// MIS: the chosen nodes in ascending order (0-based).
struct Solution {
  std::vector<Index> items;

  friend bool operator==(const Solution&, const Solution&) = default;
};

}  // namespace moco
