// Layout of the result objects; docs/cli.md promises their keys.
#include "json_output.h"

#include <cmath>

#include "moco/evaluation/evaluation_json.h"
#include "moco/formats/labels_json.h"
#include "numbers.h"

namespace moco::cli {

Json json_number(double value) {
  if (is_whole(value)) {
    return static_cast<std::int64_t>(value);
  }
  return value;
}

void add_set_size(Json& object, const Instance& instance, const Solution& solution, double cost) {
  if (instance.problem().solution_shape() != SolutionShape::subset) {
    return;
  }
  object["size"] = solution.items.size();
  const Objective objective = instance.problem().objective(instance);
  if (objective.word != "size") {
    object[std::string(objective.word)] = json_number(objective.value(cost));
  }
}

Json result_json(const Instance& instance, const SolveResult& result, const SolveOptions& options,
                 std::string_view model_name) {
  const Problem& problem = instance.problem();
  Json object;
  object["instance"] = instance.name();
  object["problem"] = problem.name();
  object["n"] = instance.size();
  object["cost"] = json_number(result.cost);
  add_set_size(object, instance, result.solution, result.cost);
  object["feasible"] = result.feasible;
  object["solution"] = json_of_nodes<Json>(result.solution.items, NodeLabels(instance.labels()));
  object["steps"] = result.steps;
  object["restarts"] = options.loop.restarts;
  object["samples"] = options.loop.samples;
  object["episode_steps"] = options.loop.episode_steps;
  if (options.loop.rebuild > 0) {
    object["rebuild"] = options.loop.rebuild;
  }
  add_graph_options(object, problem, options.loop.problem);
  if (!options.loop.local_search.name.empty()) {
    object["local_search"] = options.loop.local_search.name;
  }
  if (!options.polish.empty()) {
    object["polish"] = options.polish;
  }
  if (options.kicks != 0) {
    object["kicks"] = result.kicks;
    if (!result.kicks_engine.empty()) {
      object["kicks_engine"] = result.kicks_engine;
    }
  }
  if (!options.polish.empty() || options.kicks != 0) {
    object["unpolished_cost"] = json_number(result.unpolished_cost);
  }
  object["seconds"] = std::round(result.seconds * 1e6) / 1e6;
  object["stop"] = name_of(result.stop);
  object["seed"] = options.seed;
  object["engine"] = result.engine;
  object["model"] = model_name;
  if (instance.reference()) {
    if (const CheckResult reference = instance.check(*instance.reference()); reference.feasible) {
      object["reference_cost"] = json_number(reference.cost);
    }
  }
  return object;
}

std::string json_line(const Json& object) {
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace moco::cli
