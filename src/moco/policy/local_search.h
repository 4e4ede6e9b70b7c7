// What a local search is to the engines and to polishing: something bound to a decision graph that improves items.
// docs/local-search.md says how to add one.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "moco/types.h"

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

}  // namespace moco
