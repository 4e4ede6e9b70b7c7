// A folder that goes away and a run small enough for tests.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "moco/training/trainer.h"

namespace moco::training_test {

namespace fs = std::filesystem;

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "moco-train-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~TemporaryFolder() { fs::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

inline std::string slurp(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void spill(const fs::path& file, const std::string& content) {
  std::ofstream(file, std::ios::binary) << content;
}

/// A few steps of this take a fraction of a second.
inline TrainConfig tiny_config(const std::string& problem = "tsp") {
  TrainConfig config;
  config.model.problem = problem;
  config.model.hidden = 8;
  config.model.blocks = 1;
  config.steps = 6;
  config.data.nodes = {12};
  config.search.samples = 4;
  config.search.neighbours = 5;
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
