// The options of the TSP.
#pragma once

#include <span>

#include "moco/options.h"

namespace moco {

/// When all candidate neighbours are visited: go to the nearest unvisited city, or end with a penalty of √2 (in the
/// unit square) per unvisited city as the authors' program does. Returned tours are complete either way.
enum class DeadEnd { nearest, penalty };
/// Which improving move of a city is taken: the first one in the order of its candidates, or the one that gains most.
enum class MoveRule { first, best };

/// The tour that a search begins with where it begins with one: of the shortest edges that fit together, or grown by a
/// city at a time.
enum class TourStart { greedy, nearest_insertion, farthest_insertion, cheapest_insertion };

/// Which cities are the candidate neighbours of a city: the nearest ones, or the nearest ones on every side of it.
enum class CandidateRule { nearest, quadrant };

struct TspOptions {
  int neighbours = 20;  ///< k, candidate neighbours per city
  CandidateRule candidates = CandidateRule::nearest;
  DeadEnd dead_end = DeadEnd::nearest;
  MoveRule move_rule = MoveRule::first;
  TourStart start = TourStart::greedy;
};

std::span<const OptionDeclaration> tsp_option_declarations();
TspOptions tsp_options(const OptionValues& values);

}  // namespace moco
