// Local search on sampled tours against a plain 2-opt that scans all pairs of edges, in one run and one thread: moves
// per second, seconds per 1000 tours, and what they reach. Then (1,2)-swaps on sampled independent sets.
//
//   build/release/bench/local_search [TOURS]
//
// The share of a step that local search takes on a device: bench/anchors --local-search NAME --profile.
#include "moco/local_search.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "moco/generate.h"
#include "moco/policy/construction.h"
#include "moco/policy/local_search.h"
#include "moco/problem.h"
#include "moco/problems/decision_graph.h"

namespace moco {
namespace {

/// Solutions drawn from the policy of the Adam baseline's first θ, ten times as sharp.
std::vector<Solution> draw(const DecisionGraph& graph, Index count) {
  const auto construction = graph.instance->problem().construction(graph, {});
  std::vector<float> theta(static_cast<std::size_t>(graph.variables));
  for (std::size_t v = 0; v < theta.size(); ++v) {
    theta[v] = 10.0f * construction->heuristic(static_cast<Index>(v));
  }
  SampleSet set;
  set.reshape(1, construction->stride(), graph.nodes, false);
  SampleScratch scratch;
  std::vector<Solution> solutions;
  for (Index i = 0; i < count; ++i) {
    construction->sample(theta.data(), {{1, 2}, static_cast<std::uint32_t>(i), 0, 0}, set, scratch);
    solutions.push_back(construction->decode(set.items.data(), set.lengths[0]));
  }
  return solutions;
}

/// Every pair of edges, again and again until no exchange helps; no lists, no queue.
std::int64_t full_scan_two_opt(const TspInstance& instance, std::vector<Index>& tour) {
  const std::size_t n = tour.size();
  std::int64_t moves = 0;
  for (bool improved = true; improved;) {
    improved = false;
    for (std::size_t i = 0; i + 2 < n; ++i) {
      for (std::size_t j = i + 2; j < n; ++j) {
        const Index after = tour[(j + 1) % n];
        if (after == tour[i]) {
          continue;
        }
        const double removed = instance.distance(tour[i], tour[i + 1]) + instance.distance(tour[j], after);
        const double added = instance.distance(tour[i], tour[j]) + instance.distance(tour[i + 1], after);
        if (removed - added > 1e-9 * removed) {
          std::reverse(tour.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                       tour.begin() + static_cast<std::ptrdiff_t>(j) + 1);
          ++moves;
          improved = true;
        }
      }
    }
  }
  return moves;
}

struct Measured {
  double seconds = 0.0;
  double cost = 0.0;  ///< mean
  std::int64_t moves = 0;
};

template <typename Improve>
Measured measure(const Instance& instance, std::vector<Solution> solutions, const Improve& improve) {
  Measured result;
  const std::clock_t begin = std::clock();  // of the processor: other programs do not count
  for (Solution& solution : solutions) {
    result.moves += improve(solution.items);
  }
  result.seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  for (const Solution& solution : solutions) {
    result.cost += instance.check(solution).cost / static_cast<double>(solutions.size());
  }
  return result;
}

void print_row(const std::string& name, std::size_t count, const Measured& row, double reference) {
  fmt::print("{:<22} {:>9.4f} {:>9.1f} {:>12.0f} {:>12.4f}", name, row.cost,
             static_cast<double>(row.moves) / static_cast<double>(count),
             row.seconds > 0.0 ? static_cast<double>(row.moves) / row.seconds : 0.0,
             1000.0 * row.seconds / static_cast<double>(count));
  fmt::print("{}\n", reference > 0.0 ? fmt::format(" {:>10.1f}", reference / row.seconds) : "");
}

void measure_all(const InstancePtr& instance, Index count) {
  const DecisionGraph graph = decision_graph(instance);
  const std::vector<Solution> given = draw(graph, count);
  const auto* tsp = dynamic_cast<const TspInstance*>(instance.get());
  fmt::print("\n{} n={}: {} solutions, one thread\n", instance->problem().name(), instance->size(), given.size());
  fmt::print("{:<22} {:>9} {:>9} {:>12} {:>12} {:>10}\n", "search", "mean cost", "moves", "moves/s", "s per 1000",
             tsp != nullptr ? "speed-up" : "");
  print_row("none", given.size(), measure(*instance, given, [](auto&) { return 0; }), 0.0);
  double reference = 0.0;
  if (tsp != nullptr) {
    const Measured plain =
        measure(*instance, given, [&](std::vector<Index>& tour) { return full_scan_two_opt(*tsp, tour); });
    reference = plain.seconds;
    print_row("full-scan 2-opt", given.size(), plain, reference);
  }
  const OptionDeclaration* move_rule = find_option(instance->problem().options(), "move_rule");
  const std::vector<std::string_view> rules =
      move_rule == nullptr ? std::vector<std::string_view>{""} : move_rule->choices;
  for (const std::string_view name : local_search_names(instance->problem())) {
    for (const std::string_view rule : rules) {
      OptionValues options;
      if (!rule.empty()) {
        options.set("move_rule", rule);
      }
      const auto search = instance->problem().local_search(graph, {.name = std::string(name)}, options);
      LocalSearchScratch scratch;
      const Measured row =
          measure(*instance, given, [&](std::vector<Index>& items) { return search->improve(items, scratch, {}); });
      print_row(fmt::format("{} {}", name, rule), given.size(), row, reference);
    }
  }
}

}  // namespace
}  // namespace moco

int main(int count, char** values) {
  const moco::Index tours = count > 1 ? std::max(1, std::atoi(values[1])) : 100;
  for (const moco::Index nodes : {100, 200, 500, 1000}) {
    moco::measure_all(moco::generate({.problem = "tsp", .kind = "uniform", .nodes = nodes}), tours);
  }
  moco::GeneratorOptions graphs{.problem = "mis", .kind = "er", .nodes = 750};
  graphs.own.set("probability", 0.15);
  moco::measure_all(moco::generate(graphs), tours);
}
