// Local search on tours on the CPU.
#pragma once

#include "moco/problems/local_search.h"

namespace moco {

/// Name and moves of each local search of the TSP.
struct TourSearchName {
  std::string_view name;
  unsigned kinds;
};
std::span<const TourSearchName> tour_searches();
/// Kinds of moves (problems/tsp/tour_moves.h) behind a name; 0 for an unknown one.
unsigned tour_move_kinds(std::string_view name);

std::unique_ptr<LocalSearch> make_tsp_local_search(const DecisionGraph& graph, const LocalSearchOptions& options);

}  // namespace moco
