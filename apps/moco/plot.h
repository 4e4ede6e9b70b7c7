// Drawings of solutions.
#pragma once

#include <string>

#include "moco/solve.h"

namespace moco::cli {

/// An SVG of a solved instance. TSP: the tour over the edges shaded by θ. MIS: the set as a ring around the other
/// nodes, all nodes shaded by θ. Without a heatmap only the solution is drawn.
std::string plot_svg(const Instance& instance, const SolveResult& result);

}  // namespace moco::cli
