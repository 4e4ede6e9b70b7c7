// Reading and writing of solution files: chooses the format and calls its reader or writer.
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "moco/core/files.h"
#include "moco/error.h"
#include "moco/io.h"
#include "moco/problems/detect.h"
#include "moco/problems/solution_formats.h"

namespace moco {

namespace {

bool holds_many(SolutionFormat format) {
  return format == SolutionFormat::json || format == SolutionFormat::csv;
}

/// Throws when a format cannot hold solutions of these instances.
void require_suitable(SolutionFormat format, std::size_t count, const Instance& first) {
  if (count != 1 && !holds_many(format)) {
    throw OptionError(fmt::format("format {} holds one solution a file, not {}", to_string(format), count));
  }
  if (format == SolutionFormat::tour && first.problem() != "tsp") {
    throw OptionError(
        fmt::format("format tour holds tsp solutions, but '{}' is a {} instance", first.name(), first.problem()));
  }
  if (format == SolutionFormat::kamis && first.problem() != "mis") {
    throw OptionError(
        fmt::format("format kamis holds mis solutions, but '{}' is a {} instance", first.name(), first.problem()));
  }
}

}  // namespace

std::vector<Solution> parse_solutions(std::string_view content, std::string_view name,
                                      std::span<const InstancePtr> instances, SolutionFormat format) {
  if (instances.empty()) {
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
    format = solution_format_of_content(content, *instances.front());
  }
  require_suitable(format, instances.size(), *instances.front());
  std::vector<Solution> solutions;
  switch (format) {
    case SolutionFormat::tour:
      solutions = {parse_tour(content, name, *instances.front())};
      break;
    case SolutionFormat::kamis:
      solutions = {parse_kamis(content, name, *instances.front())};
      break;
    case SolutionFormat::json:
      solutions = parse_json(content, name, instances);
      break;
    case SolutionFormat::csv:
      solutions = parse_solution_csv(content, name, instances);
      break;
    case SolutionFormat::node_list:
    case SolutionFormat::automatic:
      solutions = {parse_node_list(content, name)};
      break;
  }
  for (std::size_t i = 0; i < solutions.size(); ++i) {
    if (instances[i]->problem() == "mis") {
      std::sort(solutions[i].items.begin(), solutions[i].items.end());
    }
  }
  return solutions;
}

std::vector<Solution> read_solutions(const std::filesystem::path& file, std::span<const InstancePtr> instances,
                                     SolutionFormat format) {
  return parse_solutions(read_file(file), file.string(), instances, format);
}

std::string format_solutions(std::span<const SolvedInstance> solved, SolutionFormat format) {
  if (solved.empty()) {
    throw OptionError("there is no solution to write");
  }
  if (format == SolutionFormat::automatic) {
    format = SolutionFormat::json;
  }
  require_suitable(format, solved.size(), *solved.front().instance);
  switch (format) {
    case SolutionFormat::tour:
      return format_tour(solved.front());
    case SolutionFormat::node_list:
      return format_node_list(solved.front());
    case SolutionFormat::kamis:
      return format_kamis(solved.front());
    case SolutionFormat::csv:
      return format_solution_csv(solved);
    case SolutionFormat::json:
    case SolutionFormat::automatic:
      break;
  }
  return format_json(solved);
}

void write_solutions(const std::filesystem::path& file, std::span<const SolvedInstance> solved, SolutionFormat format) {
  if (format == SolutionFormat::automatic) {
    format = solution_format_to_write(file.string());
  }
  if (format == SolutionFormat::automatic) {
    throw OptionError(fmt::format("the name '{}' does not tell the format to write; say which, or use one of {}",
                                  file.string(), written_solution_extensions()));
  }
  write_file(file, format_solutions(solved, format));
}

}  // namespace moco
