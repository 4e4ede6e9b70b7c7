// `moco eval`: a model on a data set, setting after setting.
#include <algorithm>
#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "commands.h"
#include "eval_data.h"
#include "eval_outputs.h"
#include "messages.h"
#include "output_files.h"
#include "progress.h"
#include "search_arguments.h"
#include "signals.h"

namespace moco::cli {

namespace {

/// "32x200x128" as M, K and b.
Setting parse_setting(std::string_view text) {
  Setting setting;
  std::string_view rest = text;
  for (int* number : {&setting.restarts, &setting.steps, &setting.samples}) {
    const bool last = number == &setting.samples;
    const std::size_t end = last ? rest.size() : rest.find('x');
    const std::string_view digits = rest.substr(0, end);
    const auto [stop, code] = std::from_chars(digits.data(), digits.data() + digits.size(), *number);
    if (end == std::string_view::npos || code != std::errc{} || stop != digits.data() + digits.size() || *number < 1) {
      throw UsageError(
          fmt::format("--settings: '{}' is not MxKxb with whole numbers of at least 1, such as 1x200x32", text));
    }
    rest.remove_prefix(last ? end : end + 1);
  }
  return setting;
}

std::vector<Setting> listed_settings(std::string_view list) {
  std::vector<Setting> settings;
  for (const std::string_view part : comma_separated(list)) {
    settings.push_back(parse_setting(part));
  }
  return settings;
}

std::vector<Setting> settings_of(const Arguments& arguments) {
  if (arguments.given("settings")) {
    for (const char* option : {"steps", "samples", "restarts"}) {
      if (arguments.given(option)) {
        throw UsageError(fmt::format("eval: --settings already says what --{} says", option));
      }
    }
    return listed_settings(arguments.text("settings"));
  }
  std::vector<Setting> settings;
  for (const std::int64_t restarts : arguments.integers("restarts")) {
    for (const std::int64_t steps : arguments.integers("steps")) {
      for (const std::int64_t samples : arguments.integers("samples")) {
        settings.push_back({static_cast<int>(restarts), static_cast<int>(steps), static_cast<int>(samples)});
      }
    }
  }
  return settings;
}

/// Where the results go besides the table.
struct EvalOutputs {
  std::string csv;
  std::string json;
  bool per_instance = false;

  bool table() const { return csv != "-" && json != "-"; }
};

EvalOutputs plan_eval_outputs(const Arguments& arguments) {
  EvalOutputs outputs{
      .csv = arguments.text("csv"), .json = arguments.text("json"), .per_instance = arguments.flag("per-instance")};
  if (!outputs.csv.empty() && outputs.csv == outputs.json) {
    throw UsageError(
        fmt::format("two outputs go to {}", outputs.csv == "-" ? "standard output" : "'" + outputs.csv + "'"));
  }
  for (const std::string& file : {outputs.csv, outputs.json}) {
    if (!file.empty() && file != "-") {
      require_writable(file);
    }
  }
  if (outputs.per_instance && outputs.csv.empty() && outputs.json.empty()) {
    throw UsageError("eval: --per-instance needs --json or --csv");
  }
  if (arguments.flag("curve") && outputs.json.empty()) {
    throw UsageError("eval: --curve needs --json");
  }
  if (arguments.flag("curve") && arguments.given("time-limit")) {
    throw UsageError("eval: --curve needs searches of equal length; leave out --time-limit");
  }
  if (arguments.flag("curve") && arguments.given("episode-steps") && arguments.integer("episode-steps") != 0) {
    throw UsageError("eval: --curve is of searches in one piece; leave out --episode-steps");
  }
  return outputs;
}

void write_results(const EvalOutputs& outputs, const std::vector<Evaluation>& evaluations,
                   const EvaluationLabels& labels) {
  if (!outputs.csv.empty()) {
    write_text(outputs.csv, evaluations_csv(evaluations, labels, outputs.per_instance));
  }
  if (!outputs.json.empty()) {
    write_text(outputs.json, evaluations_json(evaluations, labels, outputs.per_instance));
  }
}

}  // namespace

int run_eval(const Arguments& arguments) {
  const std::vector<Setting> settings = settings_of(arguments);
  const EvalOutputs outputs = plan_eval_outputs(arguments);
  const DataSet data = load_data_set(arguments);
  const ChosenModel chosen = choose_model(arguments, data.instances, data.distribution);
  const bool quiet = arguments.flag("quiet");

  EvaluationOptions options;
  options.search = common_search_options(arguments, chosen, data.instances);
  options.search.interrupted = signal_arrived;
  options.curve = arguments.flag("curve");
  if (arguments.given("time-limit")) {
    options.search.time_limit = arguments.real("time-limit");
    if (!arguments.given("episode-steps")) {
      options.search.loop.episode_steps = 0;  // as in solve: K may be far more than there is time for
    }
  }
  EvaluationLabels labels;
  const Instance& first = *data.instances.front();
  labels.problem = first.problem().name();
  labels.objective = first.problem().objective(first);
  labels.data_set = data.description;
  labels.reference = data.reference_source;
  labels.model = chosen.name;
  labels.local_search = options.search.loop.local_search.name;
  labels.polish = options.search.polish;
  labels.options = options.search.loop.problem;
  labels.time_limit = options.search.time_limit;
  labels.seed = options.search.seed;

  catch_signals();
  if (!quiet && !chosen.notice.empty()) {
    say(chosen.notice);
  }
  ProgressLine line(!quiet, labels.objective, {});
  Solver solver = make_solver(arguments, chosen.model);
  std::vector<Evaluation> evaluations;
  for (const Setting& setting : settings) {
    options.advanced = [&](std::size_t done) {
      line.show(fmt::format("[{}/{}] M {} K {} b {}  instance {}/{}", evaluations.size() + 1, settings.size(),
                            setting.restarts, setting.steps, setting.samples, done, data.instances.size()));
    };
    Evaluation evaluation = evaluate(data, solver, setting, options);
    line.erase();
    if (evaluation.scores.empty()) {
      break;  // interrupted
    }
    if (outputs.table()) {
      write_text("-", (evaluations.empty() ? table_heading(data, labels) + table_columns(labels) : "") +
                          table_row(evaluation, labels));
    }
    evaluations.push_back(std::move(evaluation));
    if (!evaluations.back().complete() || signal_arrived()) {
      break;
    }
  }
  const auto complete = std::ranges::count_if(evaluations, &Evaluation::complete);
  if (static_cast<std::size_t>(complete) < settings.size()) {
    say(fmt::format("interrupted; {} of {} settings are complete", complete, settings.size()));
  }
  if (evaluations.empty()) {
    return kExitFailure;
  }
  write_results(outputs, evaluations, labels);
  return kExitSuccess;
}

}  // namespace moco::cli
