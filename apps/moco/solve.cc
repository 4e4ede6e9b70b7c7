// `moco solve`: options to a search, its progress to the terminal, its results to the outputs asked for.
#include "moco/solve.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "commands.h"
#include "instance_input.h"
#include "messages.h"
#include "progress.h"
#include "search_arguments.h"
#include "signals.h"
#include "solve_outputs.h"
#include "trace.h"

namespace moco::cli {

namespace {

std::vector<InstancePtr> load_all(const Arguments& arguments) {
  std::vector<InstancePtr> instances;
  for (const std::string& file : arguments.positionals("FILE")) {
    const auto loaded =
        load_instances(file, arguments.text("format"), arguments.text("problem"), arguments.flag("quiet"));
    if (loaded.empty()) {
      throw UsageError(fmt::format("{}: no instance in this file", file));
    }
    if (!instances.empty() && loaded.front()->problem() != instances.front()->problem()) {
      throw UsageError(fmt::format("{} is for {}, the files before it for {}: solve one problem at a time", file,
                                   loaded.front()->problem(), instances.front()->problem()));
    }
    instances.insert(instances.end(), loaded.begin(), loaded.end());
  }
  return instances;
}

/// The cost to stop at; users give a set's size for mis, whose cost is minus that.
double target_cost(const Arguments& arguments, const std::string& problem) {
  const double target = arguments.real("target");
  if (problem != "mis") {
    return target;
  }
  if (target < 0.0) {
    throw UsageError(fmt::format("--target is the size of the set for mis, not {}", arguments.text("target")));
  }
  return -target;
}

SolveOptions search_options(const Arguments& arguments, const Task& task, const ChosenModel& chosen) {
  SolveOptions options = common_search_options(arguments, chosen, task.instances);
  options.loop.steps = static_cast<int>(arguments.integer("steps"));
  options.loop.samples = static_cast<int>(arguments.integer("samples"));
  options.loop.restarts = static_cast<int>(arguments.integer("restarts"));
  if (arguments.given("time-limit")) {
    options.time_limit = arguments.real("time-limit");
    if (!arguments.given("episode-steps")) {
      options.loop.episode_steps = 0;  // K may then be far more than there is time for
    }
  }
  if (arguments.given("target")) {
    options.target = target_cost(arguments, task.problem);
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
  task.problem = task.instances.front()->problem();
  const ChosenModel chosen = choose_model(arguments, task.instances);
  task.model_name = chosen.name;
  task.model = chosen.model;
  task.options = search_options(arguments, task, chosen);
  const Outputs outputs = plan_outputs(arguments, task);

  std::vector<std::string> names;
  std::ranges::transform(task.instances, std::back_inserter(names),
                         [](const auto& instance) { return instance->name(); });
  const bool quiet = arguments.flag("quiet");
  ProgressLine line(!quiet, task.problem, names, task.options.time_limit);
  Trace trace(names);
  const bool traced = !outputs.trace.empty();
  // The notice waits for the first step, so that a search that is refused says only why.
  bool notice_due = !chosen.notice.empty() && !quiet;
  const auto give_notice = [&] {
    if (std::exchange(notice_due, false)) {
      say(chosen.notice);
    }
  };
  if (line.active() || traced) {
    task.options.progress = [&](const Progress& progress) {
      give_notice();
      line.update(progress);
      if (traced) {
        trace.add(progress);
      }
    };
  }
  task.options.interrupted = [&] {
    give_notice();
    return signal_arrived();
  };
  task.options.finished = [&](std::size_t index, const SolveResult& result) {
    line.erase();
    give_notice();
    print_result(outputs, task, index, result);
  };
  catch_signals();
  const auto results = solve(task.instances, task.model, task.options);
  if (results.empty()) {
    say("interrupted before the search began; nothing to write");
    return kExitFailure;
  }
  write_outputs(outputs, task, results, trace.csv());
  return verdict(task, results, quiet);
}

}  // namespace moco::cli
