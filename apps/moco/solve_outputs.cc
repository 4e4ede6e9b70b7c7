// Planning of the outputs before a search and writing of them after it.
#include "solve_outputs.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "instance_input.h"
#include "json_output.h"
#include "numbers.h"
#include "output_files.h"
#include "plot.h"

namespace moco::cli {

namespace {

SolutionFormat format_of_name(const std::string& file) {
  std::string extension = std::filesystem::path(file).extension().string();
  if (extension == ".gz") {
    extension = std::filesystem::path(file).stem().extension().string();
  }
  if (file == "-" || extension == ".json" || extension == ".jsonl") {
    return SolutionFormat::json;
  }
  if (extension == ".csv") {
    return SolutionFormat::csv;
  }
  return extension == ".tour" ? SolutionFormat::tour : SolutionFormat::node_list;
}

/// Refuses outputs that overwrite each other or an input, or that cannot be written.
void require_distinct(const Outputs& outputs, const std::vector<std::string>& inputs) {
  std::vector<std::string> seen;
  for (const std::string& file : outputs.files()) {
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
      throw UsageError(fmt::format("cannot write '{}': it is an input of this search", file));
    }
  }
}

std::string result_line(const Task& task, std::size_t index, const SolveResult& result) {
  const Instance& instance = *task.instances[index];
  return fmt::format("{}  n {}  {}  steps {}  seconds {:.2f}  stop {}\n", instance.name(), instance.size(),
                     format_objective(task.problem, result.cost), result.steps, result.seconds, to_string(result.stop));
}

std::string result_json_line(const Task& task, std::size_t index, const SolveResult& result) {
  return json_line(result_json(*task.instances[index], result, task.options, task.model_name));
}

}  // namespace

bool Outputs::use_standard_output() const {
  const auto all = files();
  return std::ranges::find(all, "-") != all.end();
}

Outputs plan_outputs(const Arguments& arguments, const Task& task) {
  Outputs outputs{.solutions = arguments.text("output"),
                  .json = arguments.text("json"),
                  .trace = arguments.text("trace"),
                  .plot = arguments.text("plot")};
  const std::size_t count = task.instances.size();
  if (!outputs.solutions.empty()) {
    outputs.solution_format = solution_format_named(arguments.text("output-format"));
    if (outputs.solution_format == SolutionFormat::automatic) {
      outputs.solution_format = format_of_name(outputs.solutions);
    }
    const SolutionFormat format = outputs.solution_format;
    if (count > 1 && format != SolutionFormat::json && format != SolutionFormat::csv) {
      throw UsageError(fmt::format("format {} holds one solution and there are {} instances; use .json or .csv for {}",
                                   to_string(format), count, outputs.solutions));
    }
    if ((format == SolutionFormat::tour && task.problem != "tsp") ||
        (format == SolutionFormat::kamis && task.problem != "mis")) {
      throw UsageError(fmt::format("format {} cannot hold solutions of {}", to_string(format), task.problem));
    }
  } else if (arguments.given("output-format")) {
    throw UsageError("--output-format needs -o FILE");
  }
  if (!outputs.plot.empty() && count > 1) {
    throw UsageError(fmt::format("--plot draws one instance and there are {}", count));
  }
  require_distinct(outputs, arguments.positionals("FILE"));
  return outputs;
}

void print_result(const Outputs& outputs, const Task& task, std::size_t index, const SolveResult& result) {
  if (outputs.json == "-") {
    write_text("-", result_json_line(task, index, result));
  } else if (!outputs.use_standard_output()) {
    write_text("-", result_line(task, index, result));
  }
}

void write_outputs(const Outputs& outputs, const Task& task, const std::vector<SolveResult>& results,
                   const std::string& trace) {
  if (!outputs.solutions.empty()) {
    std::vector<SolvedInstance> solved;
    for (std::size_t i = 0; i < results.size(); ++i) {
      solved.push_back({task.instances[i], results[i].solution});
    }
    if (outputs.solutions == "-") {
      write_text("-", format_solutions(solved, outputs.solution_format));
    } else {
      write_solutions(outputs.solutions, solved, outputs.solution_format);
    }
  }
  if (!outputs.json.empty() && outputs.json != "-") {
    std::string lines;
    for (std::size_t i = 0; i < results.size(); ++i) {
      lines += result_json_line(task, i, results[i]);
    }
    write_text(outputs.json, lines);
  }
  if (!outputs.trace.empty()) {
    write_text(outputs.trace, trace);
  }
  if (!outputs.plot.empty()) {
    write_text(outputs.plot, plot_svg(*task.instances.front(), results.front()));
  }
}

}  // namespace moco::cli
