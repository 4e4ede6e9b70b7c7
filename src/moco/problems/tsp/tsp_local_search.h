// Local search on tours on the CPU.
#pragma once

#include <memory>

#include "moco/local_search.h"
#include "moco/policy/local_search.h"
#include "moco/problems/decision_graph.h"
#include "moco/problems/tsp/tsp_options.h"

namespace moco {

std::span<const LocalSearchKind> tour_searches();
/// Kinds of moves (problems/tsp/tour_moves.h) behind a name; 0 for `lk` and unknown ones.
unsigned tour_move_kinds(std::string_view name);

std::unique_ptr<LocalSearch> make_tsp_local_search(const DecisionGraph& graph, const LocalSearchOptions& search,
                                                   MoveRule rule);

}  // namespace moco
