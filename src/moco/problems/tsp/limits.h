// How large the numbers of a TSP instance may be.
#pragma once

namespace moco {

/// Coordinates and distances beyond this are refused: their squares and sums would overflow.
inline constexpr double largest_coordinate = 1e150;

}  // namespace moco
