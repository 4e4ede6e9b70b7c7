// Local search: from a solution to a better one by small moves until none of them helps. Used on every sampled solution
// inside the search, as the last polish of its result, or alone.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "moco/instance.h"
#include "moco/options.h"

namespace moco {

/// A local search that a problem declares.
struct LocalSearchKind {
  std::string_view name;
  /// Why it can do nothing for an instance, as the end of "NAME …"; empty where it can. Null: it always can.
  std::string (*obstacle)(const Instance& instance) = nullptr;
  bool cpu_only = false;  ///< no other engine has it
};

struct LocalSearchOptions {
  std::string name;    ///< one of the problem's local searches; empty: none
  int move_limit = 0;  ///< moves per solution at most; 0: until no move helps

  friend bool operator==(const LocalSearchOptions&, const LocalSearchOptions&) = default;
};

/// Names of the local searches of a problem, shortest neighbourhood first.
std::vector<std::string_view> local_search_names(const Problem& problem);

/// Throws OptionError, naming the choices, unless the options fit the problem.
void validate(const LocalSearchOptions& search, const Problem& problem);
/// Whether a local search of the instance's problem can do anything for it: 2-opt alone cannot where distances are
/// asymmetric.
bool supports(std::string_view local_search, const Instance& instance);
/// The same as above for an instance, which the local search must support.
void validate(const LocalSearchOptions& search, const Instance& instance);

struct ImprovedSolution {
  Solution solution;
  double cost_before = 0.0;  ///< both recomputed by the checker
  double cost = 0.0;
  std::int64_t moves = 0;
};

/// Improves one solution of an instance. The result is feasible and never worse. `options` are those that the problem
/// declares. `interrupted` is polled now and then; true ends the search with what it has. Throws OptionError with the
/// checker's words when the solution given is infeasible.
ImprovedSolution improve(const InstancePtr& instance, const Solution& solution, const LocalSearchOptions& search,
                         const OptionValues& options = {}, const std::function<bool()>& interrupted = {});

}  // namespace moco
