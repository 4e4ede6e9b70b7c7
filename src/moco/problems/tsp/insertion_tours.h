// Tours that grow by a city at a time, each put where it makes the tour least longer.
#pragma once

#include "moco/core/halt.h"
#include "moco/instance.h"
#include "moco/problems/tsp/tsp_options.h"

namespace moco {

/// Throws OptionError where a start looks at all pairs of cities and the instance has too many.
void require_start(const TspInstance& instance, TourStart start);

/// Begins with city 0 and goes on with the city that is nearest to the tour, farthest from it, or makes it least
/// longer; near is what either direction says. Of equal cities the lowest number goes first. O(n²): nearest and
/// farthest always, cheapest on ordinary instances. `start` is one of the insertions. `halt` is looked at now and then
/// and may throw.
Solution insertion_tour(const TspInstance& instance, TourStart start, const Halt& halt);

}  // namespace moco
