// Stop rules of a search: small, composable, asked after every sampling step.
#pragma once

#include <chrono>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "moco/solve.h"

namespace moco {

/// What a rule may look at.
struct SearchMoment {
  int step = 0;               ///< steps done
  double best = 0.0;          ///< best cost so far
  int since_improvement = 0;  ///< steps since the best changed
  double seconds = 0.0;       ///< since the search began
};

class StopRules {
 public:
  /// Takes the rules set in the options; the number of steps applies unless the search is to fill its time.
  explicit StopRules(const SolveOptions& options);
  /// So many steps, unless interrupted.
  StopRules(int steps, std::function<bool()> interrupted) : steps_(steps), interrupted_(std::move(interrupted)) {}

  /// The reason to stop now, if there is one. When several apply: target, steps, signal, time, no improvement.
  std::optional<StopReason> check(const SearchMoment& moment) const;

  /// Whether a rule looks at costs: the search must then not run ahead of what it has seen.
  bool judges_results() const { return target_ || no_improvement_ > 0; }
  bool interrupted() const { return interrupted_ && interrupted_(); }
  int steps() const { return steps_; }
  double time_limit() const { return time_limit_; }

 private:
  int steps_;
  double time_limit_ = std::numeric_limits<double>::infinity();
  std::optional<double> target_;
  int no_improvement_ = 0;
  std::function<bool()> interrupted_;
};

}  // namespace moco
