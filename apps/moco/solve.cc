// `moco solve`: options to a search, its progress to the terminal, its results to the outputs asked for.
#include "moco/solve.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <optional>

#include <fmt/format.h>

#include "commands.h"
#include "declared_options.h"
#include "instance_input.h"
#include "messages.h"
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

std::vector<InstancePtr> load_all(const Arguments& arguments) {
  std::vector<InstancePtr> instances;
  for (const std::string& file : arguments.positionals("FILE")) {
    const auto loaded = load_instances(file, arguments);
    if (loaded.empty()) {
      throw UsageError(fmt::format("{}: no instance in this file", file));
    }
    if (!instances.empty() && &loaded.front()->problem() != &instances.front()->problem()) {
      throw UsageError(fmt::format("{} is for {}, the files before it for {}: solve one problem at a time", file,
                                   loaded.front()->problem().name(), instances.front()->problem().name()));
    }
    instances.insert(instances.end(), loaded.begin(), loaded.end());
  }
  return instances;
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
  constexpr std::array kOptions = {"samples",   "restarts",       "episode-steps", "gradient",
                                   "pool",      "model",          "learning-rate", "move-limit",
                                   "advantage", "no-improvement", "polish",        "local-search"};
  return std::ranges::any_of(kOptions, [&](const char* name) { return arguments.given(name); }) ||
         !given_option_of_use(arguments, OptionUse::construction).empty() ||
         !given_option_of_use(arguments, OptionUse::local_search).empty();
}

int steps_of(const Arguments& arguments, const Instance& instance) {
  constexpr int kPlainSteps = 200;
  constexpr int kSteps = 20;  // before kicks
  if (arguments.given("steps")) {
    return static_cast<int>(arguments.integer("steps"));
  }
  const bool kicks_only = instance.problem().effort(instance).kicks > 0;
  if (arguments.text("local-search") == "none" || !kicks_only) {
    return kPlainSteps;
  }
  return asks_for_steps(arguments) ? kSteps : 0;
}

/// Kicks, and what else depends on whether the search is the plain method.
void set_effort(const Arguments& arguments, const Task& task, SolveOptions& options) {
  const bool plain = options.loop.local_search.name.empty();
  const bool timed = arguments.given("time-limit") && !arguments.given("steps");
  const std::optional<std::int64_t> kicks = kicks_asked_for(arguments);
  options.loop.steps = steps_of(arguments, *task.instances.front());
  options.greedy_start = !plain || options.loop.steps == 0;
  options.kicks = kicks.value_or(plain ? 0 : timed ? kKicksUntilTimeLimit : kKicksBySize);
  options.repeat = timed && plain && options.kicks == 0;
  if (options.loop.steps == 0) {
    OptionValues own = task.problem().effort(*task.instances.front()).without_steps;
    options.loop.problem = own.merge(given_problem_options(arguments, task.problem(), kAllUses));
  }
}

SolveOptions search_options(const Arguments& arguments, const Task& task, const ChosenModel& chosen) {
  SolveOptions options = common_search_options(arguments, chosen, task.instances);
  set_effort(arguments, task, options);
  options.loop.samples = static_cast<int>(arguments.integer("samples"));
  options.loop.restarts = static_cast<int>(arguments.integer("restarts"));
  if (arguments.given("time-limit")) {
    options.time_limit = arguments.real("time-limit");
    if (task.instances.size() == 1) {  // what reading took is part of it
      options.time_limit = std::max(options.time_limit - seconds_since_start(), 1e-3);
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

/// Notes what a complete run would not have: infeasible results and instances that were not begun.
int verdict(const Task& task, const std::vector<SolveResult>& results, bool quiet) {
  if (results.size() < task.instances.size() && !quiet) {
    say(fmt::format("interrupted; {} of {} instances were not begun", task.instances.size() - results.size(),
                    task.instances.size()));
  }
  const auto bad = std::ranges::find(results, false, &SolveResult::feasible);
  if (bad != results.end()) {
    const auto i = static_cast<std::size_t>(bad - results.begin());
    say(fmt::format("{}: the solution found is infeasible: {}", task.instances[i]->name(),
                    task.instances[i]->check(bad->solution).violation));
    return kExitFailure;
  }
  return kExitSuccess;
}

}  // namespace

int run_solve(const Arguments& arguments) {
  Task task;
  task.instances = load_all(arguments);
  const ChosenModel chosen = steps_of(arguments, *task.instances.front()) > 0
                                 ? choose_model(arguments, task.instances)
                                 : ChosenModel{"none", adam_model(task.problem().family()), ""};
  task.model_name = chosen.name;
  task.options = search_options(arguments, task, chosen);
  const Outputs outputs = plan_outputs(arguments, task);

  std::vector<std::string> names;
  std::ranges::transform(task.instances, std::back_inserter(names),
                         [](const auto& instance) { return instance->name(); });
  const bool quiet = arguments.flag("quiet");
  ProgressLine line(!quiet, task.problem().objective(*task.instances.front()), names, task.options.time_limit);
  Trace trace(names);
  const bool traced = !outputs.trace.empty();
  if (line.active() || traced) {
    task.options.progress = [&](const Progress& progress) {
      line.update(progress);
      if (traced) {
        trace.add(progress);
      }
    };
  }
  task.options.interrupted = signal_arrived;
  task.options.begun = [&] {
    if (!chosen.notice.empty() && !quiet) {
      say(chosen.notice);
    }
  };
  task.options.finished = [&](std::size_t index, const SolveResult& result) {
    line.erase();
    print_result(outputs, task, index, result);
  };
  catch_signals();
  Solver solver = make_solver(arguments, chosen.model);
  const auto results = solver.solve(task.instances, task.options);
  if (results.empty()) {
    say("interrupted before the search began; nothing to write");
    return kExitFailure;
  }
  write_outputs(outputs, task, results, trace.csv());
  return verdict(task, results, quiet);
}

}  // namespace moco::cli
