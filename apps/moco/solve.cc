// `moco solve`: options to a search, its progress to the terminal, its results to the outputs asked for.
#include "moco/solve.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "commands.h"
#include "declared_options.h"
#include "incumbents.h"
#include "instance_input.h"
#include "messages.h"
#include "moco/search/effort.h"
#include "processes.h"
#include "progress.h"
#include "search_arguments.h"
#include "signals.h"
#include "solve_outputs.h"
#include "trace.h"

namespace moco::cli {

namespace {

/// Since the program was loaded.
double seconds_since_start() {
  static const auto start = std::chrono::steady_clock::now();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Has the clock begin with the program and not with the first question.
[[maybe_unused]] const double clock_begun = seconds_since_start();

/// What checking and writing the results of an instance will take, more or less.
double seconds_to_write(const Arguments& arguments, const Instance& instance) {
  constexpr double kPerNode = 1.5e-7;
  return (arguments.given("json") ? 2.0 : 1.0) * kPerNode * instance.size();
}

/// The cost to stop at; users give the value of the objective.
double target_cost(const Arguments& arguments, const Instance& instance) {
  const double target = arguments.real("target");
  const Objective objective = instance.problem().objective(instance);
  if (objective.maximise && target < 0.0) {
    throw UsageError(fmt::format("--target is the {} of the set for {}, not {}", objective.word,
                                 instance.problem().name(), arguments.text("target")));
  }
  return objective.cost(target);
}

/// The number of kicks asked for, nothing for "auto".
std::optional<std::int64_t> kicks_asked_for(const Arguments& arguments) {
  const std::string text = arguments.text("kicks");
  if (text == "auto") {
    return std::nullopt;
  }
  std::int64_t kicks = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), kicks);
  if (error != std::errc() || end != text.data() + text.size() || kicks < 0) {
    throw UsageError(fmt::format("--kicks is auto or a number of at least 0, not '{}'", text));
  }
  return kicks;
}

/// Whether something was asked for that only the steps of a search can give.
bool asks_for_steps(const Arguments& arguments) {
  constexpr std::array kOptions = {"samples",      "restarts",   "episode-steps", "budget-steps",   "rebuild",
                                   "gradient",     "elite",      "model",         "init",           "rule",
                                   "local-search", "move-limit", "advantage",     "no-improvement", "polish"};
  return std::ranges::any_of(kOptions, [&](const char* name) { return arguments.given(name); }) ||
         std::ranges::any_of(rule_parameters(),
                             [&](const auto& parameter) { return arguments.given(parameter.command_line_name()); }) ||
         !given_option_of_use(arguments, OptionUse::construction).empty() ||
         !given_option_of_use(arguments, OptionUse::local_search).empty();
}

EffortRequest effort_request(const Arguments& arguments, const Problem& problem) {
  EffortRequest request;
  if (arguments.given("steps")) {
    request.steps = static_cast<int>(arguments.integer("steps"));
  }
  request.kicks = kicks_asked_for(arguments);
  request.plain = arguments.text("local-search") == "none";
  request.timed = arguments.given("time-limit");
  request.wants_steps = asks_for_steps(arguments);
  request.own = given_problem_options(arguments, problem, kSearchUses);
  request.own.merge(given_problem_options(arguments, problem, {OptionUse::start}));
  return request;
}

SolveOptions search_options(const Arguments& arguments, const Task& task, const ChosenModel& chosen,
                            const EffortRequest& effort) {
  SolveOptions options = common_search_options(arguments, chosen, task.instances);
  set_effort(options, effort, *task.instances.front());
  options.loop.samples = static_cast<int>(arguments.integer("samples"));
  options.loop.restarts = static_cast<int>(arguments.integer("restarts"));
  if (arguments.given("time-limit")) {
    options.time_limit = arguments.real("time-limit");
    if (task.instances.size() == 1) {  // what reading took is part of it, and what writing will take
      const double aside = seconds_since_start() + seconds_to_write(arguments, *task.instances.front());
      options.time_limit = std::max(options.time_limit - aside, 1e-3);
    }
    if (!arguments.given("episode-steps")) {
      options.loop.episode_steps = 0;  // K may then be far more than there is time for
    }
  }
  if (arguments.given("target")) {
    options.target = target_cost(arguments, *task.instances.front());
  }
  if (arguments.given("no-improvement")) {
    options.no_improvement = static_cast<int>(arguments.integer("no-improvement"));
  }
  if (arguments.given("warm-start")) {
    options.warm_start = load_solutions(arguments.text("warm-start"), task.instances, "");
  }
  options.keep_heatmap = arguments.given("plot");
  return options;
}

/// Solves the instances, in rounds that the processes share, and writes each result as soon as the first process has
/// it.
class SharedSolve {
 public:
  SharedSolve(const Arguments& arguments, Task& task, const Outputs& outputs, const ChosenModel& chosen,
              Communicator& communicator)
      : task_(task),
        outputs_(outputs),
        chosen_(chosen),
        communicator_(communicator),
        first_(communicator.rank() == 0),
        quiet_(arguments.flag("quiet") || !first_),
        names_(names_of(task.instances)),
        line_(!quiet_, task.problem().objective(*task.instances.front()), names_, task.options.time_limit),
        trace_(names_),
        sink_(outputs),
        incumbents_(outputs.incumbents, task.instances),
        solver_(make_solver(arguments, chosen.model, communicator)) {
    task_.options.interrupted = signal_arrived;
  }

  int go() {
    const std::size_t chunk = communicator_.size() == 1
                                  ? task_.instances.size()
                                  : most_of_all(solver_.first_batch(task_.instances, task_.options), communicator_);
    const Rounds rounds(task_.instances.size(), chunk, communicator_);
    for (std::size_t round = 0; round < rounds.count(); ++round) {
      solve_share(rounds.mine(round), round == 0);
      for (ResultTexts& texts : gathered()) {
        sink_.add(texts);
      }
      done_ += static_cast<std::size_t>(sum_of_all(static_cast<double>(std::exchange(found_, 0)), communicator_));
      if (communicator_.size() > 1 && any_of_all(signal_arrived(), communicator_)) {
        break;
      }
    }
    return finish();
  }

 private:
  static std::vector<std::string> names_of(const std::vector<InstancePtr>& instances) {
    std::vector<std::string> names;
    std::ranges::transform(instances, std::back_inserter(names), [](const auto& instance) { return instance->name(); });
    return names;
  }

  void solve_share(Share share, bool first_round) {
    if (share.size() == 0) {
      return;
    }
    SolveOptions options = task_.options;
    options.first_instance = share.begin;
    if (!options.warm_start.empty()) {
      options.warm_start = {task_.options.warm_start.begin() + static_cast<std::ptrdiff_t>(share.begin),
                            task_.options.warm_start.begin() + static_cast<std::ptrdiff_t>(share.end)};
    }
    const bool traced = !outputs_.trace.empty();
    if (line_.active() || traced) {
      options.progress = [&](Progress progress) {
        progress.instance += share.begin;
        line_.update(progress);
        if (traced) {
          trace_.add(progress);
        }
      };
    }
    options.began = [&](std::size_t index, SolvePhase phase) { line_.begin(share.begin + index, phase); };
    if (incumbents_.active()) {
      options.improved = [&](const Incumbent& incumbent) { incumbents_.add(incumbent, seconds_since_start()); };
    }
    options.begun = [&] {
      if (first_round && !chosen_.notice.empty() && !quiet_) {
        say(chosen_.notice);
      }
    };
    options.finished = [&](std::size_t index, const SolveResult& result) { take(share.begin + index, result); };
    solver_.solve(std::span(task_.instances).subspan(share.begin, share.size()), options);
  }

  void take(std::size_t index, const SolveResult& result) {
    ++found_;
    line_.erase();
    ResultTexts texts = texts_of(outputs_, task_, index, result, trace_.take_rows());
    if (communicator_.size() == 1) {
      sink_.add(texts);
    } else {
      waiting_.insert(waiting_.end(), {std::move(texts.line), std::move(texts.json), std::move(texts.solution),
                                       std::move(texts.trace)});
    }
    write_plot(outputs_, task_, result);
    if (!result.feasible) {
      infeasible_ = true;
      say(fmt::format("{}: the solution found is infeasible: {}", task_.instances[index]->name(),
                      task_.instances[index]->check(result.solution).violation));
    }
  }

  /// The results of a round of several processes, in the order of the instances; only the first process writes them.
  std::vector<ResultTexts> gathered() {
    std::vector<ResultTexts> all;
    if (communicator_.size() > 1) {
      const std::vector<std::string> texts = communicator_.gather(std::span<const std::string>(waiting_));
      waiting_.clear();
      for (std::size_t i = 0; first_ && i < texts.size(); i += 4) {
        all.push_back({texts[i], texts[i + 1], texts[i + 2], texts[i + 3]});
      }
    }
    return all;
  }

  int finish() {
    if (first_) {
      sink_.finish();
    }
    if (done_ == 0) {
      if (first_) {
        say("interrupted before the search began; nothing to write");
      }
      return kExitFailure;
    }
    if (done_ < task_.instances.size() && !quiet_) {
      say(fmt::format("interrupted; {} of {} instances were not begun", task_.instances.size() - done_,
                      task_.instances.size()));
    }
    return infeasible_ ? kExitFailure : kExitSuccess;
  }

  Task& task_;
  const Outputs& outputs_;
  const ChosenModel& chosen_;
  Communicator& communicator_;
  bool first_;  ///< of the processes
  bool quiet_;
  std::vector<std::string> names_;
  ProgressLine line_;
  Trace trace_;
  ResultSink sink_;
  IncumbentFile incumbents_;
  Solver solver_;
  std::vector<std::string> waiting_;  ///< four texts of each result of this round
  std::size_t found_ = 0;             ///< by this process in this round
  std::size_t done_ = 0;              ///< by all processes
  bool infeasible_ = false;
};

/// A search that is ready to begin.
struct PreparedSolve {
  Task task;
  ChosenModel chosen;
  Outputs outputs;
};

PreparedSolve prepare_solve(const Arguments& arguments, const Communicator& communicator) {
  Task task;
  {
    ProgressLine reading(!arguments.flag("quiet") && communicator.rank() == 0, {}, {});
    reading.show("reading");
    task.instances = load_data_files(arguments.positionals("FILE"), arguments);
  }
  const EffortRequest effort = effort_request(arguments, task.problem());
  ChosenModel chosen = steps_for(effort, *task.instances.front()) > 0
                           ? choose_model(arguments, task.instances)
                           : ChosenModel{"none", adam_model(task.problem().family()), ""};
  task.model_name = chosen.name;
  task.options = search_options(arguments, task, chosen, effort);
  Outputs outputs = plan_outputs(arguments, task);
  if (!outputs.incumbents.empty() && communicator.size() > 1) {
    throw UsageError("--incumbents is written by one process");
  }
  return {std::move(task), std::move(chosen), std::move(outputs)};
}

int solve_in(const Arguments& arguments, Communicator& communicator) {
  PreparedSolve ready = prepare_together(communicator, [&] { return prepare_solve(arguments, communicator); });
  catch_signals();
  return SharedSolve(arguments, ready.task, ready.outputs, ready.chosen, communicator).go();
}

}  // namespace

int run_solve(const Arguments& arguments) {
  return run_in_processes([&](Communicator& communicator) { return solve_in(arguments, communicator); });
}

}  // namespace moco::cli
