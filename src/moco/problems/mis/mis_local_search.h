// Local search on independent sets on the CPU.
#pragma once

#include "moco/problems/local_search.h"

namespace moco {

inline constexpr std::string_view kSwapSearch = "swap12";

std::unique_ptr<LocalSearch> make_mis_local_search(const DecisionGraph& graph, const LocalSearchOptions& options);

}  // namespace moco
