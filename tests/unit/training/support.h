// A run small enough for tests.
#pragma once

#include <filesystem>
#include <string>

#include "moco/training/trainer.h"
#include "options.h"
#include "temporary_folder.h"

namespace moco::training_test {

namespace fs = std::filesystem;

/// A few steps of this take a fraction of a second.
inline TrainConfig tiny_config(const std::string& problem = "tsp") {
  TrainConfig config;
  set_problem(config, problem);
  config.model.hidden = 8;
  config.model.blocks = 1;
  config.steps = 6;
  config.data.nodes = {12};
  config.search.samples = 4;
  set_where_declared(config.search.problem, find_problem(problem).options(), "neighbours", 5);
  config.search_steps = {{0.0, 3.0}};
  config.es.pairs = 6;
  config.optimizer.warmup = 2;
  config.validation.every = 2;
  config.validation.instances = 5;
  return config;
}

inline TrainOptions options_for(const fs::path& folder) {
  TrainOptions options;
  options.folder = folder;
  options.engine = EngineKind::cpu;
  options.threads = 2;
  return options;
}

}  // namespace moco::training_test
