// Local search: from a solution to a better one by small moves until none of them helps. Used on every sampled solution
// inside the search, as the last polish of its result, or alone.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "moco/instance.h"

namespace moco {

/// Which improving move of a node is taken: the first one in the order of its candidates, or the one that gains most.
enum class MoveRule { first, best };

struct LocalSearchOptions {
  std::string name;  ///< one of local_search_names(problem); empty: no local search
  MoveRule rule = MoveRule::first;
  int move_limit = 0;     ///< moves per solution at most; 0: until no move helps
  int plateau_steps = 0;  ///< swaps of one node for another (MIS) in the hope for a larger set; the largest seen counts
};

/// Names of the local searches of a problem, shortest neighbourhood first.
const std::vector<std::string_view>& local_search_names(std::string_view problem);

/// Throws OptionError, naming the choices, unless the options fit the problem.
void validate(const LocalSearchOptions& options, std::string_view problem);
/// Whether a local search of the instance's problem can do anything for it: 2-opt alone cannot where distances are
/// asymmetric.
bool supports(std::string_view local_search, const Instance& instance);
/// The same as above for an instance, which the local search must support.
void validate(const LocalSearchOptions& options, const Instance& instance);

struct ImprovedSolution {
  Solution solution;
  double cost_before = 0.0;  ///< both recomputed by the checker
  double cost = 0.0;
  std::int64_t moves = 0;
};

/// Improves one solution of an instance. The result is feasible and never worse. `neighbours` is the number of
/// candidate neighbours per city (TSP). `interrupted` is polled now and then; true ends the search with what it has.
/// Throws OptionError with the checker's words when the solution given is infeasible.
ImprovedSolution improve(const InstancePtr& instance, const Solution& solution, const LocalSearchOptions& options,
                         int neighbours = 20, const std::function<bool()>& interrupted = {});

}  // namespace moco
