// Candidate graphs of the TSP.
#pragma once

#include "moco/problems/decision_graph.h"
#include "moco/problems/tsp/tsp_options.h"

namespace moco {

/// The sizes of the candidate graph with min(k, n − 1) neighbours per city.
DecisionGraph tsp_graph_shape(const std::shared_ptr<const TspInstance>& instance, Index k);
DecisionGraph tsp_decision_graph(const std::shared_ptr<const TspInstance>& instance, Index k,
                                 const Executor& executor = {}, CandidateRule candidates = CandidateRule::nearest);

}  // namespace moco
