// A model and a search small enough for tests.
#pragma once

#include <string>
#include <string_view>

#include "options.h"
#include "solve_once.h"

namespace moco::search_test {

inline Model small_model(const std::string& family) {
  ModelConfig config;
  config.family = family;
  config.hidden = 16;
  return random_model(config, 1);
}

inline SolveOptions quick(std::string_view problem = "tsp") {
  SolveOptions options;
  options.loop.steps = 8;
  options.loop.samples = 8;
  set_where_declared(options.loop.problem, find_problem(problem).options(), "neighbours", 8);
  return options;
}

}  // namespace moco::search_test
