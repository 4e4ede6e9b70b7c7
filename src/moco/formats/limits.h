// How large the numbers of an instance may be.
#pragma once

namespace moco {

/// Coordinates and distances beyond this are refused: their squares and sums would overflow.
inline constexpr double largest_coordinate = 1e150;

/// Node weights beyond this are refused: sums of them would lose whole units.
inline constexpr double largest_node_weight = 1e15;

}  // namespace moco
