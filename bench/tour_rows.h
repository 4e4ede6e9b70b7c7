// Instances and seconds of the benchmarks of tours.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "moco/instance.h"

namespace moco {

struct TourRow {
  std::string name;
  std::vector<InstancePtr> instances;
  std::optional<double> best;  ///< length that is known to be reached
};

/// At most so many instances: of a file, FILE=LENGTH for one whose best length is known, or KIND:NODES:COUNT for
/// generated ones.
TourRow tour_row(const std::string& argument, std::size_t most);

/// Processor seconds of this thread.
double thread_seconds();

}  // namespace moco
