// `moco eval`: a model on a data set, setting after setting.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>

#include <fmt/format.h>

#include "commands.h"
#include "eval_data.h"
#include "eval_outputs.h"
#include "json_output.h"
#include "messages.h"
#include "output_files.h"
#include "processes.h"
#include "progress.h"
#include "record_file.h"
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

/// The files of an evaluation, which grow while it goes on.
class EvalSink {
 public:
  EvalSink(const EvalOutputs& outputs, const EvaluationLabels& labels)
      : per_instance_(outputs.per_instance),
        labels_(labels),
        csv_(outputs.csv, csv_header(labels, outputs.per_instance)),
        json_(outputs.json) {}

  void add(const Setting& setting, const InstanceScore& score) {
    if (per_instance_) {
      csv_.append(csv_score_row(setting, score, labels_));
    }
  }
  void add(const Evaluation& evaluation) {
    if (!per_instance_) {
      csv_.append(csv_summary_row(evaluation, labels_));
    }
    json_.append(json_line(evaluation_json(evaluation, labels_, per_instance_)));
  }
  void finish() {
    csv_.finish();
    json_.finish();
  }

 private:
  bool per_instance_;
  const EvaluationLabels& labels_;
  RecordFile csv_;
  RecordFile json_;
};

/// The instances of a share, with their references.
DataSet part_of(const DataSet& data, Share share) {
  const auto at = [](auto& list, std::size_t place) { return list.begin() + static_cast<std::ptrdiff_t>(place); };
  DataSet part;
  part.instances = {at(data.instances, share.begin), at(data.instances, share.end)};
  part.references = {at(data.references, share.begin), at(data.references, share.end)};
  return part;
}

/// Evaluates a setting in rounds that the processes share; all of them return the whole. `scored` is called in the
/// first process, as soon as that has a score.
Evaluation evaluate_shared(const DataSet& data, Solver& solver, const Setting& setting, const EvaluationOptions& given,
                           Communicator& communicator) {
  if (communicator.size() == 1) {
    return evaluate(data, solver, setting, given);
  }
  const auto begin = std::chrono::steady_clock::now();
  SolveOptions shape = given.search;
  shape.loop.restarts = setting.restarts;
  shape.loop.steps = setting.steps;
  shape.loop.samples = setting.samples;
  const std::size_t chunk = most_of_all(solver.first_batch(data.instances, shape), communicator);
  const Rounds rounds(data.instances.size(), chunk, communicator);
  Evaluation whole;
  for (std::size_t round = 0; round < rounds.count(); ++round) {
    const Share share = rounds.mine(round);
    EvaluationOptions options = given;
    options.scored = {};
    options.search.first_instance = share.begin;
    const Evaluation part = evaluate(part_of(data, share), solver, setting, options);
    whole.setting = part.setting;
    whole.episode_steps = part.episode_steps;
    whole.batch = static_cast<int>(most_of_all(static_cast<std::size_t>(part.batch), communicator));
    whole.engine = solver.engine();
    std::vector<double> mine;  // place, cost, seconds of every instance
    for (std::size_t i = 0; i < part.scores.size(); ++i) {
      mine.insert(mine.end(), {static_cast<double>(share.begin + i), part.scores[i].cost, part.scores[i].seconds});
    }
    const std::vector<double> all = communicator.gather(std::span<const double>(mine));
    for (std::size_t i = 0; i < all.size(); i += 3) {
      const auto place = static_cast<std::size_t>(all[i]);
      whole.scores.push_back(score_of_cost(*data.instances[place], all[i + 1], data.references[place]));
      whole.scores.back().seconds = all[i + 2];
      if (given.scored && communicator.rank() == 0) {
        given.scored(whole.scores.back());
      }
    }
    if (any_of_all(signal_arrived(), communicator)) {
      break;
    }
  }
  whole.asked = data.instances.size();
  whole.whole_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return whole;
}

/// An evaluation that is ready to begin.
struct PreparedEvaluation {
  std::vector<Setting> settings;
  EvalOutputs outputs;
  DataSet data;
  ChosenModel chosen;
  SolveOptions search;
};

PreparedEvaluation prepare_evaluation(const Arguments& arguments, const Communicator& communicator) {
  PreparedEvaluation ready;
  ready.settings = settings_of(arguments);
  ready.outputs = plan_eval_outputs(arguments);
  ready.data = load_data_set(arguments);
  ready.chosen = choose_model(arguments, ready.data.instances, ready.data.distribution);
  if (arguments.flag("curve") && communicator.size() > 1) {
    throw UsageError("eval: --curve is made by one process");
  }
  ready.search = common_search_options(arguments, ready.chosen, ready.data.instances);
  return ready;
}

int eval_in(const Arguments& arguments, Communicator& communicator) {
  const PreparedEvaluation ready =
      prepare_together(communicator, [&] { return prepare_evaluation(arguments, communicator); });
  const std::vector<Setting>& settings = ready.settings;
  const DataSet& data = ready.data;
  const ChosenModel& chosen = ready.chosen;
  const bool first = communicator.rank() == 0;
  const bool quiet = arguments.flag("quiet") || !first;

  EvaluationOptions options;
  options.search = ready.search;
  options.search.interrupted = signal_arrived;
  options.curve = arguments.flag("curve");
  if (arguments.given("time-limit")) {
    options.search.time_limit = arguments.real("time-limit");
    if (!arguments.given("episode-steps")) {
      options.search.loop.episode_steps = 0;  // as in solve: K may be far more than there is time for
    }
  }
  EvaluationLabels labels;
  const Instance& sample = *data.instances.front();
  labels.problem = sample.problem().name();
  labels.objective = sample.problem().objective(sample);
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
  Solver solver = make_solver(arguments, chosen.model, communicator);
  EvalSink sink(ready.outputs, labels);
  std::vector<Evaluation> evaluations;
  for (const Setting& setting : settings) {
    std::size_t done = 0;
    options.scored = [&](const InstanceScore& score) {
      sink.add(setting, score);
      line.show(fmt::format("[{}/{}] M {} K {} b {}  instance {}/{}", evaluations.size() + 1, settings.size(),
                            setting.restarts, setting.steps, setting.samples, ++done, data.instances.size()));
    };
    Evaluation evaluation = evaluate_shared(data, solver, setting, options, communicator);
    line.erase();
    if (evaluation.scores.empty()) {
      break;  // interrupted
    }
    if (first && ready.outputs.table()) {
      write_text("-", (evaluations.empty() ? table_heading(data, labels) + table_columns(labels) : "") +
                          table_row(evaluation, labels));
    }
    if (first) {
      sink.add(evaluation);
    }
    evaluations.push_back(std::move(evaluation));
    if (!evaluations.back().complete() || any_of_all(signal_arrived(), communicator)) {
      break;
    }
  }
  const auto complete = std::ranges::count_if(evaluations, &Evaluation::complete);
  if (first && static_cast<std::size_t>(complete) < settings.size()) {
    say(fmt::format("interrupted; {} of {} settings are complete", complete, settings.size()));
  }
  if (evaluations.empty()) {
    return kExitFailure;
  }
  if (first) {
    sink.finish();
  }
  return kExitSuccess;
}

}  // namespace

int run_eval(const Arguments& arguments) {
  return run_in_processes([&](Communicator& communicator) { return eval_in(arguments, communicator); });
}

}  // namespace moco::cli
