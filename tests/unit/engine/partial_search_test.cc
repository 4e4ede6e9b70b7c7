// Partial samples inside the steps of the CPU engine: what is found, kept and gone on with, whoever computes it.
#include <atomic>
#include <limits>

#include <gtest/gtest.h>

#include "moco/engine/cpu/cpu_engine.h"
#include "moco/error.h"
#include "moco/problem.h"
#include "moco/search/algorithm.h"
#include "one_search.h"
#include "run_batch.h"

namespace moco {
namespace {

using test::expect_same_state;
using test::run_batch;

/// Searches of a few instances that change a good solution.
struct PartialSearches {
  PartialSearches(const std::string& family, UpdateRule rule, int steps = 6)
      : model(test::small_model(family, usual_init(rule, family), rule)) {
    for (const Index nodes : {30, 61}) {
      graphs.push_back(test::small_graph(family, nodes));
    }
    spec.config = model.config;
    spec.loop.samples = 9;
    spec.loop.steps = steps;
    spec.loop.rebuild = 8;
    spec.weights = {{model.weights, 0.0f, {}}};
    spec.keep_samples = true;
    for (std::size_t i = 0; i < graphs.size(); ++i) {
      spec.graphs.push_back(&graphs[i]);
      for (std::uint64_t run = 0; run < 2; ++run) {
        spec.trajectories.push_back({i, 0, stream_key(3, i, run), static_cast<Index>(run), nullptr});
      }
    }
  }

  Model model;
  std::vector<DecisionGraph> graphs;
  BatchSpec spec;
};

class PartialSearchTest : public ::testing::TestWithParam<std::tuple<std::string, UpdateRule>> {
 protected:
  std::string family() const { return std::get<0>(GetParam()); }
  UpdateRule rule() const { return std::get<1>(GetParam()); }
};

TEST_P(PartialSearchTest, ThreadsAndBatchingDoNotChangeAnything) {
  const PartialSearches searches(family(), rule());
  const auto reference = run_batch(searches.spec, 1);
  for (const int threads : {2, 5}) {
    const auto other = run_batch(searches.spec, threads);
    for (std::size_t t = 0; t < reference.size(); ++t) {
      expect_same_state(reference[t], other[t]);
      EXPECT_EQ(reference[t].samples, other[t].samples);
    }
  }
  BatchSpec unseen = searches.spec;
  unseen.keep_samples = false;
  const auto others = run_batch(unseen, 2);
  for (std::size_t t = 0; t < reference.size(); ++t) {
    expect_same_state(reference[t], others[t]);
    BatchSpec one = searches.spec;
    one.trajectories = {searches.spec.trajectories[t]};
    expect_same_state(reference[t], run_batch(one, 3)[0]);
  }
}

// Costs of the elite are those of its solutions, its best never gets worse, and every sample is a solution.
TEST_P(PartialSearchTest, SolutionsAreFeasibleAndTheBestStays) {
  for (const EliteRule elite : {EliteRule::paper, EliteRule::distinct, EliteRule::newest}) {
    PartialSearches searches(family(), rule());
    searches.spec.loop.elite = elite;
    const auto engine = make_cpu_engine(2);
    const auto batch = engine->create(searches.spec);
    batch->begin();
    std::vector<double> best(searches.spec.trajectories.size(), std::numeric_limits<double>::infinity());
    for (int step = 0; step < 25; ++step) {
      batch->sample();
      for (std::size_t t = 0; t < best.size(); ++t) {
        const DecisionGraph& graph = searches.graphs[searches.spec.trajectories[t].graph];
        const TrajectorySnapshot now = batch->snapshot(t);
        const std::vector<Solution> elites = batch->elite(t);
        ASSERT_EQ(elites.size(), now.elite_costs.size());
        for (std::size_t l = 0; l < elites.size(); ++l) {
          const CheckResult check = graph.instance->check(elites[l]);
          EXPECT_TRUE(check.feasible) << check.violation;
          EXPECT_NEAR(check.cost, now.elite_costs[l], 1e-9 * std::abs(check.cost));
        }
        EXPECT_LE(now.elite_costs.front(), best[t]);
        best[t] = now.elite_costs.front();
        ASSERT_EQ(now.samples.size(), 9u);
        for (std::size_t s = 0; s < now.samples.size(); ++s) {
          const CheckResult check = graph.instance->check({now.samples[s]});
          EXPECT_TRUE(check.feasible) << check.violation;
          EXPECT_NEAR(check.cost, now.sample_costs[s], 1e-9 * std::abs(check.cost));
          EXPECT_GE(check.cost, best[t] - 1e-9 * std::abs(check.cost)) << "the best sample is in the elite";
        }
      }
      batch->update();
    }
  }
}

TEST_P(PartialSearchTest, FindsMoreThanItsFirstSamplesAndLocalSearch) {
  const PartialSearches searches(family(), rule());
  BatchSpec longer = searches.spec;
  longer.loop.steps = 60;
  BatchSpec shorter = searches.spec;
  shorter.loop.steps = 2;
  const auto before = run_batch(shorter, 2);
  const auto after = run_batch(longer, 2);
  double gained = 0.0;
  for (std::size_t t = 0; t < before.size(); ++t) {
    gained += before[t].elite_costs.front() - after[t].elite_costs.front();
  }
  EXPECT_GT(gained, 0.0);
}

TEST_P(PartialSearchTest, BeginsWithAWarmStart) {
  PartialSearches searches(family(), rule());
  const auto known = run_batch(searches.spec, 1);
  const auto engine = make_cpu_engine(1);
  const auto batch = engine->create(searches.spec);
  batch->begin();
  batch->sample();
  const Solution start = batch->best_solution(0);
  const double cost = batch->snapshot(0).elite_costs.front();
  searches.spec.trajectories = {searches.spec.trajectories.front()};
  searches.spec.trajectories[0].warm_start = &start;
  const auto again = engine->create(searches.spec);
  again->begin();
  again->sample();
  const TrajectorySnapshot first = again->snapshot(0);
  EXPECT_LE(first.elite_costs.front(), cost);
  const CheckResult best = searches.graphs[0].instance->check(again->best_solution(0));
  for (const double sample : first.sample_costs) {
    EXPECT_LT(sample, best.cost + 0.6 * std::abs(best.cost)) << "changes of a good solution, no whole samples";
  }
  again->begin();  // from the beginning
  again->sample();
  expect_same_state(again->snapshot(0), first);
}

TEST_P(PartialSearchTest, EndsInsideAStepWithWhatItHas) {
  const PartialSearches searches(family(), rule());
  BatchSpec spec = searches.spec;
  std::atomic<int> looks = 0;
  int allowed = std::numeric_limits<int>::max();
  const Halt halt(Halt::Clock::now(), std::numeric_limits<double>::infinity(), [&] { return ++looks > allowed; });
  spec.halt = &halt;
  const auto engine = make_cpu_engine(1);
  const auto batch = engine->create(spec);
  batch->begin();
  batch->sample();
  batch->advance(2);
  for (const int more : {0, 3, 12}) {
    std::vector<double> before;
    for (const TrajectoryStatus& status : batch->status()) {
      before.push_back(status.best_cost);
    }
    allowed = looks + more;
    EXPECT_THROW(batch->sample(), Halted);
    allowed = std::numeric_limits<int>::max();
    for (std::size_t t = 0; t < before.size(); ++t) {
      EXPECT_LE(batch->status()[t].best_cost, before[t]);
      const DecisionGraph& graph = searches.graphs[spec.trajectories[t].graph];
      EXPECT_TRUE(graph.instance->check(batch->best_solution(t)).feasible);
    }
    batch->sample();  // nothing stands against going on
  }
}

TEST_P(PartialSearchTest, MemoryIsCounted) {
  const PartialSearches searches(family(), rule());
  const auto engine = make_cpu_engine(2);
  BatchSpec whole = searches.spec;
  whole.loop.rebuild = 0;
  const std::uint64_t least = engine->memory_need(whole).engine;
  EXPECT_GT(engine->memory_need(searches.spec).engine, least + 20 * (30 + 61));
}

TEST_P(PartialSearchTest, OneSampleOfOneStepHasNoGradient) {
  PartialSearches searches(family(), rule());
  searches.spec.loop.samples = 1;
  for (const TrajectorySnapshot& now : run_batch(searches.spec, 1)) {
    for (const float value : now.gradient) {
      EXPECT_EQ(value, 0.0f) << "the only sample is the mean";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, PartialSearchTest,
                         ::testing::Combine(::testing::Values("tsp", "mis"),
                                            ::testing::Values(UpdateRule::gnn, UpdateRule::adam)));

TEST(PartialSearches, AdvantagesAreOfWhatWasChosenOrOfWhatItWasMendedTo) {
  PartialSearches searches("tsp", UpdateRule::adam);
  searches.spec.loop.steps = 3;
  const auto sampled = run_batch(searches.spec, 1);
  searches.spec.loop.advantage = AdvantageKind::improved;
  const auto improved = run_batch(searches.spec, 1);
  searches.spec.loop.gradient = GradientKind::causal;
  const auto causal = run_batch(searches.spec, 1);
  EXPECT_NE(sampled[2].gradient, improved[2].gradient);
  EXPECT_NE(causal[2].gradient, improved[2].gradient);
}

}  // namespace
}  // namespace moco
