// Milliseconds of a step by each update rule on the CUDA engine, and their ratio to those by GNN_update.
//
//   rules [--rows PATTERN] [--hidden N] [--steps N] [--profile] [--float32] [--fused | --passes] [--parts N]
//
// All rules begin with the heuristic and have random weights. One line per row and rule: median over five runs of so
// many steps (default 50) after a warm-up. --profile adds microseconds per kernel of one step.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "device_rows.h"

namespace moco {
namespace {

constexpr int kRuns = 5;

std::vector<Row> all_rows() {
  const auto tours = [](const char* name, Index nodes, int neighbours, int restarts, int pairs) {
    Row row{.name = name, .problem = "tsp", .nodes = nodes, .neighbours = neighbours};
    row.restarts = restarts;
    row.pairs = pairs;
    return row;
  };
  const auto sets = [](const char* name, Index nodes, double probability, int restarts) {
    Row row{.name = name, .problem = "mis", .nodes = nodes};
    row.probability = probability;
    row.restarts = restarts;
    return row;
  };
  return {tours("tsp100 k=20 M=1", 100, 20, 1, 0),       tours("tsp200 k=20 M=32", 200, 20, 32, 0),
          tours("tsp200 k=20 64 pairs", 200, 20, 0, 64), tours("tsp500 k=50 M=32", 500, 50, 32, 0),
          sets("mis n=750 M=1", 750, 0.15, 1),           sets("mis n=750 M=32", 750, 0.15, 32)};
}

struct Arguments : DeviceArguments {
  int hidden = ModelConfig{}.hidden;
  int steps = 50;
  bool profile = false;
};

/// Of a step, kernel times behind it where asked for.
double milliseconds_of(CudaEngine& engine, const Work& work, const Arguments& arguments, std::string& profile) {
  const auto batch = engine.create_cuda(work.spec);
  batch->begin();
  batch->sample();
  batch->advance(arguments.steps);
  std::vector<double> milliseconds;
  for (int i = 0; i < kRuns; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    batch->advance(arguments.steps);
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
    milliseconds.push_back(taken.count() / arguments.steps);
  }
  if (arguments.profile) {
    for (const KernelTime& kernel : kernel_times(*batch, kRuns)) {
      profile += fmt::format(" {} {:.1f}", kernel.name, kernel.microseconds);
    }
  }
  return median(milliseconds);
}

int run(const Arguments& arguments) {
  const std::unique_ptr<CudaEngine> engine = make_cuda_engine(arguments.engine);
  fmt::print("{:<24} {:<12} {:>8} {:>8}\n", "work", "rule", "ms/step", "to gnn");
  for (const Row& row : all_rows()) {
    if (row.name.find(arguments.pattern) == std::string::npos) {
      continue;
    }
    double gnn = 0.0;
    for (const Choice<UpdateRule>& rule : choices<UpdateRule>()) {
      ModelConfig config;
      config.hidden = arguments.hidden;
      config.init = Initialisation::heuristic;
      config.rule = rule.value;
      config.theta_update = ThetaUpdate::anchored;
      const Work work(row, config);
      std::string profile;
      const double milliseconds = milliseconds_of(*engine, work, arguments, profile);
      gnn = rule.value == UpdateRule::gnn ? milliseconds : gnn;
      fmt::print("{:<24} {:<12} {:>8.4f} {:>8.2f}{}\n", row.name, rule.name, milliseconds, milliseconds / gnn, profile);
      std::fflush(stdout);
    }
  }
  return 0;
}

bool take(int count, char** values, int& i, Arguments& arguments) {
  const std::string option = values[i];
  const bool has_value = i + 1 < count;
  if (option == "--hidden" && has_value) {
    arguments.hidden = std::atoi(values[++i]);
  } else if (option == "--steps" && has_value) {
    arguments.steps = std::max(1, std::atoi(values[++i]));
  } else if (option == "--profile") {
    arguments.profile = true;
  } else {
    return false;
  }
  return true;
}

}  // namespace
}  // namespace moco

int main(int count, char** values) {
  return moco::device_program("rules", "[--hidden N] [--steps N] [--profile]", count, values, moco::take, moco::run);
}
