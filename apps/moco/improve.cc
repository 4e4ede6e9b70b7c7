// `moco improve`: local search alone on given solutions.
#include <fmt/format.h>

#include "commands.h"
#include "declared_options.h"
#include "instance_input.h"
#include "json_output.h"
#include "local_search_arguments.h"
#include "messages.h"
#include "moco/core/printable.h"
#include "moco/formats/labels_json.h"
#include "moco/local_search.h"
#include "numbers.h"
#include "output_files.h"
#include "signals.h"
#include "solution_output.h"

namespace moco::cli {

namespace {

std::string improved_line(const Instance& instance, const ImprovedSolution& result) {
  return fmt::format("{}  n {}  {} -> {}  moves {}\n", printable(instance.name()), instance.size(),
                     format_objective(instance, result.cost_before), format_objective(instance, result.cost),
                     result.moves);
}

std::string improved_json(const Instance& instance, const ImprovedSolution& result, const std::string& search) {
  Json object;
  object["instance"] = instance.name();
  object["problem"] = instance.problem().name();
  object["n"] = instance.size();
  object["local_search"] = search;
  object["cost_before"] = json_number(result.cost_before);
  object["cost"] = json_number(result.cost);
  object["moves"] = result.moves;
  object["solution"] = json_of_nodes<Json>(result.solution.items, NodeLabels(instance.labels()));
  return json_line(object);
}

}  // namespace

int run_improve(const Arguments& arguments) {
  if (!arguments.given("solution")) {
    throw UsageError("improve: --solution FILE says what to improve");
  }
  const std::string& file = arguments.positional("INSTANCE");
  require_one_standard_input({file, arguments.text("solution")});
  const auto instances = load_instances(file, arguments);
  if (instances.empty()) {
    throw UsageError(fmt::format("{}: no instance in this file", file));
  }
  const Problem& problem = instances.front()->problem();
  const OptionValues own = given_problem_options(arguments, problem, {OptionUse::graph, OptionUse::local_search});
  const LocalSearchOptions options = local_search_arguments(arguments, *instances.front());
  validate(options, *instances.front());
  const std::string output = arguments.text("output");
  const std::string json = arguments.text("json");
  require_outputs({output, json}, {file, arguments.text("solution")});
  const auto format = output.empty()
                          ? SolutionFormat::automatic
                          : solution_output_format(output, arguments.text("output-format"), instances.size(), problem);
  const auto solutions = load_solutions(arguments.text("solution"), instances, arguments.text("solution-format"));

  catch_signals();
  std::vector<SolvedInstance> solved;
  std::string objects;
  for (std::size_t i = 0; i < instances.size(); ++i) {
    const CheckResult given = instances[i]->check(solutions[i]);
    if (!given.feasible) {
      say(fmt::format("{}: infeasible: {}", instances[i]->name(), given.violation));
      return kExitFailure;
    }
    const ImprovedSolution result = improve(instances[i], solutions[i], options, own, signal_arrived);
    solved.push_back({instances[i], result.solution});
    objects += improved_json(*instances[i], result, options.name);
    if (json != "-" && output != "-") {
      write_text("-", improved_line(*instances[i], result));
    }
  }
  if (!output.empty()) {
    write_solution_output(output, format, solved);
  }
  if (!json.empty()) {
    write_text(json, objects);
  }
  return kExitSuccess;
}

}  // namespace moco::cli
