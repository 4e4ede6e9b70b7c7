// Solution files: what they say of an instance, and the readers and writers of the single formats.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "moco/data.h"
#include "moco/format.h"
#include "moco/types.h"

namespace moco {

/// What a solution file needs to know of an instance.
struct SolutionTarget {
  std::string name;
  Index size = 0;
  SolutionShape shape = SolutionShape::order;
  std::span<const std::string> labels;  ///< what its nodes are called; empty: 0 … n−1
};

/// A solution with what some formats say about it.
struct SolutionRecord {
  SolutionTarget target;
  const Solution* solution = nullptr;
  std::string problem;
  std::optional<double> cost;  ///< nothing when it is not feasible
};

/// The solutions of a file's content, plain or gzip-compressed, one per target and in their order; sets are sorted.
/// With `automatic` the name's extension and then the content decide. Throws InputError where the file is malformed,
/// and OptionError where the format cannot hold solutions of the targets.
std::vector<Solution> parse_solution_data(std::string_view content, std::string_view name,
                                          std::span<const SolutionTarget> targets, SolutionFormat format);
/// The whole file of these solutions; `automatic` is JSON. Throws OptionError where the format cannot hold them.
std::string format_solution_data(std::span<const SolutionRecord> records, SolutionFormat format);

// One solution a file.
std::string format_tour(const SolutionRecord& record);
std::string format_node_list(const SolutionRecord& record);
std::string format_kamis(const SolutionRecord& record);
Solution parse_tour(std::string_view content, std::string_view file, const SolutionTarget& target);
Solution parse_node_list(std::string_view content, std::string_view file, const SolutionTarget& target);
Solution parse_kamis(std::string_view content, std::string_view file, const SolutionTarget& target);

// Any number of them.
std::string format_json(std::span<const SolutionRecord> records);
std::string format_solution_csv(std::span<const SolutionRecord> records);
std::vector<Solution> parse_json(std::string_view content, std::string_view file,
                                 std::span<const SolutionTarget> targets);
std::vector<Solution> parse_solution_csv(std::string_view content, std::string_view file,
                                         std::span<const SolutionTarget> targets);

}  // namespace moco
