// The one list of problems.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "moco/error.h"
#include "moco/problem.h"
#include "moco/problems/clique/clique_problem.h"
#include "moco/problems/mis/mis_problem.h"
#include "moco/problems/tsp/tsp_problem.h"
#include "moco/problems/vertex_cover/vertex_cover_problem.h"

namespace moco {

namespace {

std::vector<const Problem*>& list() {
  static std::vector<const Problem*> all = {
      &tsp_problem(),
      &mis_problem(),
      &vertex_cover_problem(),
      &clique_problem(),
  };
  return all;
}

}  // namespace

std::span<const Problem* const> problems() {
  return list();
}

std::vector<std::string_view> problem_names() {
  std::vector<std::string_view> names;
  std::ranges::transform(list(), std::back_inserter(names), &Problem::name);
  return names;
}

const Problem& find_problem(std::string_view name) {
  const auto found = std::ranges::find(list(), name, &Problem::name);
  if (found == list().end()) {
    throw OptionError(fmt::format("unknown problem '{}'; known are {}", name, fmt::join(problem_names(), ", ")));
  }
  return **found;
}

const Problem& find_family(std::string_view family) {
  const auto found = std::ranges::find(list(), family, &Problem::family);
  if (found == list().end()) {
    std::vector<std::string_view> families;
    std::ranges::transform(list(), std::back_inserter(families), &Problem::family);
    families.erase(std::unique(families.begin(), families.end()), families.end());
    throw OptionError(fmt::format("model family '{}' is not one of {}", family, fmt::join(families, ", ")));
  }
  return **found;
}

bool has_model_option(const Problem& problem, std::string_view key) {
  const auto options = problem.model_options();
  return std::ranges::find(options, key, &ModelOption::key) != options.end();
}

void register_problem(const Problem& problem) {
  if (std::ranges::find(list(), problem.name(), &Problem::name) != list().end()) {
    throw OptionError(fmt::format("there is a problem '{}' already", problem.name()));
  }
  list().push_back(&problem);
}

}  // namespace moco
