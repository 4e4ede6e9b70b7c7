// Reading and writing of solution files: chooses the format and calls its reader or writer.
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "moco/core/files.h"
#include "moco/error.h"
#include "moco/formats/detect.h"
#include "moco/formats/solution_formats.h"

namespace moco {

namespace {

bool holds_many(SolutionFormat format) {
  return format == SolutionFormat::json || format == SolutionFormat::csv;
}

/// Throws when a format cannot hold solutions of these instances.
void require_suitable(SolutionFormat format, std::size_t count, const SolutionTarget& first) {
  if (count != 1 && !holds_many(format)) {
    throw OptionError(fmt::format("format {} holds one solution a file, not {}", to_string(format), count));
  }
  if (format == SolutionFormat::tour && first.shape != SolutionShape::order) {
    throw OptionError(
        fmt::format("format tour holds cities in order, but solutions of '{}' are sets of nodes", first.name));
  }
  if (format == SolutionFormat::kamis && first.shape != SolutionShape::subset) {
    throw OptionError(
        fmt::format("format kamis holds sets of nodes, but solutions of '{}' are cities in order", first.name));
  }
}

std::vector<Solution> parse_as(SolutionFormat format, std::string_view content, std::string_view name,
                               std::span<const SolutionTarget> targets) {
  switch (format) {
    case SolutionFormat::tour:
      return {parse_tour(content, name, targets.front())};
    case SolutionFormat::kamis:
      return {parse_kamis(content, name, targets.front())};
    case SolutionFormat::json:
      return parse_json(content, name, targets);
    case SolutionFormat::csv:
      return parse_solution_csv(content, name, targets);
    case SolutionFormat::node_list:
    case SolutionFormat::automatic:
      break;
  }
  return {parse_node_list(content, name, targets.front())};
}

}  // namespace

std::vector<Solution> parse_solution_data(std::string_view content, std::string_view name,
                                          std::span<const SolutionTarget> targets, SolutionFormat format) {
  if (targets.empty()) {
    throw OptionError("there is no instance to read solutions for");
  }
  std::string unpacked;
  if (is_gzip(content)) {
    unpacked = gunzip(content, name);
    content = unpacked;
  }
  if (format == SolutionFormat::automatic) {
    format = solution_format_of_extension(format_extension(name));
  }
  if (format == SolutionFormat::automatic) {
    format = solution_format_of_content(content, targets.front());
  }
  require_suitable(format, targets.size(), targets.front());
  std::vector<Solution> solutions = parse_as(format, content, name, targets);
  for (std::size_t i = 0; i < solutions.size(); ++i) {
    if (targets[i].shape == SolutionShape::subset) {
      std::ranges::sort(solutions[i].items);
    }
  }
  return solutions;
}

std::string format_solution_data(std::span<const SolutionRecord> records, SolutionFormat format) {
  if (records.empty()) {
    throw OptionError("there is no solution to write");
  }
  if (format == SolutionFormat::automatic) {
    format = SolutionFormat::json;
  }
  require_suitable(format, records.size(), records.front().target);
  switch (format) {
    case SolutionFormat::tour:
      return format_tour(records.front());
    case SolutionFormat::node_list:
      return format_node_list(records.front());
    case SolutionFormat::kamis:
      return format_kamis(records.front());
    case SolutionFormat::csv:
      return format_solution_csv(records);
    case SolutionFormat::json:
    case SolutionFormat::automatic:
      break;
  }
  return format_json(records);
}

}  // namespace moco
