// Seconds of the anchor rows (docs/performance.md): solving and training steps on the CUDA engine with random weights.
//
//   anchors [--rows PATTERN] [--runs N] [--jax FILE] [--local-search NAME] [--profile] [--float32]
//           [--fused | --passes] [--cluster N] [--slow]
//
// One line per row: work, median, least and most seconds of the runs after a warm-up and, with --jax, the other
// program's seconds and the ratio. A run is everything from making the batch (upload, weights, θ⁰) to the last status.
// FILE holds lines "work <tab> seconds …" as bench/../moco_jax.py prints them. --profile adds microseconds per kernel
// of one step. --local-search improves every sample; choose rows of its problem with --rows. --fused runs the
// TSP's networks in one kernel wherever they fit, --passes never; --cluster gives its thread blocks per trajectory.
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

#include "moco/engine/cuda/cuda_engine.h"
#include "moco/generate.h"
#include "moco/search/algorithm.h"

namespace moco {
namespace {

struct Row {
  std::string name;
  std::string problem;
  Index nodes = 0;
  int neighbours = 20;
  double probability = 0.0;
  int samples = 32;
  int steps = 200;
  int restarts = 1;  ///< M, or 0 for a training step
  int pairs = 0;
  bool slow = false;  ///< only with --slow
};

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

/// Instances, weights and trajectories of a row.
struct Work {
  explicit Work(const Row& row) {
    ModelConfig config;
    config.problem = row.problem;
    model = random_model(config, 1);
    spec.config = config;
    spec.loop.steps = row.steps;
    spec.loop.samples = row.samples;
    spec.loop.neighbours = std::max(row.neighbours, 1);
    spec.loop.gradient = row.problem == "tsp" ? GradientKind::causal : GradientKind::total;
    GeneratorOptions generator;
    generator.kind = row.problem == "tsp" ? "uniform" : "er";
    generator.nodes = row.nodes;
    generator.probability = row.probability;
    const auto instances = static_cast<std::size_t>(row.problem == "tsp" && row.pairs > 0 ? row.pairs : 1);
    graphs.reserve(instances);
    for (std::size_t i = 0; i < instances; ++i) {
      graphs.push_back(decision_graph(generate(generator, i), spec.loop.neighbours));
      spec.graphs.push_back(&graphs.back());
    }
    if (row.pairs == 0) {
      spec.weights.push_back({model.weights, 0.0f, {}});
      for (int m = 0; m < row.restarts; ++m) {
        const Index start = row.problem == "tsp" ? m % row.nodes : 0;
        spec.trajectories.push_back({0, 0, stream_key(1, 0, static_cast<std::uint64_t>(m)), start, nullptr});
      }
      return;
    }
    for (int pair = 0; pair < row.pairs; ++pair) {
      const auto p = static_cast<std::uint64_t>(pair);
      keys.push_back(stream_key(2, p, 0));
      for (const float sign : {1.0f, -1.0f}) {
        spec.trajectories.push_back({p % instances, spec.weights.size(), stream_key(1, p, 0), 0, nullptr});
        spec.weights.push_back({model.weights, sign * 0.01f, keys.back()});
      }
    }
  }

  /// One solve or one training step; the mean best cost.
  double run(CudaEngine& engine) {
    const auto batch = engine.create_cuda(spec);
    batch->begin();
    batch->sample();
    for (int step = 1; step < spec.loop.steps; ++step) {
      batch->update();
      batch->sample();
    }
    const std::vector<TrajectoryStatus> status = batch->status();
    double mean = 0.0;
    for (const TrajectoryStatus& s : status) {
      mean += s.best_cost / static_cast<double>(status.size());
    }
    if (!keys.empty()) {
      std::vector<float> factors(keys.size());
      for (std::size_t p = 0; p < keys.size(); ++p) {
        factors[p] = static_cast<float>(status[2 * p].best_cost - status[2 * p + 1].best_cost);
      }
      std::vector<float> gradient(model.weights.size(), 0.0f);
      engine.add_noise(keys, factors, gradient);
    }
    return mean;
  }

  Model model;
  std::vector<DecisionGraph> graphs;
  std::vector<StreamKey> keys;
  BatchSpec spec;
};

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
  std::vector<std::string> order;
  std::map<std::string, float> total;
  constexpr int kRepeats = 5;
  for (int i = 0; i < kRepeats; ++i) {
    for (const auto& [name, milliseconds] : batch->profile()) {
      if (!total.contains(name)) {
        order.push_back(name);
      }
      total[name] += milliseconds / kRepeats;
    }
  }
  std::string line = "#  microseconds of a step:";
  for (const std::string& name : order) {
    line += fmt::format(" {} {:.1f}", name, 1000.0f * total[name]);
  }
  fmt::print("{}\n", line);
}

struct Arguments {
  std::string pattern;
  std::string jax;
  std::string local_search;
  int runs = 5;
  bool profile = false;
  bool slow = false;
  CudaOptions engine;
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
    Work work(row);
    work.spec.loop.local_search.name = arguments.local_search;
    double cost = work.run(*engine);  // warm-up
    std::vector<double> seconds;
    for (int i = 0; i < arguments.runs; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      cost = work.run(*engine);
      seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
      if (row.slow && i > 0) {
        break;
      }
    }
    std::sort(seconds.begin(), seconds.end());
    const double median = seconds[seconds.size() / 2];
    std::string line =
        fmt::format("{}\t{:.5f}\t{:.5f}\t{:.5f}\t{:.4f}", row.name, median, seconds.front(), seconds.back(), cost);
    if (const auto other = jax.find(row.name); other != jax.end() && other->second > 0.0) {
      line += fmt::format("\t{:.4f}\t{:.1f}", other->second, other->second / median);
    }
    fmt::print("{}\n", line);
    if (arguments.profile) {
      print_profile(*engine, work);
    }
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace
}  // namespace moco

int main(int count, char** values) {
  moco::Arguments arguments;
  for (int i = 1; i < count; ++i) {
    const std::string option = values[i];
    const bool has_value = i + 1 < count;
    if (option == "--rows" && has_value) {
      arguments.pattern = values[++i];
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
    } else if (option == "--float32") {
      arguments.engine.precision = moco::CudaPrecision::float32;
    } else if (option == "--fused") {
      arguments.engine.fused = moco::FusedUse::always;
    } else if (option == "--passes") {
      arguments.engine.fused = moco::FusedUse::never;
    } else if (option == "--cluster" && has_value) {
      arguments.engine.cluster = std::atoi(values[++i]);
    } else {
      std::fprintf(stderr,
                   "usage: anchors [--rows PATTERN] [--runs N] [--jax FILE] [--local-search NAME] [--profile] "
                   "[--float32] [--fused | --passes] [--cluster N] [--slow]\n");
      return 2;
    }
  }
  try {
    return moco::run(arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "anchors: %s\n", error.what());
    return 1;
  }
}
