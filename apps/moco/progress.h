// The progress line of `moco solve`.
#pragma once

#include <chrono>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "moco/problem.h"
#include "moco/solve.h"

namespace moco::cli {

/// Rewrites one line on standard error, at most ten times a second, and erases it at the end. Does nothing unless
/// standard error is a terminal.
class ProgressLine {
 public:
  /// `names` are the instances in the order of the search; `time_limit` is in seconds per instance.
  ProgressLine(bool wanted, const Objective& objective, std::vector<std::string> names,
               double time_limit = std::numeric_limits<double>::infinity());
  ~ProgressLine() { erase(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  bool active() const { return active_; }
  void update(const Progress& progress);
  /// Shows what is being done with an instance before its search.
  void begin(std::size_t instance, SolvePhase phase);
  /// Shows a text of the caller's instead.
  void show(std::string_view text);
  void erase();

 private:
  std::string shown_name(std::size_t instance) const;
  std::string line(const Progress& progress) const;

  bool active_;
  bool shown_ = false;
  Objective objective_;
  std::vector<std::string> names_;
  double time_limit_;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace moco::cli
