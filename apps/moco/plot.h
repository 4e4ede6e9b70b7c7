// Drawings of solutions.
#pragma once

#include "moco/drawing/sheet.h"
#include "moco/solve.h"

namespace moco::cli {

/// A solved instance. TSP: the tour over the edges shaded by θ, north or y up; cities that have only distances are
/// placed by them. MIS: the graph laid out by its structure, all nodes shaded by θ. Without a heatmap only the solution
/// is drawn.
drawing::Sheet draw_solution(const Instance& instance, const SolveResult& result);

}  // namespace moco::cli
