// `moco check`: the independent checker on files.
#include <fmt/format.h>

#include "commands.h"
#include "instance_input.h"
#include "json_output.h"
#include "moco/core/printable.h"
#include "numbers.h"
#include "output_files.h"

namespace moco::cli {

namespace {

std::string verdict_line(const Instance& instance, const CheckResult& verdict, bool named) {
  const std::string prefix = named ? printable(instance.name()) + ": " : "";
  return verdict.feasible ? fmt::format("{}feasible {}\n", prefix, format_objective(instance, verdict.cost))
                          : fmt::format("{}infeasible: {}\n", prefix, verdict.violation);
}

std::string verdict_json(const Instance& instance, const Solution& solution, const CheckResult& verdict) {
  Json object;
  object["instance"] = instance.name();
  object["problem"] = instance.problem().name();
  object["n"] = instance.size();
  object["feasible"] = verdict.feasible;
  if (verdict.feasible) {
    object["cost"] = json_number(verdict.cost);
    add_set_size(object, instance, solution, verdict.cost);
  } else {
    object["violation"] = verdict.violation;
  }
  return json_line(object);
}

}  // namespace

int run_check(const Arguments& arguments) {
  const std::string& file = arguments.positional("INSTANCE");
  const std::string& solution_file = arguments.positional("SOLUTION");
  require_one_standard_input({file, solution_file});
  const auto instances = load_instances(file, arguments);
  const auto solutions = load_solutions(solution_file, instances, arguments.text("solution-format"));
  const std::string json = arguments.text("json");
  std::string lines;
  std::string objects;
  bool all_feasible = true;
  for (std::size_t i = 0; i < instances.size(); ++i) {
    const Instance& instance = *instances[i];
    const CheckResult verdict = instance.check(solutions[i]);
    all_feasible = all_feasible && verdict.feasible;
    lines += verdict_line(instance, verdict, instances.size() > 1);
    objects += verdict_json(instance, solutions[i], verdict);
  }
  if (!json.empty()) {
    write_text(json, objects);
  }
  if (json != "-") {
    write_text("-", lines);
  }
  return all_feasible ? kExitSuccess : kExitFailure;
}

}  // namespace moco::cli
