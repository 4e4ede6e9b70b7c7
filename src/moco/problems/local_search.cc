// The list of local searches, and the use of one alone.
#include "moco/problems/local_search.h"

#include <algorithm>

#include <fmt/format.h>

#include "moco/error.h"
#include "moco/problems/mis/mis_local_search.h"
#include "moco/problems/tsp/tour_moves.h"
#include "moco/problems/tsp/tsp_local_search.h"

namespace moco {

namespace {

std::vector<std::string_view> tsp_names() {
  std::vector<std::string_view> names;
  std::ranges::transform(tour_searches(), std::back_inserter(names), &TourSearchName::name);
  return names;
}

}  // namespace

const std::vector<std::string_view>& local_search_names(std::string_view problem) {
  static const std::vector<std::string_view> tsp = tsp_names();
  static const std::vector<std::string_view> mis = {kSwapSearch};
  static const std::vector<std::string_view> none;
  return problem == "tsp" ? tsp : problem == "mis" ? mis : none;
}

void validate(const LocalSearchOptions& options, std::string_view problem) {
  const std::vector<std::string_view>& names = local_search_names(problem);
  if (!options.name.empty() && std::ranges::find(names, options.name) == names.end()) {
    throw OptionError(
        fmt::format("local search '{}' is not one of those for {}: {}", options.name, problem, fmt::join(names, ", ")));
  }
  if (options.move_limit < 0 || options.plateau_steps < 0) {
    throw OptionError(fmt::format("a limit of {} moves and {} plateau steps: neither can be negative",
                                  options.move_limit, options.plateau_steps));
  }
  if (options.plateau_steps > 0 && problem != "mis") {
    throw OptionError(fmt::format("plateau steps are for mis, not for {}", problem));
  }
}

bool supports(std::string_view local_search, const Instance& instance) {
  const auto* tsp = dynamic_cast<const TspInstance*>(&instance);
  return tsp == nullptr || tsp->symmetric() || tour_move_kinds(local_search) != kTwoOpt;
}

void validate(const LocalSearchOptions& options, const Instance& instance) {
  validate(options, instance.problem());
  if (!supports(options.name, instance)) {
    throw OptionError(
        fmt::format("{}: {} reverses paths, which asymmetric distances do not allow; oropt3 keeps their direction",
                    instance.name(), options.name));
  }
}

std::unique_ptr<LocalSearch> make_local_search(const DecisionGraph& graph, const LocalSearchOptions& options) {
  validate(options, *graph.instance);
  return graph.kind == VariableKind::edge ? make_tsp_local_search(graph, options)
                                          : make_mis_local_search(graph, options);
}

ImprovedSolution improve(const DecisionGraph& graph, const Solution& solution, const LocalSearchOptions& options,
                         const std::function<bool()>& interrupted) {
  const Instance& instance = *graph.instance;
  const CheckResult given = instance.check(solution);
  if (!given.feasible) {
    throw OptionError(fmt::format("{}: infeasible solution: {}", instance.name(), given.violation));
  }
  ImprovedSolution result{solution, given.cost, given.cost, 0};
  if (options.name.empty()) {
    return result;
  }
  LocalSearchScratch scratch;
  Solution improved = solution;
  result.moves = make_local_search(graph, options)->improve(improved.items, scratch, interrupted);
  const CheckResult after = instance.check(improved);
  if (after.feasible && after.cost < given.cost) {
    result.solution = std::move(improved);
    result.cost = after.cost;
  }
  return result;
}

ImprovedSolution improve(const InstancePtr& instance, const Solution& solution, const LocalSearchOptions& options,
                         int neighbours, const std::function<bool()>& interrupted) {
  validate(options, *instance);
  return improve(decision_graph(instance, neighbours), solution, options, interrupted);
}

}  // namespace moco
