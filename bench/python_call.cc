// One search of one step on TSP100 by the library alone, again and again: the yardstick of bench/python_call.py, which
// starts this program and asks it for a number of calls by a line on standard input. Prints the median in microseconds.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "moco/generate.h"
#include "moco/models.h"
#include "moco/solver.h"

int main() {
  moco::GeneratorOptions generator;
  generator.nodes = 100;
  const std::vector<moco::InstancePtr> instances = {moco::generate(generator)};
  moco::SolveOptions options;
  options.loop.steps = 1;
  const moco::Model model = moco::ModelStore().load("tsp100");
  moco::follow_training(model, 100.0, options.loop);
  moco::Solver solver(model, {.engine = moco::EngineKind::cpu, .threads = 1});
  int calls = 0;
  while (std::scanf("%d", &calls) == 1) {
    std::vector<double> times;
    for (int i = 0; i < calls; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      const double cost = solver.solve(instances, options).front().cost;
      const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - begin;
      times.push_back(cost > 0.0 ? time.count() : 0.0);
    }
    std::ranges::nth_element(times, times.begin() + calls / 2);
    std::printf("%.1f\n", times[static_cast<std::size_t>(calls) / 2]);
    std::fflush(stdout);
  }
}
