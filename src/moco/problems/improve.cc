// The choice of a local search, and the use of one alone.
#include "moco/problems/improve.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "moco/error.h"
#include "moco/policy/local_search.h"
#include "moco/problem.h"

namespace moco {

std::vector<std::string_view> local_search_names(const Problem& problem) {
  std::vector<std::string_view> names;
  std::ranges::transform(problem.local_searches(), std::back_inserter(names), &LocalSearchKind::name);
  return names;
}

void validate(const LocalSearchOptions& search, const Problem& problem) {
  const std::vector<std::string_view> names = local_search_names(problem);
  if (!search.name.empty() && std::ranges::find(names, search.name) == names.end()) {
    throw OptionError(fmt::format("local search '{}' is not one of those for {}: {}", search.name, problem.name(),
                                  names.empty() ? "there is none" : fmt::format("{}", fmt::join(names, ", "))));
  }
  if (search.move_limit < 0) {
    throw OptionError(fmt::format("a limit of {} moves is negative", search.move_limit));
  }
}

namespace {

std::string obstacle_to(std::string_view local_search, const Instance& instance) {
  const auto kinds = instance.problem().local_searches();
  const auto found = std::ranges::find(kinds, local_search, &LocalSearchKind::name);
  return found == kinds.end() || found->obstacle == nullptr ? "" : found->obstacle(instance);
}

}  // namespace

bool supports(std::string_view local_search, const Instance& instance) {
  return obstacle_to(local_search, instance).empty();
}

void validate(const LocalSearchOptions& search, const Instance& instance) {
  validate(search, instance.problem());
  if (const std::string obstacle = obstacle_to(search.name, instance); !obstacle.empty()) {
    throw OptionError(fmt::format("{}: {} {}", instance.name(), search.name, obstacle));
  }
}

ImprovedSolution improve(const DecisionGraph& graph, const Solution& solution, const LocalSearchOptions& search,
                         const OptionValues& options, const std::function<bool()>& interrupted) {
  const Instance& instance = *graph.instance;
  const Problem& problem = instance.problem();
  const CheckResult given = instance.check(solution);
  if (!given.feasible) {
    throw OptionError(fmt::format("{}: infeasible solution: {}", instance.name(), given.violation));
  }
  ImprovedSolution result{solution, given.cost, given.cost, 0};
  if (search.name.empty()) {
    return result;
  }
  LocalSearchScratch scratch;
  Solution items = problem.to_search(instance, solution);
  result.moves = problem.local_search(graph, search, options)->improve(items.items, scratch, interrupted);
  Solution improved = problem.from_search(instance, std::move(items));
  const CheckResult after = instance.check(improved);
  if (after.feasible && after.cost < given.cost) {
    result.solution = std::move(improved);
    result.cost = after.cost;
  }
  return result;
}

ImprovedSolution improve(const InstancePtr& instance, const Solution& solution, const LocalSearchOptions& search,
                         const OptionValues& options, const std::function<bool()>& interrupted) {
  validate(search, *instance);
  validate(options, instance->problem().options(), instance->problem().name());
  return improve(decision_graph(instance, options), solution, search, options, interrupted);
}

}  // namespace moco
