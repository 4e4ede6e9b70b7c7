// The lines of a file of references, before they are given to instances.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "moco/instance.h"

namespace moco {

/// A line of the file that gives a value.
struct ReferenceEntry {
  std::int64_t line = 0;
  std::string name;  ///< empty: it belongs to the instance of the same number
  double value = 0.0;
  std::optional<std::int64_t> nodes;
  std::optional<std::int64_t> edges;
};

/// Cost of a reference solution as the checker computes it. Throws InputError when it is infeasible.
double reference_solution_cost(const Instance& instance, const Solution& solution, std::string_view file,
                               std::int64_t line);

/// A table: a value a line; a name and a value; "name n m value …"; or columns named by a header.
std::vector<ReferenceEntry> parse_reference_table(std::string_view content, std::string_view file);

/// JSON Lines: numbers, or objects with an optional name and a value or a solution, whose cost is then the value.
std::vector<ReferenceEntry> parse_reference_json(std::string_view content, std::string_view file,
                                                 std::span<const InstancePtr> instances);

}  // namespace moco
