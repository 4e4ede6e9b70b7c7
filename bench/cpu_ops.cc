// Micro-benchmarks of the CPU engine's operations (Google Benchmark). Run: build/release/bench/cpu_ops
#include <benchmark/benchmark.h>

#include "moco/engine/cpu/network.h"
#include "moco/generate.h"
#include "moco/policy/construction.h"
#include "moco/policy/gumbel.h"
#include "moco/problem.h"
#include "moco/problems/tsp/knn.h"

namespace {

using namespace moco;

InstancePtr random_cities(Index nodes) {
  return generate({.problem = "tsp", .kind = "uniform", .nodes = nodes});
}

InstancePtr random_graph(Index nodes, double probability) {
  GeneratorOptions options{.problem = "mis", .kind = "er", .nodes = nodes};
  options.own.set("probability", probability);
  return generate(options);
}

DecisionGraph graph_of(const benchmark::State& state, bool tsp) {
  const auto nodes = static_cast<Index>(state.range(0));
  return decision_graph(tsp ? random_cities(nodes) : random_graph(nodes, nodes > 2000 ? 0.02 : 0.15));
}

void gumbel_noise(benchmark::State& state) {
  std::vector<float> noise(4096);
  std::uint32_t step = 0;
  for (auto _ : state) {
    fill_gumbel({1, 2}, ++step, 0, noise.size() / 4, noise.data());
    benchmark::DoNotOptimize(noise.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(noise.size()));
}
BENCHMARK(gumbel_noise);

void nearest_neighbour_graph(benchmark::State& state) {
  const InstancePtr instance = random_cities(static_cast<Index>(state.range(0)));
  for (auto _ : state) {
    benchmark::DoNotOptimize(nearest_neighbours(dynamic_cast<const TspInstance&>(*instance), 20));
  }
}
BENCHMARK(nearest_neighbour_graph)->Arg(100)->Arg(1000)->Arg(100000)->Unit(benchmark::kMillisecond);

template <bool Tsp>
void sample_one(benchmark::State& state) {
  const DecisionGraph graph = graph_of(state, Tsp);
  const auto construction = graph.instance->problem().construction(graph, {});
  const std::vector<float> theta(static_cast<std::size_t>(graph.variables), 0.0f);
  SampleSet set;
  set.reshape(1, construction->stride(), graph.nodes, false);
  SampleScratch scratch;
  std::uint32_t step = 0;
  for (auto _ : state) {
    construction->sample(theta.data(), {{1, 2}, ++step, 0, 0}, set, scratch);
  }
}
BENCHMARK(sample_one<true>)->Name("tsp_sample")->Arg(100)->Arg(500)->Arg(5000)->Unit(benchmark::kMicrosecond);
BENCHMARK(sample_one<false>)->Name("mis_sample")->Arg(750)->Arg(10000)->Unit(benchmark::kMicrosecond);

template <bool Tsp>
void gradient_of_32(benchmark::State& state) {
  const DecisionGraph graph = graph_of(state, Tsp);
  const auto construction = graph.instance->problem().construction(graph, {});
  const std::vector<float> theta(static_cast<std::size_t>(graph.variables), 0.0f);
  std::vector<float> gradient(theta.size());
  std::vector<double> mass(theta.size());
  SampleSet set;
  set.reshape(32, construction->stride(), graph.nodes, false);
  SampleScratch scratch;
  for (Index s = 0; s < 32; ++s) {
    construction->sample(theta.data(), {{1, 2}, 0, s, 0}, set, scratch);
  }
  for (auto _ : state) {
    compute_advantages(set, graph.cost_scale, set.costs);
    construction->masses(theta.data(), mass.data());
    for (Index s = 0; s < 32; ++s) {
      construction->prepare_gradient(mass.data(), s, set);
    }
    construction->gradient(mass.data(), set, 0, graph.nodes, gradient.data());
    benchmark::DoNotOptimize(gradient.data());
  }
}
BENCHMARK(gradient_of_32<true>)->Name("tsp_gradient_b32")->Arg(100)->Arg(500)->Unit(benchmark::kMicrosecond);
BENCHMARK(gradient_of_32<false>)->Name("mis_gradient_b32")->Arg(750)->Arg(10000)->Unit(benchmark::kMicrosecond);

template <bool Tsp>
void update_network(benchmark::State& state) {
  const DecisionGraph graph = graph_of(state, Tsp);
  ModelConfig config;
  config.family = Tsp ? "tsp" : "mis";
  const Model model = random_model(config, 1);
  const ParameterLayout layout(config);
  const auto network = cpu::make_network(config, "update", layout, model.weights.data());
  const std::vector<float> global(kGlobalFeatures, 0.5f);
  std::vector<float> theta(static_cast<std::size_t>(graph.variables));
  cpu::NetworkWorkspace workspace;
  cpu::NetworkInput input;
  input.global = global.data();
  input.features = [](Index begin, Index end, float* rows) {
    std::fill_n(rows, static_cast<std::size_t>(end - begin) * kVariableFeatures, 0.25f);
  };
  for (auto _ : state) {
    benchmark::DoNotOptimize(network->forward(graph, input, Executor(), workspace, theta.data()));
  }
}
BENCHMARK(update_network<true>)->Name("tsp_gnn_update")->Arg(100)->Arg(500)->Unit(benchmark::kMillisecond);
BENCHMARK(update_network<false>)->Name("mis_gnn_update")->Arg(750)->Arg(10000)->Unit(benchmark::kMillisecond);

}  // namespace
