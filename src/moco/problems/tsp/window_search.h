// Kicks on a large tour by all threads: windows of it are improved side by side, each in arrays of its own, put back,
// and cut anew from round to round.
#pragma once

#include <vector>

#include "moco/policy/kicks.h"
#include "moco/problems/decision_graph.h"

namespace moco {

/// Symmetric instances with coordinates and enough cities for several windows.
bool suits_windows(const DecisionGraph& graph);

/// KickSearch::run_divided.
std::int64_t search_windows(const DecisionGraph& graph, std::vector<Index>& items, StreamKey key,
                            const DividedKicks& task, const Executor& executor);

}  // namespace moco
