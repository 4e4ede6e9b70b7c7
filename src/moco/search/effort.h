// How much is done for an instance when little is asked for: what `moco solve` and its kin do by default.
#pragma once

#include <cstdint>
#include <optional>

#include "moco/solve.h"

namespace moco {

/// What somebody asks of a search; what they leave open follows from the instance.
struct EffortRequest {
  std::optional<int> steps = {};           ///< K
  std::optional<std::int64_t> kicks = {};  ///< or kKicksUntilTimeLimit, kKicksBySize
  bool plain = false;                      ///< no local search is wanted: the paper's method
  bool timed = false;                      ///< there is a time limit
  bool wants_steps = false;  ///< something is asked for that only the steps of a search by a model can give
  OptionValues own = {};     ///< the problem's options that were given
};

/// K: as asked for; 200 for the plain method and for problems without kicks; where something is wanted that only steps
/// can give, 20 before kicks, or rounds of 200 under a time limit; and 0 where nothing is.
int steps_for(const EffortRequest& request, const Instance& instance);

/// Sets steps, greedy start, kicks and whether time is filled for such instances, and the problem's options where kicks
/// are alone. The local search of the loop is known already.
void set_effort(SolveOptions& options, const EffortRequest& request, const Instance& instance);

}  // namespace moco
