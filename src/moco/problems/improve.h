// Local search on a decision graph that is there already.
#pragma once

#include "moco/local_search.h"
#include "moco/problems/decision_graph.h"

namespace moco {

/// As the public function of this name; the options have been validated.
ImprovedSolution improve(const DecisionGraph& graph, const Solution& solution, const LocalSearchOptions& search,
                         const OptionValues& options, const std::function<bool()>& interrupted);

}  // namespace moco
