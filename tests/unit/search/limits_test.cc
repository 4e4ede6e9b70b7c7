// Ends in the middle of things: there is always a checked solution, and what was found before counts.
#include <atomic>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "moco/core/halt.h"
#include "moco/error.h"
#include "moco/generate.h"
#include "moco/problems/decision_graph.h"
#include "moco/solve.h"
#include "options.h"
#include "unit/search/small_search.h"

namespace moco {
namespace {

using search_test::quick;
using search_test::small_model;

InstancePtr instance_of(const std::string& kind, Index nodes) {
  GeneratorOptions generator = test_generator(kind);
  generator.nodes = nodes;
  set_where_declared(generator, "probability", 0.1);
  return generate(generator);
}

class Limits : public ::testing::TestWithParam<std::string> {
 protected:
  std::string problem() const { return GetParam(); }
  std::vector<InstancePtr> one(Index nodes) const {
    return {instance_of(problem() == "tsp" ? "uniform" : "er", nodes)};
  }
};

TEST_P(Limits, AnInterruptionAtAnyMomentLeavesASolution) {
  const auto all = one(60);
  for (int after = 0; after < 400; after += 7) {
    for (const bool greedy : {false, true}) {
      std::atomic<int> asked = 0;
      SolveOptions options = quick(problem());
      options.greedy_start = greedy;
      options.kicks = greedy ? 500 : 0;
      options.loop.local_search.name = greedy ? (problem() == "tsp" ? "2opt+oropt" : "swap12") : "";
      options.interrupted = [&] { return ++asked > after; };
      const auto results = solve_once(all, small_model(problem()), options);
      ASSERT_EQ(results.size(), 1u);
      ASSERT_TRUE(results[0].feasible) << after;
      if (results[0].stop != StopReason::signal) {
        EXPECT_NE(results[0].stop, StopReason::time_limit) << after;
      }
    }
  }
}

TEST_P(Limits, AWarmStartOutlivesAnInterruption) {
  const auto all = one(60);
  SolveOptions options = quick(problem());
  options.warm_start = {solve_once(all, small_model(problem()), options)[0].solution};
  options.interrupted = [] { return true; };
  EXPECT_EQ(solve_once(all, small_model(problem()), options)[0].cost, all[0]->check(options.warm_start[0]).cost);
}

TEST_P(Limits, NoTimeAtAllStillGivesASolution) {
  SolveOptions options = quick(problem());
  options.loop.restarts = 50;
  options.time_limit = 1e-9;
  const auto results = solve_once(one(200), small_model(problem()), options);
  EXPECT_TRUE(results[0].feasible);
  EXPECT_EQ(results[0].stop, StopReason::time_limit);
  EXPECT_EQ(results[0].steps, 0);
}

TEST_P(Limits, KicksUseTheTimeLimitAndRepeatsToo) {
  SolveOptions options = quick(problem());
  options.greedy_start = true;
  options.loop.steps = 0;
  options.kicks = kKicksUntilTimeLimit;
  options.time_limit = 0.5;  // room for slow builds
  auto results = solve_once(one(50), small_model(problem()), options);
  EXPECT_TRUE(results[0].feasible);
  EXPECT_EQ(results[0].stop, StopReason::time_limit);
  EXPECT_GT(results[0].kicks, 0);
  EXPECT_EQ(results[0].steps, 0);

  options = quick(problem());
  options.loop.steps = 2;
  options.fill_time = true;
  options.time_limit = 1.0;
  results = solve_once(one(20), small_model(problem()), options);
  EXPECT_EQ(results[0].stop, StopReason::time_limit);
  EXPECT_GT(results[0].steps, 2);  // more than one search

  options.time_limit = std::numeric_limits<double>::infinity();
  options.fill_time = false;
  options.kicks = kKicksUntilTimeLimit;
  EXPECT_THROW(solve_once(one(20), small_model(problem()), options), OptionError);
}

TEST_P(Limits, TheGreedySolutionIsTheFloor) {
  const auto all = one(80);
  const Halt never(Halt::Clock::now(), std::numeric_limits<double>::infinity());
  const double greedy =
      all[0]->check(all[0]->problem().greedy_items(decision_graph(all[0], test_neighbours(8)), {}, never)).cost;
  SolveOptions options = quick(problem());
  options.loop.steps = 1;
  options.loop.samples = 1;
  EXPECT_GT(solve_once(all, small_model(problem()), options)[0].cost, greedy);  // an untrained model's first sample
  options.greedy_start = true;
  const SolveResult alone = solve_once(all, small_model(problem()), options)[0];
  const double floor = alone.cost;
  EXPECT_LT(floor, greedy);  // after its local search
  EXPECT_EQ(alone.kicks_engine, "");
  options.kicks = 2000;
  const SolveResult kicked = solve_once(all, small_model(problem()), options)[0];
  EXPECT_LE(kicked.cost, floor);
  EXPECT_EQ(kicked.unpolished_cost, floor);
  EXPECT_EQ(kicked.stop, StopReason::kicks);
  EXPECT_GE(kicked.kicks, 2000);
  EXPECT_EQ(kicked.kicks_engine, "cpu");
}

TEST_P(Limits, KicksStopAtTheTarget) {
  const auto all = one(80);
  SolveOptions options = quick(problem());
  options.greedy_start = true;
  options.loop.steps = 0;
  options.kicks = 3000;
  const double reachable = solve_once(all, small_model(problem()), options)[0].cost;
  options.kicks = 1'000'000'000;
  options.target = reachable;
  const SolveResult result = solve_once(all, small_model(problem()), options)[0];
  EXPECT_EQ(result.stop, StopReason::target);
  EXPECT_LE(result.cost, reachable + 1e-9 * std::abs(reachable));
}

INSTANTIATE_TEST_SUITE_P(Problems, Limits, ::testing::Values("tsp", "mis"));

TEST(LocalSearchOnAsymmetricInstances, TwoOptAloneIsRefused) {
  const std::vector<double> matrix = {0, 1, 2, 3, 0, 1, 5, 2, 0};
  const auto instance = std::make_shared<TspInstance>("one-way", 3, matrix);
  SolveOptions options = quick();
  options.loop.local_search.name = "2opt";
  const std::vector<InstancePtr> all = {instance};
  EXPECT_THROW(solve_once(all, small_model("tsp"), options), OptionError);
  EXPECT_THROW(improve(instance, {{0, 1, 2}}, options.loop.local_search), OptionError);
  options.loop.local_search.name = "oropt3";
  EXPECT_TRUE(solve_once(all, small_model("tsp"), options)[0].feasible);
}

}  // namespace
}  // namespace moco
