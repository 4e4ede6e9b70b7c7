// The trace of a search as CSV.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "moco/solve.h"

namespace moco::cli {

/// Collects the steps of all instances.
class Trace {
 public:
  static std::string header();

  /// `names` are the instances in the order of the search.
  explicit Trace(const std::vector<std::string>& names);

  /// A row per step, and one per improvement during kicks.
  void add(const Progress& progress);
  /// The rows since the last call.
  std::string take_rows() { return std::exchange(rows_, {}); }

 private:
  std::vector<std::string> names_;
  std::string rows_;
  std::vector<double> kicked_best_;  ///< of each instance's last row of kicks
};

}  // namespace moco::cli
