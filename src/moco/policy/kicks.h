// Iterated local search: from a good solution on by many small perturbations ("kicks"), each followed by a local search
// of its surroundings only, and taken back unless the result is good enough. A kick costs what it changes, not n.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "moco/core/random.h"
#include "moco/core/thread_pool.h"
#include "moco/types.h"

namespace moco {

class WindowKicks;

/// Where an iterated search stands.
struct KickMoment {
  bool settled = false;  ///< the local search that comes first is done
  std::int64_t kicks = 0;
  double best = 0.0;                               ///< cost of the best solution so far; rounding apart
  std::function<std::vector<Index>()> items = {};  ///< that solution, while it is being asked; may be empty
};

/// Share of the budget that is spent, from 0; 1 or more ends the search. Asked every few dozen kicks.
using KickBudget = std::function<double(const KickMoment&)>;

/// What a search that all threads work on is to do.
struct DividedKicks {
  /// At most so many, dealt out in a way that does not depend on the number of threads; 0: as many as the budget
  /// allows.
  std::int64_t kicks = 0;
  KickBudget spent;  ///< called from any thread
  /// Called on the caller's thread with each better solution that is complete, and its cost; may be empty.
  std::function<void(const std::vector<Index>&, double)> improved;
  /// An engine's small searches, which then do the kicks; null: none.
  WindowKicks* engine = nullptr;
  /// Looked at inside long preparations too, which then are given up; may be null.
  const Halt* halt = nullptr;
};

class KickSearch {
 public:
  virtual ~KickSearch() = default;

  /// Improves a feasible solution in place: first by local search everywhere, then by kicks until the budget is spent.
  /// Returns the number of kicks. The result is feasible; rounding apart it is not worse. Solutions may be improved
  /// concurrently.
  virtual std::int64_t run(std::vector<Index>& items, StreamKey key, const KickBudget& spent) const = 0;

  /// From now on, searches that run at once may learn from each other; what they find then depends on their timing.
  virtual void share() {}

  /// Whether threads do better dividing the work on one solution than each going its own way.
  virtual bool divides() const { return false; }
  /// Of a search that divides: whether run_divided is best done by an engine's small searches.
  virtual bool suits([[maybe_unused]] const WindowKicks& engine) const { return false; }
  /// The same by all of the executor's threads, for searches that divide.
  virtual std::int64_t run_divided(std::vector<Index>& items, StreamKey key, const DividedKicks& task,
                                   const Executor& executor) const;
};

}  // namespace moco
