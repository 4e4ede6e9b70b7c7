// Choice of format by name, checks, atomic writing.
#include "solution_output.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "instance_input.h"
#include "moco/formats/detect.h"
#include "output_files.h"

namespace moco::cli {

namespace {

SolutionFormat format_of_name(const std::string& file) {
  if (file == "-") {
    return SolutionFormat::json;
  }
  const SolutionFormat format = solution_format_to_write(file);
  if (format == SolutionFormat::automatic) {
    throw UsageError(fmt::format("the name '{}' does not tell the format to write; use one of {}, or --output-format",
                                 file, written_solution_extensions()));
  }
  return format;
}

}  // namespace

SolutionFormat solution_output_format(const std::string& file, const std::string& format_name, std::size_t count,
                                      const Problem& problem) {
  SolutionFormat format = solution_format_named(format_name);
  if (format == SolutionFormat::automatic) {
    format = format_of_name(file);
  }
  if (count > 1 && format != SolutionFormat::json && format != SolutionFormat::csv) {
    throw UsageError(fmt::format("format {} holds one solution and there are {} instances; use .json or .csv for {}",
                                 to_string(format), count, file));
  }
  const bool order = problem.solution_shape() == SolutionShape::order;
  if ((format == SolutionFormat::tour && !order) || (format == SolutionFormat::kamis && order)) {
    throw UsageError(fmt::format("format {} cannot hold solutions of {}", to_string(format), problem.name()));
  }
  return format;
}

void require_outputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs) {
  std::vector<std::string> seen;
  for (const std::string& file : outputs) {
    if (file.empty()) {
      continue;
    }
    if (std::ranges::find(seen, file) != seen.end()) {
      throw UsageError(
          fmt::format("two outputs go to {}", file == "-" ? "standard output" : fmt::format("'{}'", file)));
    }
    seen.push_back(file);
    if (file == "-") {
      continue;
    }
    require_writable(file);
    const bool is_input = std::ranges::any_of(inputs, [&](const std::string& input) {
      std::error_code error;
      return std::filesystem::is_regular_file(file, error) && std::filesystem::equivalent(file, input, error);
    });
    if (is_input) {
      throw UsageError(fmt::format("cannot write '{}': it is an input of this command", file));
    }
  }
}

void write_solution_output(const std::string& file, SolutionFormat format, const std::vector<SolvedInstance>& solved) {
  if (file == "-") {
    write_text("-", format_solutions(solved, format));
  } else {
    write_solutions(file, solved, format);
  }
}

}  // namespace moco::cli
