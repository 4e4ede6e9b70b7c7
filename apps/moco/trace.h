// The trace of a search as CSV.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "moco/solve.h"

namespace moco::cli {

/// Collects the steps of all instances.
class Trace {
 public:
  /// `names` are the instances in the order of the search.
  explicit Trace(const std::vector<std::string>& names);

  void add(const Progress& progress);
  /// The whole file: a header and one row per step.
  const std::string& csv() const { return csv_; }

 private:
  std::vector<std::string> names_;
  std::string csv_;
};

}  // namespace moco::cli
