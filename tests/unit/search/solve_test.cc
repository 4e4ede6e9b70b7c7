// The public solver: determinism, options, errors.
#include "moco/solve.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <set>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "moco/error.h"
#include "moco/generate.h"
#include "options.h"
#include "unit/search/small_search.h"

namespace moco {
namespace {

using search_test::quick;
using search_test::small_model;

std::vector<InstancePtr> instances_of(const std::string& kind, Index nodes, std::size_t count) {
  GeneratorOptions generator = test_generator(kind);
  generator.nodes = nodes;
  std::vector<InstancePtr> all;
  for (std::size_t i = 0; i < count; ++i) {
    all.push_back(generate(generator, i));
  }
  return all;
}

class SolveTest : public ::testing::TestWithParam<std::tuple<std::string, std::string>> {
 protected:
  std::string problem() const { return std::get<0>(GetParam()); }
  Model model() const { return std::get<1>(GetParam()) == "adam" ? adam_model(problem()) : small_model(problem()); }
  std::vector<InstancePtr> instances(Index nodes, std::size_t count) const {
    return instances_of(problem() == "tsp" ? "uniform" : "er", nodes, count);
  }
};

TEST_P(SolveTest, EpisodesAreRestartsOfFewerSteps) {
  const auto all = instances(30, 2);
  SolveOptions whole = quick(problem());
  whole.loop.steps = 4;
  whole.loop.restarts = 6;
  SolveOptions cut = quick(problem());
  cut.loop.steps = 13;
  cut.loop.restarts = 2;
  cut.loop.episode_steps = 5;  // three episodes of four steps
  int last = 0;
  std::size_t seen = 0;
  cut.progress = [&](const Progress& progress) {
    EXPECT_EQ(progress.step, progress.instance == seen ? last + 1 : 1);  // none is left out
    EXPECT_EQ(progress.steps, 4);
    seen = progress.instance;
    last = progress.step;
  };
  const auto expected = solve_once(all, model(), whole);
  const auto results = solve_once(all, model(), cut);
  ASSERT_EQ(results.size(), expected.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    EXPECT_EQ(results[i].solution.items, expected[i].solution.items);
    EXPECT_EQ(results[i].steps, 12);
  }
  EXPECT_EQ(last, 4);
}

TEST(EpisodeLoop, NeverExceedsTheSteps) {
  const auto cut = [](int steps, int episode_steps) {
    LoopOptions loop;
    loop.steps = steps;
    loop.restarts = 2;
    loop.episode_steps = episode_steps;
    const LoopOptions episode = episode_loop(loop);
    EXPECT_EQ(episode.episode_steps, 0);
    return std::pair(episode.steps, episode.restarts);
  };
  EXPECT_EQ(cut(200, 0), std::pair(200, 2));
  EXPECT_EQ(cut(200, 50), std::pair(50, 8));
  EXPECT_EQ(cut(74, 50), std::pair(74, 2));
  EXPECT_EQ(cut(76, 50), std::pair(38, 4));
  EXPECT_EQ(cut(101, 50), std::pair(50, 4));
  EXPECT_EQ(cut(1, 50), std::pair(1, 2));
  EXPECT_EQ(cut(7, 1), std::pair(1, 14));
  EXPECT_EQ(cut(19, 2), std::pair(1, 20)) << "ten episodes, although 19 would fit";
  EXPECT_EQ(cut(1'000'000'000, 50), std::pair(62'500'000, 32)) << "at most 16";
}

TEST(FollowTraining, TakesOverEverythingButTheBudget) {
  Model model = random_model({.hidden = 8, .blocks = 1}, 1);
  LoopOptions loop;
  loop.steps = 7;
  follow_training(model, 100.0, loop);
  EXPECT_EQ(loop.gradient, GradientKind::total) << "a model that does not say leaves all as it is";
  model.search = {.steps = 200,
                  .samples = 64,
                  .episode_steps = 50,
                  .nodes = 100,
                  .problem = OptionValues().set("neighbours", 9),
                  .gradient = GradientKind::causal,
                  .local_search = {"2opt", 3},
                  .advantage = AdvantageKind::improved,
                  .rebuild = 12};
  loop.problem.set("dead_end", "penalty");
  follow_training(model, 240.0, loop);
  EXPECT_EQ(loop.steps, 7);
  EXPECT_EQ(loop.samples, LoopOptions().samples);
  EXPECT_EQ(loop.episode_steps, 120) << "in proportion with the size";
  EXPECT_EQ(loop.problem, OptionValues().set("neighbours", 9).set("dead_end", "penalty"));
  EXPECT_EQ(loop.gradient, GradientKind::causal);
  EXPECT_EQ(loop.local_search, (LocalSearchOptions{"2opt", 3}));
  EXPECT_EQ(loop.advantage, AdvantageKind::improved);
  EXPECT_EQ(loop.rebuild, 12);
  follow_training(model, 50.0, loop);
  EXPECT_EQ(loop.episode_steps, 50) << "not shorter for smaller instances";
}

TEST_P(SolveTest, RefusesNegativeEpisodes) {
  SolveOptions options = quick(problem());
  options.loop.episode_steps = -1;
  EXPECT_THROW(solve_once(instances(10, 1), model(), options), OptionError);
}

TEST_P(SolveTest, ChangesOneGoodSolutionAfterTheFirstSamples) {
  const auto all = instances(60, 2);
  SolveOptions options = quick(problem());
  options.loop.steps = 12;
  const auto whole = solve_once(all, model(), options);
  options.loop.rebuild = 10;
  const auto partial = solve_once(all, model(), options, {EngineKind::cpu, 1});
  EXPECT_EQ(solve_once(all, model(), options, {EngineKind::cpu, 2}).at(1).solution, partial.at(1).solution);
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_TRUE(partial[i].feasible);
    EXPECT_EQ(partial[i].steps, 12);
    if (problem() == "tsp") {
      EXPECT_LT(partial[i].cost, whole[i].cost) << "they come with a local search";
    }
  }
  options.greedy_start = true;
  const auto warm = solve_once(all, model(), options);
  EXPECT_TRUE(warm.at(0).feasible);
  options.loop.rebuild = -1;
  EXPECT_THROW(solve_once(all, model(), options), OptionError);
}

TEST_P(SolveTest, SameSeedSameAnswerWhateverTheThreadsAndBatches) {
  const auto all = instances(30, 3);
  SolveOptions options = quick(problem());
  options.seed = 7;
  options.loop.restarts = 3;
  const auto reference = solve_once(all, model(), options, {EngineKind::cpu, 1});
  ASSERT_EQ(reference.size(), 3u);
  for (const int threads : {1, 2}) {
    for (const int batch : {1, 2, 3}) {
      options.batch = batch;
      const auto other = solve_once(all, model(), options, {EngineKind::cpu, threads});
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(other[i].solution, reference[i].solution) << threads << " threads, batches of " << batch;
        EXPECT_EQ(other[i].cost, reference[i].cost);
      }
    }
  }
  options.seed = 8;
  bool differs = false;
  const auto reseeded = solve_once(all, model(), options);
  for (std::size_t i = 0; i < 3; ++i) {
    differs = differs || reseeded[i].solution.items != reference[i].solution.items;
  }
  EXPECT_TRUE(differs);
}

TEST_P(SolveTest, MoreRestartsAreNeverWorse) {
  const auto all = instances(40, 1);
  SolveOptions options = quick(problem());
  double previous = std::numeric_limits<double>::infinity();
  for (const int restarts : {1, 2, 5}) {
    options.loop.restarts = restarts;
    const double cost = solve_once(all, model(), options)[0].cost;
    EXPECT_LE(cost, previous);
    previous = cost;
  }
}

TEST_P(SolveTest, WarmStartIsNeverMadeWorseAndBadOnesAreRefused) {
  const auto all = instances(40, 1);
  SolveOptions options = quick(problem());
  options.loop.samples = 64;
  const SolveResult good = solve_once(all, model(), options)[0];
  options.loop.samples = 1;
  options.loop.steps = 1;
  options.seed = 99;
  options.warm_start = {good.solution};
  EXPECT_LE(solve_once(all, model(), options)[0].cost, good.cost);
  options.warm_start = {Solution{{0, 0}}};
  EXPECT_THROW(solve_once(all, model(), options), OptionError);
  options.warm_start = {good.solution, good.solution};
  EXPECT_THROW(solve_once(all, model(), options), OptionError);
}

/// Everything that a search tells of better solutions.
struct Told {
  std::vector<double> costs;
  std::vector<Solution> solutions;
};

std::vector<Told> told_by(std::span<const InstancePtr> instances, const Model& model, SolveOptions options,
                          std::vector<SolveResult>& results) {
  std::vector<Told> told(instances.size());
  const std::thread::id caller = std::this_thread::get_id();
  options.improved = [&](const Incumbent& incumbent) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    told[incumbent.instance].costs.push_back(incumbent.cost);
    told[incumbent.instance].solutions.push_back(incumbent.solution);
  };
  results = solve_once(instances, model, options);
  return told;
}

TEST_P(SolveTest, TellsOfBetterAndBetterSolutions) {
  const auto all = instances(40, 3);
  SolveOptions options = quick(problem());
  options.batch = 2;
  for (const std::int64_t kicks : {0, 2000}) {
    options.kicks = kicks;
    options.greedy_start = kicks > 0;
    std::vector<SolveResult> results;
    const std::vector<Told> told = told_by(all, model(), options, results);
    const auto silent = solve_once(all, model(), options);
    for (std::size_t i = 0; i < all.size(); ++i) {
      ASSERT_FALSE(told[i].costs.empty());
      EXPECT_TRUE(std::ranges::is_sorted(told[i].costs, std::greater_equal<>())) << "each better than the one before";
      for (std::size_t t = 0; t < told[i].costs.size(); ++t) {
        const CheckResult check = all[i]->check(told[i].solutions[t]);
        EXPECT_TRUE(check.feasible) << check.violation;
        EXPECT_EQ(check.cost, told[i].costs[t]);
      }
      EXPECT_NEAR(told[i].costs.back(), results[i].cost, 1e-12 * std::abs(results[i].cost));  // read from either end
      EXPECT_EQ(told[i].costs.back(), all[i]->check(told[i].solutions.back()).cost);
      EXPECT_EQ(results[i].solution, silent[i].solution) << "listening changes nothing";
    }
  }
}

TEST_P(SolveTest, KicksOfInstancesSideBySideAreThoseOfEachAlone) {
  auto all = instances(40, 4);
  for (const InstancePtr& other : instances(25, 3)) {
    all.push_back(other);
  }
  SolveOptions options = quick(problem());
  options.greedy_start = true;
  options.kicks = 700;
  for (const int steps : {0, 3}) {
    options.loop.steps = steps;
    options.batch = 1;
    const auto alone = solve_once(all, model(), options, {EngineKind::cpu, 1});
    for (const int batch : {0, 7, 3}) {
      options.batch = batch;
      const auto together = solve_once(all, model(), options, {EngineKind::cpu, 3});
      ASSERT_EQ(together.size(), alone.size());
      for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_EQ(together[i].solution, alone[i].solution) << steps << " steps, batches of " << batch;
        EXPECT_EQ(together[i].kicks, alone[i].kicks);
        EXPECT_EQ(together[i].stop, StopReason::kicks);
      }
    }
  }
}

TEST_P(SolveTest, OfInstancesSideBySideTheCallersThreadIsTold) {
  const auto all = instances(60, 6);
  SolveOptions options = quick(problem());
  options.loop.steps = 0;
  options.greedy_start = true;
  options.kicks = 5000;
  options.batch = 6;
  const std::thread::id caller = std::this_thread::get_id();
  std::set<std::size_t> kicked;
  options.progress = [&](const Progress& progress) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    kicked.insert(progress.instance);
  };
  options.began = [&](std::size_t, SolvePhase) { EXPECT_EQ(std::this_thread::get_id(), caller); };
  std::vector<double> last(all.size());
  options.improved = [&](const Incumbent& incumbent) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    last[incumbent.instance] = incumbent.cost;
  };
  const auto results = solve_once(all, model(), options, {EngineKind::cpu, 3});
  EXPECT_EQ(kicked.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_NEAR(last[i], results[i].cost, 1e-12 * std::abs(results[i].cost));  // read from either end
    EXPECT_EQ(results[i].side_by_side, 6);
  }
}

TEST_P(SolveTest, ABatchSharesItsTimeLimit) {
  const auto all = instances(60, 5);
  SolveOptions options = quick(problem());
  options.loop.steps = 0;
  options.greedy_start = true;
  options.kicks = kKicksUntilTimeLimit;
  for (const int threads : {1, 2, 8}) {  // fewer and more than instances
    options.batch = 5;
    options.time_limit = 0.3;
    double seconds = 0.0;
    for (const SolveResult& result : solve_once(all, model(), options, {EngineKind::cpu, threads})) {
      EXPECT_TRUE(result.feasible);
      EXPECT_EQ(result.stop, StopReason::time_limit);
      seconds += result.seconds;
    }
    EXPECT_GE(seconds, 0.3) << "and all of it is used";
  }
}

TEST_P(SolveTest, TellsOfKicksThatRunSideBySide) {
  const auto all = instances(60, 1);
  SolveOptions options = quick(problem());
  options.loop.steps = 0;
  options.greedy_start = true;
  options.kicks = kKicksUntilTimeLimit;
  options.time_limit = 0.5;
  std::vector<SolveResult> results;
  const std::vector<Told> told = told_by(all, model(), options, results);
  EXPECT_NEAR(told[0].costs.back(), results[0].cost, 1e-12 * std::abs(results[0].cost));  // read from either end
  EXPECT_TRUE(std::ranges::is_sorted(told[0].costs, std::greater_equal<>()));
}

TEST_P(SolveTest, HeatmapCoversAllVariables) {
  const auto all = instances(20, 1);
  SolveOptions options = quick(problem());
  options.keep_heatmap = true;
  const SolveResult result = solve_once(all, model(), options)[0];
  ASSERT_TRUE(result.heatmap);
  const std::size_t expected = problem() == "tsp" ? 160u : 20u;
  EXPECT_EQ(result.heatmap->from.size(), expected);
  EXPECT_EQ(result.heatmap->probability.size(), expected);
  EXPECT_EQ(result.heatmap->to.size(), problem() == "tsp" ? expected : 0u);
  for (const float p : result.heatmap->probability) {
    EXPECT_GE(p, 0.0f);
    EXPECT_LE(p, 1.0f);
  }
}

TEST_P(SolveTest, InterruptKeepsWhatIsDone) {
  const auto all = instances(20, 3);
  SolveOptions options = quick(problem());
  options.batch = 1;
  std::atomic<bool> one_done = false;
  std::atomic<int> polls = 0;
  options.interrupted = [&] { return one_done && ++polls >= 10; };
  options.finished = [&](std::size_t, const SolveResult&) { one_done = true; };
  const auto results = solve_once(all, model(), options);
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].stop, StopReason::steps);
  EXPECT_EQ(results[1].stop, StopReason::signal);
  EXPECT_TRUE(results[1].feasible);
}

TEST_P(SolveTest, LocalSearchAndPolishGiveLocalOptima) {
  const auto all = instances(60, 2);
  const std::string search = problem() == "tsp" ? "2opt+oropt" : "swap12";
  SolveOptions options = quick(problem());
  options.loop.steps = 2;
  const auto plain = solve_once(all, model(), options);
  options.polish = search;
  const auto polished = solve_once(all, model(), options);
  options.polish.clear();
  options.loop.local_search.name = search;
  const auto hybrid = solve_once(all, model(), options);
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(plain[i].unpolished_cost, plain[i].cost);
    EXPECT_EQ(polished[i].unpolished_cost, plain[i].cost);
    EXPECT_EQ(polished[i].cost, all[i]->check(polished[i].solution).cost);
    EXPECT_LE(polished[i].cost, plain[i].cost);
    const ImprovedSolution again = improve(all[i], hybrid[i].solution, {.name = search}, options.loop.problem);
    EXPECT_EQ(again.moves, 0) << "what the loop returns cannot be improved by its own local search";
    EXPECT_LT(hybrid[i].cost, plain[i].cost);
  }
}

TEST_P(SolveTest, APolishIsLeftOutAfterAnInterruption) {
  const auto all = instances(60, 1);
  SolveOptions options = quick(problem());
  options.polish = problem() == "tsp" ? "2opt" : "swap12";
  options.interrupted = [] { return true; };
  const SolveResult result = solve_once(all, model(), options).at(0);
  EXPECT_EQ(result.stop, StopReason::signal);
  EXPECT_EQ(result.cost, result.unpolished_cost);
  EXPECT_TRUE(result.feasible);
}

INSTANTIATE_TEST_SUITE_P(Problems, SolveTest,
                         ::testing::Combine(::testing::Values("tsp", "mis"), ::testing::Values("gnn", "adam")));

TEST(Solve, RefusesWhatDoesNotFit) {
  const auto tsp = instances_of("uniform", 10, 1);
  EXPECT_THROW(solve_once(tsp, adam_model("mis"), quick()), OptionError);
  SolveOptions options = quick();
  options.loop.samples = 0;
  EXPECT_THROW(solve_once(tsp, adam_model("tsp"), options), OptionError);
  options = quick();
  options.loop.local_search.name = "swap12";
  EXPECT_THROW(solve_once(tsp, adam_model("tsp"), options), OptionError);
  options = quick();
  options.polish = "3opt";
  EXPECT_THROW(solve_once(tsp, adam_model("tsp"), options), OptionError);
  options = quick();
  options.loop.samples = 2000000000;
  options.loop.restarts = 1000;
  try {
    solve_once(tsp, adam_model("tsp"), options);
    ADD_FAILURE();
  } catch (const ResourceError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("GiB are available"));
  }
}

TEST(Solve, MemoryEstimateHolds) {
  const auto graph = instances_of("er", 2000, 1);
  SolveOptions options = quick("mis");
  ModelConfig config;
  config.family = "mis";
  const auto bytes = Solver(random_model(config, 1), {EngineKind::cpu, 1}).estimate_memory(graph, options);
  EXPECT_GT(bytes, 2000u * 128u * 4u * 2u);
  EXPECT_LT(bytes, 100u << 20);
}

TEST(Solve, AdamImprovesOverItsStart) {
  const auto all = instances_of("uniform", 50, 4);
  SolveOptions options = quick();
  options.loop.samples = 32;
  options.loop.steps = 1;
  double before = 0.0;
  double after = 0.0;
  for (const SolveResult& r : solve_once(all, adam_model("tsp"), options)) {
    before += r.cost;
  }
  options.loop.steps = 150;
  for (const SolveResult& r : solve_once(all, adam_model("tsp"), options)) {
    after += r.cost;
  }
  EXPECT_LT(after, 0.8 * before);
}

}  // namespace
}  // namespace moco
