// Rows of work on the device, and kernel times.
#include "device_rows.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>

#include "moco/generate.h"
#include "moco/search/algorithm.h"

namespace moco {

namespace {

constexpr float kSigma = 0.01f;  // of perturbed weights

std::uint64_t models = 0;  // so far

ModelConfig config_of(int hidden) {
  ModelConfig config;
  config.hidden = hidden;
  return config;
}

}  // namespace

Work::Work(const Row& row, int hidden) : Work(row, config_of(hidden)) {}

Work::Work(const Row& row, ModelConfig config) {
  config.family = row.problem;
  model = random_model(config, 1);
  spec.config = config;
  spec.loop.steps = row.steps;
  spec.loop.samples = row.samples;
  const bool tsp = row.problem == "tsp";
  spec.loop.gradient = tsp ? GradientKind::causal : GradientKind::total;
  GeneratorOptions generator{.problem = row.problem, .kind = tsp ? "uniform" : "er", .nodes = row.nodes};
  if (tsp) {
    spec.loop.problem.set("neighbours", row.neighbours);
  } else {
    generator.own.set("probability", row.probability);
  }
  const auto instances = static_cast<std::size_t>(tsp && row.pairs > 0 ? row.pairs : 1);
  graphs.reserve(instances);
  for (std::size_t i = 0; i < instances; ++i) {
    graphs.push_back(decision_graph(generate(generator, i), spec.loop.problem));
    spec.graphs.push_back(&graphs.back());
  }
  if (row.pairs == 0) {
    add_restarts(row);
  } else {
    add_pairs(row);
  }
}

void Work::add_restarts(const Row& row) {
  spec.base_weights = ++models;  // training would upload new ones every time
  for (int m = 0; m < row.restarts; ++m) {
    const auto restart = static_cast<std::uint64_t>(m);
    if (row.own_weights) {
      spec.weights.push_back({model.weights, kSigma, stream_key(2, restart, 0)});
    } else if (m == 0) {
      spec.weights.push_back({model.weights, 0.0f, {}});
    }
    const Index start = row.problem == "tsp" ? m % row.nodes : 0;
    spec.trajectories.push_back({0, spec.weights.size() - 1, stream_key(1, 0, restart), start, nullptr});
  }
}

void Work::add_pairs(const Row& row) {
  for (int pair = 0; pair < row.pairs; ++pair) {
    const auto p = static_cast<std::uint64_t>(pair);
    keys.push_back(stream_key(2, p, 0));
    for (const float sign : {1.0f, -1.0f}) {
      spec.trajectories.push_back({p % graphs.size(), spec.weights.size(), stream_key(1, p, 0), 0, nullptr});
      spec.weights.push_back({model.weights, sign * kSigma, keys.back()});
    }
  }
}

bool take_option(int count, char** values, int& i, DeviceArguments& arguments) {
  const std::string option = values[i];
  const bool has_value = i + 1 < count;
  if (option == "--rows" && has_value) {
    arguments.pattern = values[++i];
  } else if (option == "--float32") {
    arguments.engine.precision = CudaPrecision::float32;
  } else if (option == "--fused") {
    arguments.engine.fused = FusedUse::always;
  } else if (option == "--passes") {
    arguments.engine.fused = FusedUse::never;
  } else if (option == "--cluster" && has_value) {
    arguments.engine.cluster = std::atoi(values[++i]);
  } else if (option == "--parts" && has_value) {
    arguments.engine.parts = std::atoi(values[++i]);
  } else {
    return false;
  }
  return true;
}

int wrong_usage(const char* name, const char* usage) {
  std::fprintf(stderr, "usage: %s [--rows PATTERN] [--float32] [--fused | --passes] [--cluster N] [--parts N] %s\n",
               name, usage);
  return 2;
}

int guarded(const char* name, const std::function<int()>& run) {
  try {
    return run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", name, error.what());
    return 1;
  }
}

std::vector<KernelTime> kernel_times(CudaBatch& batch, int repeats) {
  std::vector<KernelTime> kernels;
  std::map<std::string, std::vector<double>> steps;  // microseconds of each step
  for (int i = 0; i < repeats; ++i) {
    for (const auto& [name, milliseconds] : batch.profile()) {
      std::vector<double>& own = steps[name];
      if (own.empty()) {
        kernels.push_back({name});
      }
      own.resize(static_cast<std::size_t>(i) + 1);
      own.back() += 1000.0 * static_cast<double>(milliseconds);
      const auto kernel = std::ranges::find(kernels, name, &KernelTime::name);
      kernel->calls += i == 0 ? 1 : 0;
    }
  }
  for (KernelTime& kernel : kernels) {
    kernel.microseconds = median(steps[kernel.name]);
  }
  return kernels;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace moco
