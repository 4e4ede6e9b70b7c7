// Local search on independent sets on the CPU.
#pragma once

#include <memory>

#include "moco/local_search.h"
#include "moco/policy/local_search.h"
#include "moco/problems/decision_graph.h"

namespace moco {

inline constexpr std::string_view kSwapSearch = "swap12";

std::unique_ptr<LocalSearch> make_mis_local_search(const DecisionGraph& graph, const LocalSearchOptions& search,
                                                   int plateau_steps);

}  // namespace moco
