// Planning of the outputs before a search and writing of them after it.
#include "solve_outputs.h"

#include <algorithm>

#include <fmt/format.h>

#include "json_output.h"
#include "moco/core/printable.h"
#include "moco/drawing/sheet.h"
#include "numbers.h"
#include "output_files.h"
#include "picture_output.h"
#include "solution_output.h"

namespace moco::cli {

namespace {

std::string result_line(const Task& task, std::size_t index, const SolveResult& result) {
  const Instance& instance = *task.instances[index];
  std::string work;
  if (task.options.loop.steps > 0) {
    const std::string& local_search = task.options.loop.local_search.name;
    work += fmt::format("  {} steps {}", local_search.empty() ? "plain" : local_search, result.steps);
  }
  if (task.options.kicks != 0) {
    work += fmt::format("  kicks {}", result.kicks);
  }
  return fmt::format("{}  n {}  {}{}  seconds {:.2f}  stop {}\n", printable(instance.name()), instance.size(),
                     format_objective(instance, result.cost), work, result.seconds, name_of(result.stop));
}

PictureCaption caption_of(const Instance& instance, const SolveResult& result) {
  std::string work;
  if (result.steps > 0) {
    work += fmt::format(" · {} steps", result.steps);
  }
  if (result.kicks > 0) {
    work += fmt::format(" · {} kicks", result.kicks);
  }
  const std::string value = format_objective(instance, result.cost);
  return {instance.name(), value, fmt::format("{} · n {}{} · {:.2f} s", value, instance.size(), work, result.seconds)};
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
  const auto files = outputs.files();
  require_outputs({files.begin(), files.end()}, arguments.positionals("FILE"));
  const std::size_t count = task.instances.size();
  if (!outputs.solutions.empty()) {
    outputs.solution_format =
        solution_output_format(outputs.solutions, arguments.text("output-format"), count, task.problem());
  } else if (arguments.given("output-format")) {
    throw UsageError("--output-format needs -o FILE");
  }
  if (!outputs.plot.empty() && count > 1) {
    throw UsageError(fmt::format("--plot draws one instance and there are {}", count));
  }
  if (!outputs.plot.empty()) {
    picture_format(outputs.plot);  // a wrong name is found before the search
  }
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
    write_solution_output(outputs.solutions, outputs.solution_format, solved);
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
    const Instance& instance = *task.instances.front();
    const SolveResult& result = results.front();
    write_picture(outputs.plot,
                  task.problem().draw(instance, result.solution, result.heatmap ? &*result.heatmap : nullptr,
                                      caption_of(instance, result)));
  }
}

}  // namespace moco::cli
