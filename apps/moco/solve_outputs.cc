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
#include "trace.h"

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

}  // namespace

bool Outputs::use_standard_output() const {
  const auto all = files();
  return std::ranges::find(all, "-") != all.end();
}

Outputs plan_outputs(const Arguments& arguments, const Task& task) {
  Outputs outputs{.solutions = arguments.text("output"),
                  .json = arguments.text("json"),
                  .trace = arguments.text("trace"),
                  .plot = arguments.text("plot"),
                  .incumbents = arguments.text("incumbents")};
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

ResultTexts texts_of(const Outputs& outputs, const Task& task, std::size_t index, const SolveResult& result,
                     std::string trace) {
  ResultTexts texts;
  if (!outputs.use_standard_output()) {
    texts.line = result_line(task, index, result);
  }
  if (!outputs.json.empty()) {
    texts.json = json_line(result_json(*task.instances[index], result, task.options, task.model_name));
  }
  if (!outputs.solutions.empty()) {
    const SolvedInstance solved{task.instances[index], result.solution};
    texts.solution = format_solutions({&solved, 1}, outputs.solution_format);
    if (outputs.solution_format == SolutionFormat::csv) {  // its header stands once, before all
      texts.solution.erase(0, texts.solution.find('\n') + 1);
    }
  }
  texts.trace = std::move(trace);
  return texts;
}

ResultSink::ResultSink(const Outputs& outputs)
    : lines_("-"),
      json_(outputs.json),
      solutions_(outputs.solutions,
                 outputs.solution_format == SolutionFormat::csv ? fmt::format("{}\n", kSolutionCsvHeader) : ""),
      trace_(outputs.trace, Trace::header()) {}

void ResultSink::add(const ResultTexts& texts) {
  if (!texts.line.empty()) {
    lines_.append(texts.line);
  }
  json_.append(texts.json);
  solutions_.append(texts.solution);
  trace_.append(texts.trace);
}

void ResultSink::finish() {
  for (RecordFile* file : {&json_, &solutions_, &trace_}) {
    file->finish();
  }
}

void write_plot(const Outputs& outputs, const Task& task, const SolveResult& result) {
  if (!outputs.plot.empty()) {
    const Instance& instance = *task.instances.front();
    write_picture(outputs.plot,
                  task.problem().draw(instance, result.solution, result.heatmap ? &*result.heatmap : nullptr,
                                      caption_of(instance, result)));
  }
}

}  // namespace moco::cli
