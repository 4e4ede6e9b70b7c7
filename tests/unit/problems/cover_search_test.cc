// Covers by weights on edges: against all sets of small graphs, and as the second part of kicks.
#include "moco/problems/mis/cover_search.h"

#include <algorithm>
#include <bit>
#include <functional>

#include <gtest/gtest.h>

#include "moco/generate.h"
#include "moco/policy/kicks.h"
#include "moco/problem.h"
#include "options.h"

namespace moco {
namespace {

DecisionGraph random_graph(Index nodes, double probability, std::uint64_t seed) {
  GeneratorOptions options = test_generator("er");
  options.nodes = nodes;
  options.seed = seed;
  options.own.set("probability", probability);
  return decision_graph(generate(options));
}

void expect_independent(const DecisionGraph& graph, const std::vector<Index>& set) {
  std::vector<char> in(static_cast<std::size_t>(graph.nodes), 0);
  for (const Index node : set) {
    ASSERT_EQ(in[static_cast<std::size_t>(node)], 0) << "twice";
    in[static_cast<std::size_t>(node)] = 1;
  }
  for (const Index node : set) {
    for (const Index other : neighbours_of(graph, node)) {
      EXPECT_EQ(in[static_cast<std::size_t>(other)], 0) << node << " and " << other;
    }
  }
}

/// Of all sets.
std::size_t largest(const DecisionGraph& graph) {
  std::size_t best = 0;
  for (std::uint32_t set = 0; set < (1u << graph.nodes); ++set) {
    bool independent = true;
    for (Index node = 0; node < graph.nodes && independent; ++node) {
      for (const Index other : neighbours_of(graph, node)) {
        independent = independent && ((set >> node) & (set >> other) & 1u) == 0;
      }
    }
    best = independent ? std::max(best, static_cast<std::size_t>(std::popcount(set))) : best;
  }
  return best;
}

TEST(CoverSearch, FindsTheLargestSetsOfSmallGraphs) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const DecisionGraph graph = random_graph(14, 0.1 + 0.02 * static_cast<double>(seed), seed);
    CoverSearch search(graph, {}, stream_key(seed, 0, 0));
    std::size_t size = 0;
    for (int i = 0; i < 2000 && search.step(); ++i) {
      expect_independent(graph, search.best());
      EXPECT_GE(search.best().size(), size);
      size = search.best().size();
    }
    EXPECT_EQ(search.best().size(), largest(graph)) << seed;
  }
}

TEST(CoverSearch, EndsWhereOneNodeCoversAll) {
  const std::vector<Edge> edges{{0, 1}, {0, 2}, {0, 3}, {0, 4}};
  const DecisionGraph star = decision_graph(std::make_shared<GraphInstance>(find_problem("mis"), "star", 5, edges));
  CoverSearch search(star, {0}, stream_key(1, 0, 0));
  int steps = 0;
  while (steps < 1000 && search.step()) {
    ++steps;
  }
  EXPECT_LT(steps, 1000);
  EXPECT_EQ(search.best(), (std::vector<Index>{1, 2, 3, 4}));
}

TEST(CoverSearch, IsForGraphsWhoseEdgesItComesToSeveralTimes) {
  const DecisionGraph graph = random_graph(100, 0.1, 1);
  const double edges = static_cast<double>(graph.targets.size()) / 2.0;
  EXPECT_FALSE(CoverSearch::suits(graph, 7.0 * edges));
  EXPECT_TRUE(CoverSearch::suits(graph, 9.0 * edges));
  EXPECT_FALSE(CoverSearch::suits(random_graph(10, 0.0, 1), 1e9)) << "nothing to cover";
}

/// It takes over from kicks, goes on where they ended, and is told of.
TEST(CoverSearch, IsTheSecondPartOfKicks) {
  const DecisionGraph graph = random_graph(1000, 0.03, 3);
  const auto kicks = graph.instance->problem().kicks(graph);
  constexpr std::int64_t all = 150'000;
  double by_kicks = 0.0;  // the best before covers
  const auto run = [&](std::vector<double>& bests) {
    std::vector<Index> set;
    std::int64_t last = 0;
    const std::int64_t done = kicks->run(set, stream_key(1, 0, 0), [&](const KickMoment& moment) {
      EXPECT_GE(moment.kicks, last);
      last = moment.kicks;
      if (moment.settled) {
        bests.push_back(moment.best);
        by_kicks = moment.kicks <= all * 3 / 20 ? moment.best : by_kicks;
        EXPECT_TRUE(moment.items != nullptr);
      }
      return static_cast<double>(moment.kicks) / static_cast<double>(all);
    });
    EXPECT_GE(done, all);
    EXPECT_LT(done, all + 1000);
    expect_independent(graph, set);
    EXPECT_TRUE(std::ranges::is_sorted(bests, std::greater<>()));
    EXPECT_LE(-static_cast<double>(set.size()), bests.back());
    return set;
  };
  std::vector<double> bests;
  const std::vector<Index> set = run(bests);
  std::vector<double> again;
  EXPECT_EQ(run(again), set);
  EXPECT_EQ(again, bests);
  EXPECT_GT(static_cast<double>(set.size()), -by_kicks) << "covers find more";
}

}  // namespace
}  // namespace moco
