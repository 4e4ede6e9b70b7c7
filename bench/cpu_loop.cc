// The CPU engine's K-loop against what oneDNN's float32 matmul needs for the loop's matrix products alone, side by side
// in one run; growth and memory of MIS sampling on large sparse graphs. Run: build/release/bench/cpu_loop
//
// Yardstick: oneDNN matmul [20000×128]·[128×128], float32, instruction set capped at AVX-512 without AMX, on as many
// threads as the engine uses. A ratio of 1 would mean that sampling, gradients, elite, features and everything
// element-wise in the networks cost nothing.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <vector>

#include <dnnl.hpp>
#include <fmt/format.h>
#include <omp.h>
#include <sys/resource.h>

#include "moco/core/cpus.h"
#include "moco/engine/cpu/cpu_engine.h"
#include "moco/generate.h"
#include "moco/model/parameters.h"
#include "moco/search/algorithm.h"

namespace {

using namespace moco;

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median_seconds(int repeats, const std::function<void()>& work) {
  work();
  std::vector<double> all;
  for (int i = 0; i < repeats; ++i) {
    all.push_back(seconds_of(work));
  }
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}

/// FLOP/s of oneDNN's float32 matmul on random data.
double onednn_rate(int threads) {
  constexpr int kRows = 20000;
  constexpr int kWidth = 128;
  omp_set_num_threads(threads);
  dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const auto f32 = dnnl::memory::data_type::f32;
  const auto row_major = dnnl::memory::format_tag::ab;
  const dnnl::memory::desc x_desc({kRows, kWidth}, f32, row_major);
  const dnnl::memory::desc w_desc({kWidth, kWidth}, f32, row_major);
  std::vector<float> x(kRows * kWidth);
  std::vector<float> w(kWidth * kWidth);
  std::vector<float> y(kRows * kWidth);
  RandomSequence random(stream_key(1, 0, 0), Purpose::generator);
  std::generate(x.begin(), x.end(), [&] { return static_cast<float>(random.next_double()); });
  std::generate(w.begin(), w.end(), [&] { return static_cast<float>(random.next_double()); });
  const dnnl::matmul product(dnnl::matmul::primitive_desc(dnnl::matmul::desc(x_desc, w_desc, x_desc), engine));
  const dnnl::memory x_memory(x_desc, engine, x.data());
  const dnnl::memory w_memory(w_desc, engine, w.data());
  const dnnl::memory y_memory(x_desc, engine, y.data());
  const double seconds = median_seconds(21, [&] {
    product.execute(stream, {{DNNL_ARG_SRC, x_memory}, {DNNL_ARG_WEIGHTS, w_memory}, {DNNL_ARG_DST, y_memory}});
    stream.wait();
  });
  return 2.0 * kRows * kWidth * kWidth / seconds;
}

/// Floating-point operations of one GNN_update's matrix products after splitting the concatenations.
double update_flops(const DecisionGraph& graph, const ModelConfig& config) {
  const double d = config.hidden;
  const double n = graph.nodes;
  const double variables = graph.variables;
  const double embedding = 2.0 * variables * kVariableFeatures * d;
  if (graph.kind == VariableKind::edge) {
    const double edge = 2.0 * variables * d * d;
    const double node = 2.0 * n * (2.0 + 3.0) * d * d;  // sender, receiver; own, outgoing, incoming
    return embedding + config.blocks * (edge + node);
  }
  const double products = config.gcn == GcnVariant::paper ? 3.0 : 2.0;  // self, neighbour, (mix)
  return embedding + config.blocks * products * 2.0 * n * d * d;
}

struct Loop {
  DecisionGraph graph;
  Model model;
  LoopOptions options;
  double seconds = 0.0;
};

/// Time of the whole K-loop: begin, K samplings, K − 1 updates.
Loop time_loop(const InstancePtr& instance, const ModelConfig& config, const LoopOptions& options, int threads,
               int repeats) {
  Loop loop{decision_graph(instance, options.problem), random_model(config, 1), options, 0.0};
  const std::unique_ptr<Engine> engine = make_cpu_engine(threads);
  BatchSpec spec;
  spec.config = config;
  spec.loop = options;
  spec.graphs = {&loop.graph};
  spec.weights = {{loop.model.weights, 0.0f, {}}};
  for (int r = 0; r < options.restarts; ++r) {
    spec.trajectories.push_back({0, 0, stream_key(1, 0, static_cast<std::uint64_t>(r)), r, nullptr});
  }
  const std::unique_ptr<Batch> batch = engine->create(spec);
  loop.seconds = median_seconds(repeats, [&] {
    batch->begin();
    for (int k = 0; k < options.steps; ++k) {
      batch->sample();
      if (k + 1 < options.steps) {
        batch->update();
      }
    }
  });
  return loop;
}

void print_ratio(const char* name, const Loop& loop, double rate, double bar) {
  const double products =
      (loop.options.steps - 1) * update_flops(loop.graph, loop.model.config) * loop.options.restarts / rate;
  fmt::print("{:<34} {:>9.3f} {:>12.3f} {:>7.2f} {:>6.1f}  {}\n", name, loop.seconds, products, loop.seconds / products,
             bar, loop.seconds <= bar * products ? "met" : "missed");
}

/// Sampling and gradient alone (rule adam has next to no update), per work unit n + touched edges.
void print_growth(int threads) {
  fmt::print("\nMIS sampling + gradient, p = 0.02, b = 32, M = 1, per step\n{:>7} {:>12} {:>12} {:>14}\n", "n",
             "milliseconds", "n + touched", "ns per unit");
  for (const Index n : {1250, 2500, 5000, 10000, 20000}) {
    GeneratorOptions generator{.problem = "mis", .kind = "er", .nodes = n};
    generator.own.set("probability", 0.02);
    LoopOptions options;
    options.steps = 10;
    ModelConfig config;
    config.family = "mis";
    config.rule = UpdateRule::adam;
    config.init = usual_init(config.rule, config.family);
    const Loop loop = time_loop(generate(generator), config, options, threads, 5);
    const double degree = static_cast<double>(loop.graph.targets.size()) / n;
    const double chosen = std::log(0.02 * n) / 0.02;  // greedy sets on G(n, p) have about ln(np)/p nodes
    const double units = options.samples * (n + chosen * degree);
    fmt::print("{:>7} {:>12.2f} {:>12.0f} {:>14.2f}\n", n, 1e3 * loop.seconds / options.steps, units,
               1e9 * loop.seconds / options.steps / units);
  }
}

void print_memory(int threads) {
  GeneratorOptions generator{.problem = "mis", .kind = "er", .nodes = 10000};
  generator.own.set("probability", 0.02);
  ModelConfig config;
  config.family = "mis";
  LoopOptions options;
  options.steps = 2;
  time_loop(generate(generator), config, options, threads, 1);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print("\npeak memory after MIS n = 10000, p = 0.02, b = 32, M = 1: {:.0f} MiB (bar 2048)\n",
             static_cast<double>(usage.ru_maxrss) / 1024.0);
}

}  // namespace

int main(int argc, char** argv) {
  dnnl::set_max_cpu_isa(dnnl::cpu_isa::avx512_core);
  const int threads = argc > 1 ? std::stoi(argv[1]) : usable_cpus();
  const double rate = onednn_rate(threads);
  fmt::print("{} threads; oneDNN float32 matmul: {:.1f} GFLOP/s\n\n", threads, rate / 1e9);
  fmt::print("{:<34} {:>9} {:>12} {:>7} {:>6}\n", "loop", "seconds", "products [s]", "ratio", "bar");

  const GeneratorOptions tsp{.problem = "tsp", .kind = "uniform", .nodes = 100};
  ModelConfig tsp_config;
  LoopOptions tsp_options;
  print_ratio("TSP100 k=20 b=32 M=1 K=200", time_loop(generate(tsp), tsp_config, tsp_options, threads, 5), rate, 2.5);

  const GeneratorOptions mis{.problem = "mis", .kind = "er", .nodes = 750};
  ModelConfig mis_config;
  mis_config.family = "mis";
  LoopOptions mis_options;
  mis_options.steps = 50;
  print_ratio("MIS ER n=750 p=.15 b=32 M=1 K=50", time_loop(generate(mis), mis_config, mis_options, threads, 5), rate,
              4.0);
  print_growth(threads);
  print_memory(threads);
}
