// Kicks on a large tour by an engine's small searches: the tour is cut into windows, all of which are kicked side by
// side on the engine, put back, and cut anew from round to round.
#pragma once

#include <vector>

#include "moco/policy/kicks.h"
#include "moco/policy/plane_windows.h"
#include "moco/problems/decision_graph.h"

namespace moco {

/// Instances in the plane that are large enough for windows (window_search.h).
bool suits_plane_windows(const DecisionGraph& graph);

/// KickSearch::run_divided on an engine's windows.
std::int64_t search_plane_windows(const DecisionGraph& graph, std::vector<Index>& items, StreamKey key,
                                  const DividedKicks& task, WindowKicks& engine, const Executor& executor);

}  // namespace moco
