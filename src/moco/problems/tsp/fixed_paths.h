// The paths that fixed edges make: every city has at most two of them, and a tour follows a path from one end to the
// other. `partners` is TspInstance::fixed_partners throughout.
#pragma once

#include <span>
#include <vector>

#include "moco/instance.h"

namespace moco {

/// The fixed edges of an instance, each once, by rising cities.
std::vector<Edge> fixed_edges_of(const TspInstance& instance);

/// Whether both edges of a city are fixed, so that a tour can only pass it along them.
inline bool is_inside_fixed_path(std::span<const Index> partners, Index city) {
  return !partners.empty() && partners[2 * static_cast<std::size_t>(city) + 1] >= 0;
}

/// The city that a fixed edge leads to from `here` for a tour that came from `before` (−1: from nowhere); −1 where the
/// tour is free to go on.
Index next_on_fixed_path(std::span<const Index> partners, Index before, Index here);

/// An end of the city's path: the city itself where no edge of it is fixed, any city where the path is closed.
Index fixed_path_end(std::span<const Index> partners, Index city);

/// A tour that follows the fixed edges and has the paths and the other cities in the order in which the given one comes
/// to them.
Solution along_fixed_paths(const TspInstance& instance, Solution order);

}  // namespace moco
