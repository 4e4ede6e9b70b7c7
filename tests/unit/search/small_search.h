// A model and a search small enough for tests.
#pragma once

#include <string>

#include "moco/solve.h"

namespace moco::search_test {

inline Model small_model(const std::string& problem) {
  ModelConfig config;
  config.problem = problem;
  config.hidden = 16;
  return random_model(config, 1);
}

inline SolveOptions quick() {
  SolveOptions options;
  options.loop.steps = 8;
  options.loop.samples = 8;
  options.loop.neighbours = 8;
  options.engine = EngineKind::cpu;
  return options;
}

}  // namespace moco::search_test
