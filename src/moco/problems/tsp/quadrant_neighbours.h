// Candidate neighbours on all sides of every city.
#pragma once

#include <vector>

#include "moco/core/thread_pool.h"
#include "moco/instance.h"
#include "moco/types.h"

namespace moco {

/// Whether a metric is of the plane, where cities lie on one side of another or on the other.
bool has_quadrants(Metric metric);

/// Like nearest_neighbours, rows and their order too, but the nearest ⌊k'/5⌋ cities of each quadrant around a city are
/// among its neighbours, where there are as many, and the rest are the nearest of the others. Where cities lie in
/// clusters, the nearest ones alone leave no way out of them. Instances without quadrants have their nearest
/// neighbours.
std::vector<Index> quadrant_neighbours(const TspInstance& instance, Index k, const Executor& executor = {});

}  // namespace moco
