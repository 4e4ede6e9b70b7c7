// Which instances the problems make of data, and the data of instances: the only place that knows both.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "moco/formats/solution_formats.h"
#include "moco/instance.h"

namespace moco {

/// What a problem needs; nothing for an empty name. Throws OptionError for one that is not known.
std::optional<DataKind> kind_needed(std::string_view problem);

/// An instance of the problem, or where that is empty of the one that the data suit. A reference solution that is none
/// of this problem is left out, with a warning; `file` stands for where the data come from.
InstancePtr make_instance(InstanceData data, std::string_view problem, std::string_view file,
                          std::vector<std::string>& warnings);

/// What make_instance would make the same instance of.
InstanceData data_of(const Instance& instance);

SolutionShape solution_shape(const Instance& instance);

}  // namespace moco
