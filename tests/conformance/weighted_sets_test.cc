// Heaviest sets of thousands of small graphs, found by trying all sets: what kicks find, and that the local search ends
// where no swap helps.
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "conformance/neighbourhoods.h"
#include "moco/core/halt.h"
#include "moco/core/random.h"
#include "moco/policy/kicks.h"
#include "moco/policy/local_search.h"
#include "options.h"

namespace moco {
namespace {

/// Up to ten nodes, any density, weights of one of several kinds.
std::shared_ptr<const GraphInstance> small_graph(std::uint64_t number) {
  RandomSequence random(stream_key(41, number, 0), Purpose::generator);
  const auto n = static_cast<Index>(1 + random.next_below(10));
  const double density = random.next_double();
  std::vector<Edge> edges;
  std::vector<double> weights;
  for (Index node = 0; node < n; ++node) {
    for (Index other = 0; other < node; ++other) {
      if (random.next_double() < density) {
        edges.push_back({other, node});
      }
    }
    const double real = 1.0 - random.next_double();
    const double kinds[] = {real, 1.0 + random.next_below(5), real < 0.3 ? 0.0 : real, std::pow(10.0, 12.0 * real),
                            3.0,  real < 0.2 ? 50.0 : 1.0};
    weights.push_back(kinds[number % 6]);
  }
  return std::make_shared<GraphInstance>(mis(), "small", n, edges, weights);
}

double heaviest(const GraphInstance& instance) {
  double best = 0.0;
  for (unsigned mask = 0; mask < 1u << instance.size(); ++mask) {
    Solution set;
    for (Index node = 0; node < instance.size(); ++node) {
      if ((mask >> node & 1u) != 0) {
        set.items.push_back(node);
      }
    }
    const CheckResult check = instance.check(set);
    best = check.feasible ? std::min(best, check.cost) : best;
  }
  return best;
}

TEST(WeightedSets, KicksFindTheHeaviestOfSmallGraphs) {
  const Halt never(Halt::Clock::now(), std::numeric_limits<double>::infinity());
  for (std::uint64_t number = 0; number < 2000; ++number) {
    const auto instance = small_graph(number);
    const DecisionGraph graph = decision_graph(instance);
    Solution set = mis().greedy_items(graph, {}, never);
    double told = 0.0;
    mis().kicks(graph)->run(set.items, stream_key(5, number, 0), [&](const KickMoment& moment) {
      told = moment.best;
      return static_cast<double>(moment.kicks) / 320.0;
    });
    const CheckResult check = instance->check(set);
    ASSERT_TRUE(check.feasible) << check.violation;
    const double best = heaviest(*instance);
    EXPECT_NEAR(check.cost, best, 1e-12 * std::abs(best)) << "graph " << number;
    if (told != 0.0) {
      EXPECT_NEAR(told, best, 1e-12 * std::abs(best)) << "graph " << number;
    }
  }
}

TEST(WeightedSets, SwapsEndWhereNoneIsLeft) {
  for (std::uint64_t number = 0; number < 3000; ++number) {
    const auto instance = small_graph(number);
    const DecisionGraph graph = decision_graph(instance);
    RandomSequence random(stream_key(6, number, 0), Purpose::generator);
    for (const int plateau_steps : {0, 6}) {
      const auto search =
          mis().local_search(graph, {.name = "swap12"}, OptionValues().set("plateau_steps", plateau_steps));
      Solution set;  // any independent set, not always a maximal one
      for (Index node = 0; node < instance->size(); ++node) {
        set.items.push_back(node);
        if (random.next_below(2) == 0 || !instance->check(set).feasible) {
          set.items.pop_back();
        }
      }
      const double before = instance->check(set).cost;
      LocalSearchScratch scratch;
      search->improve(set.items, scratch, {});
      const CheckResult check = instance->check(set);
      ASSERT_TRUE(check.feasible) << check.violation;
      EXPECT_LE(check.cost, before + 1e-12 * std::abs(before)) << "graph " << number;
      EXPECT_FALSE(test::has_swap(graph, set.items)) << "graph " << number;
      EXPECT_TRUE(std::ranges::is_sorted(set.items));
    }
  }
}

TEST(WeightedSets, PlateauStepsFindHeavierOnes) {
  double without = 0.0;
  double with = 0.0;
  for (std::uint64_t number = 0; number < 500; ++number) {
    const auto instance = small_graph(number);
    const DecisionGraph graph = decision_graph(instance);
    for (const int plateau_steps : {0, 30}) {
      Solution set;
      LocalSearchScratch scratch;
      mis()
          .local_search(graph, {.name = "swap12"}, OptionValues().set("plateau_steps", plateau_steps))
          ->improve(set.items, scratch, {});
      (plateau_steps == 0 ? without : with) += instance->check(set).cost / graph.cost_scale;
    }
  }
  EXPECT_LT(with, without);
}

}  // namespace
}  // namespace moco
