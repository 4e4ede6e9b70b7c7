// Seconds of the anchor rows (docs/performance.md): solving and training steps on the CUDA engine with random weights.
//
//   anchors [--rows PATTERN] [--hidden N] [--runs N] [--jax FILE] [--local-search NAME] [--profile] [--float32]
//           [--fused | --passes] [--cluster N] [--parts N] [--slow]
//
// One line per row: work, median, least and most seconds of the runs after a warm-up and, with --jax, the other
// program's seconds and the ratio. A run is everything from making the batch (upload, weights, θ⁰) to the last status.
// FILE holds lines "work <tab> seconds …" as bench/../moco_jax.py prints them. --profile adds microseconds per kernel
// of one step. --local-search improves every sample; choose rows of its problem with --rows. --fused runs
// networks in one kernel wherever they fit, --passes never; --cluster gives the TSP's thread blocks per trajectory;
// --parts cuts batches into so many parts that step side by side.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "device_rows.h"

namespace moco {
namespace {

std::vector<Row> all_rows() {
  const auto tsp = [](Index n, int k, int b, int steps, int restarts) {
    return Row{fmt::format("solve tsp{} k={} b={} K={} M={}", n, k, b, steps, restarts),
               "tsp",
               n,
               k,
               0.0,
               b,
               steps,
               restarts,
               0,
               false};
  };
  const auto mis = [](Index n, const char* p, int steps, int restarts, bool slow) {
    return Row{fmt::format("solve mis n={} p={} b=32 K={} M={}", n, p, steps, restarts),
               "mis",
               n,
               0,
               std::atof(p),
               32,
               steps,
               restarts,
               0,
               slow};
  };
  return {
      tsp(100, 20, 32, 200, 1),
      tsp(100, 20, 32, 200, 32),
      tsp(100, 20, 128, 500, 32),
      tsp(200, 20, 32, 200, 1),
      tsp(200, 20, 32, 200, 32),
      tsp(500, 50, 32, 200, 1),
      tsp(500, 50, 32, 200, 32),
      {"es-step tsp100 k=20 b=32 K=50 pairs=128", "tsp", 100, 20, 0.0, 32, 50, 0, 128, false},
      {"es-step tsp200 k=20 b=32 K=50 pairs=128", "tsp", 200, 20, 0.0, 32, 50, 0, 128, false},
      mis(750, "0.15", 50, 1, false),
      mis(750, "0.15", 200, 1, false),
      mis(750, "0.15", 200, 32, false),
      mis(10000, "0.02", 5, 1, false),
      mis(10000, "0.02", 200, 1, false),
      mis(10000, "0.02", 200, 32, true),
      {"es-step mis n=750 b=32 K=50 pairs=64", "mis", 750, 0, 0.15, 32, 50, 0, 64, false},
  };
}

/// One solve or one training step; the mean best cost.
double run_once(CudaEngine& engine, const Work& work) {
  const auto batch = engine.create_cuda(work.spec);
  batch->begin();
  batch->sample();
  for (int step = 1; step < work.spec.loop.steps; ++step) {
    batch->update();
    batch->sample();
  }
  const std::vector<TrajectoryStatus> status = batch->status();
  double mean = 0.0;
  for (const TrajectoryStatus& s : status) {
    mean += s.best_cost / static_cast<double>(status.size());
  }
  if (!work.keys.empty()) {
    std::vector<float> factors(work.keys.size());
    for (std::size_t p = 0; p < work.keys.size(); ++p) {
      factors[p] = static_cast<float>(status[2 * p].best_cost - status[2 * p + 1].best_cost);
    }
    std::vector<float> gradient(work.model.weights.size(), 0.0f);
    engine.add_noise(work.keys, factors, gradient);
  }
  return mean;
}

std::map<std::string, double> read_seconds(const std::string& file) {
  std::map<std::string, double> seconds;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t tab = line.find('\t');
    if (tab != std::string::npos) {
      seconds[line.substr(0, tab)] = std::atof(line.c_str() + tab + 1);
    }
  }
  return seconds;
}

void print_profile(CudaEngine& engine, const Work& work) {
  const auto batch = engine.create_cuda(work.spec);
  batch->begin();
  batch->sample();
  for (int i = 0; i < 3; ++i) {
    batch->update();
    batch->sample();
  }
  std::string line = "#  microseconds of a step:";
  for (const KernelTime& kernel : kernel_times(*batch, 5)) {
    line += fmt::format(" {} {:.1f}", kernel.name, kernel.microseconds);
  }
  fmt::print("{}\n", line);
}

struct Arguments : DeviceArguments {
  std::string jax;
  std::string local_search;
  int hidden = ModelConfig{}.hidden;
  int runs = 5;
  bool profile = false;
  bool slow = false;
};

int run(const Arguments& arguments) {
  const std::unique_ptr<CudaEngine> engine = make_cuda_engine(arguments.engine);
  const std::map<std::string, double> jax =
      arguments.jax.empty() ? std::map<std::string, double>{} : read_seconds(arguments.jax);
  fmt::print("work\tmedian\tleast\tmost\tmean_cost{}\n", jax.empty() ? "" : "\tjax\tratio");
  for (const Row& row : all_rows()) {
    if (row.name.find(arguments.pattern) == std::string::npos || (row.slow && !arguments.slow)) {
      continue;
    }
    Work work(row, arguments.hidden);
    work.spec.loop.local_search.name = arguments.local_search;
    double cost = run_once(*engine, work);  // warm-up
    std::vector<double> seconds;
    for (int i = 0; i < arguments.runs; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      cost = run_once(*engine, work);
      seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
      if (row.slow && i > 0) {
        break;
      }
    }
    std::ranges::sort(seconds);
    const double typical = median(seconds);
    std::string line =
        fmt::format("{}\t{:.5f}\t{:.5f}\t{:.5f}\t{:.4f}", row.name, typical, seconds.front(), seconds.back(), cost);
    if (const auto other = jax.find(row.name); other != jax.end() && other->second > 0.0) {
      line += fmt::format("\t{:.4f}\t{:.1f}", other->second, other->second / typical);
    }
    fmt::print("{}\n", line);
    if (arguments.profile) {
      print_profile(*engine, work);
    }
    std::fflush(stdout);
  }
  return 0;
}

bool take(int count, char** values, int& i, Arguments& arguments) {
  const std::string option = values[i];
  const bool has_value = i + 1 < count;
  if (option == "--hidden" && has_value) {
    arguments.hidden = std::atoi(values[++i]);
  } else if (option == "--runs" && has_value) {
    arguments.runs = std::max(1, std::atoi(values[++i]));
  } else if (option == "--jax" && has_value) {
    arguments.jax = values[++i];
  } else if (option == "--local-search" && has_value) {
    arguments.local_search = values[++i];
  } else if (option == "--profile") {
    arguments.profile = true;
  } else if (option == "--slow") {
    arguments.slow = true;
  } else {
    return false;
  }
  return true;
}

}  // namespace
}  // namespace moco

int main(int count, char** values) {
  return moco::device_program("anchors",
                              "[--hidden N] [--runs N] [--jax FILE] [--local-search NAME] [--profile] [--slow]", count,
                              values, moco::take, moco::run);
}
