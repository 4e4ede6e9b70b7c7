// Nearest neighbours of every city of a TSP instance.
#pragma once

#include <vector>

#include "moco/core/thread_pool.h"
#include "moco/instance.h"
#include "moco/types.h"

namespace moco {

/// The k' = min(k, n − 1) nearest other cities of each city, row-major n×k'. k must be at least 0.
///
/// Rows are ordered by the distance before TSPLIB's rounding, then by index; so they are also non-decreasing in
/// `instance.distance(city, ·)`. Under Metric::geo the neighbours are chosen by their chord through the globe and then
/// ordered by (distance, chord, index). Under Metric::matrix the distance is the one from the row's city to the other.
/// Several cities in one place are neighbours of each other at distance zero.
///
/// Coordinates take O(n·k) memory and about O(n log n) time; a matrix takes O(n²) time.
/// The executor's threads share the rows.
std::vector<Index> nearest_neighbours(const TspInstance& instance, Index k, const Executor& executor = {});

}  // namespace moco
