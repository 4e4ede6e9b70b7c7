// What a local search is to the engines and to polishing: something bound to a decision graph that improves solutions.
// docs/local-search.md says how to add one.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "moco/local_search.h"
#include "moco/problems/decision_graph.h"

namespace moco {

/// Buffers of one worker; what they hold is the local search's business.
struct LocalSearchScratch {
  std::vector<Index> integers;
  std::vector<unsigned char> flags;
  std::vector<double> reals;
};

class LocalSearch {
 public:
  virtual ~LocalSearch() = default;

  /// Improves a feasible solution in place until no move helps, a limit is reached or `stop` (may be empty) says so;
  /// returns the number of moves. A tour keeps its first city; a set comes back in ascending order. Solutions may be
  /// improved concurrently, each with its own scratch.
  virtual std::int64_t improve(std::vector<Index>& items, LocalSearchScratch& scratch,
                               const std::function<bool()>& stop) const = 0;
};

/// The local search of that name. The graph must outlive it. Throws OptionError as validate() does.
std::unique_ptr<LocalSearch> make_local_search(const DecisionGraph& graph, const LocalSearchOptions& options);

/// As the public function, on a graph that is there already.
ImprovedSolution improve(const DecisionGraph& graph, const Solution& solution, const LocalSearchOptions& options,
                         const std::function<bool()>& interrupted);

}  // namespace moco
