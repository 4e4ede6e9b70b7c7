// Algorithm 1 and its stop rules, driven by a scripted batch.
#include "moco/search/algorithm.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace moco {
namespace {

/// A batch whose best costs follow a script: costs[step][trajectory].
class ScriptedBatch final : public Batch {
 public:
  explicit ScriptedBatch(std::vector<std::vector<double>> costs) : costs_(std::move(costs)) {}

  void begin() override { calls += "b"; }
  void sample() override {
    calls += "s";
    ++step_;
  }
  void update() override { calls += "u"; }
  std::vector<TrajectoryStatus> status() override {
    std::vector<TrajectoryStatus> all;
    for (const double cost : costs_[std::min(step_, costs_.size()) - 1]) {
      all.push_back({.best_cost = cost, .mean_cost = cost + 1.0, .entropy = 0.5});
    }
    return all;
  }
  Solution best_solution(std::size_t) override { return {}; }
  std::vector<Solution> elite(std::size_t) override { return {}; }
  std::vector<float> theta(std::size_t trajectory) override {
    return {static_cast<float>(step_), static_cast<float>(trajectory)};
  }
  TrajectorySnapshot snapshot(std::size_t) override { return {}; }
  void retire(std::size_t trajectory) override { retired.insert(trajectory); }
  std::vector<std::vector<TrajectoryStatus>> advance(int steps) override {
    calls += "(";
    auto all = Batch::advance(steps);
    calls += ")";
    return all;
  }
  int steps_at_once() const override { return at_once; }
  void set_budget(int steps) override { budgets.push_back(steps); }

  int at_once = 1;
  std::string calls;
  std::vector<int> budgets;
  std::set<std::size_t> retired;

 private:
  std::vector<std::vector<double>> costs_;
  std::size_t step_ = 0;
};

SolveOptions options_with(int steps) {
  SolveOptions options;
  options.loop.steps = steps;
  return options;
}

TEST(Algorithm, SamplesKTimesAndUpdatesInBetween) {
  ScriptedBatch batch(std::vector<std::vector<double>>{{5.0}});
  const std::vector<InstanceRun> runs{{0, 1}};
  const auto outcome = run_algorithm(batch, runs, StopRules(options_with(4)));
  EXPECT_EQ(batch.calls, "bs(us)(us)(us)");
  EXPECT_EQ(outcome[0].steps, 4);
  EXPECT_EQ(outcome[0].stop, StopReason::steps);
}

TEST(Algorithm, LeavesSeveralStepsToTheEngineUnlessARuleLooksAtEach) {
  const std::vector<std::vector<double>> costs{{5.0}, {4.0}, {4.0}, {3.0}, {3.0}, {3.0}};
  const std::vector<InstanceRun> runs{{0, 1}};
  ScriptedBatch batch(costs);
  batch.at_once = 3;
  std::vector<double> best;
  std::vector<double> seconds;
  const auto watch = [&](const RunProgress& p) {
    best.push_back(p.best);
    seconds.push_back(p.seconds);
  };
  EXPECT_EQ(run_algorithm(batch, runs, StopRules(options_with(6)), watch)[0].steps, 6);
  EXPECT_EQ(batch.calls, "bs(ususus)(usus)");
  EXPECT_EQ(best, (std::vector<double>{5.0, 4.0, 4.0, 3.0, 3.0, 3.0}));
  EXPECT_TRUE(std::ranges::is_sorted(seconds));
  ScriptedBatch judged(costs);
  judged.at_once = 3;
  SolveOptions options = options_with(6);
  options.target = 4.0;
  EXPECT_EQ(run_algorithm(judged, runs, StopRules(options))[0].steps, 2);
  EXPECT_EQ(judged.calls, "bs(us)");
  ScriptedBatch drawn(costs);
  drawn.at_once = 3;
  EXPECT_EQ(run_algorithm(drawn, runs, StopRules(options_with(6)), {}, true)[0].theta.front(), 4.0f);
}

TEST(Algorithm, StopsAtTheTargetPerInstance) {
  SolveOptions options = options_with(10);
  options.target = 3.0;
  ScriptedBatch batch({{5.0, 9.0, 8.0}, {5.0, 3.0, 8.0}, {5.0, 3.0, 3.0}, {2.0, 3.0, 3.0}});
  const std::vector<InstanceRun> runs{{0, 1}, {1, 2}};
  const auto outcome = run_algorithm(batch, runs, StopRules(options));
  EXPECT_EQ(outcome[1].steps, 2);
  EXPECT_EQ(outcome[1].stop, StopReason::target);
  EXPECT_EQ(outcome[1].best, 1u);
  EXPECT_EQ(outcome[0].steps, 4);
  EXPECT_EQ(outcome[0].stop, StopReason::target);
  EXPECT_EQ(batch.retired, (std::set<std::size_t>{1, 2})) << "the run that ends last has nobody to make room for";
}

TEST(Algorithm, NoImprovementCountsFromTheLastBetterSolution) {
  SolveOptions options = options_with(100);
  options.no_improvement = 3;
  ScriptedBatch batch({{5.0}, {5.0}, {4.0}, {4.0}, {4.0}, {4.0}});
  const std::vector<InstanceRun> runs{{0, 1}};
  const auto outcome = run_algorithm(batch, runs, StopRules(options));
  EXPECT_EQ(outcome[0].steps, 6);
  EXPECT_EQ(outcome[0].stop, StopReason::no_improvement);
}

TEST(Algorithm, TimeLimitAndInterrupt) {
  const std::vector<InstanceRun> runs{{0, 1}};
  SolveOptions limited = options_with(1000000);
  limited.time_limit = 0.0;
  ScriptedBatch first(std::vector<std::vector<double>>{{5.0}});
  EXPECT_EQ(run_algorithm(first, runs, StopRules(limited))[0].stop, StopReason::time_limit);
  EXPECT_EQ(first.calls, "bs") << "one step at least";
  SolveOptions stopped = options_with(1000000);
  int polls = 0;
  stopped.interrupted = [&] { return ++polls == 3; };
  ScriptedBatch second(std::vector<std::vector<double>>{{5.0}});
  const auto outcome = run_algorithm(second, runs, StopRules(stopped));
  EXPECT_EQ(outcome[0].stop, StopReason::signal);
  EXPECT_EQ(outcome[0].steps, 3);
}

TEST(Algorithm, ARoundEndsByTheClockAndTellsTheBudget) {
  const std::vector<InstanceRun> runs{{0, 1}};
  SolveOptions options = options_with(1);
  options.fill_time = true;
  ScriptedBatch batch(std::vector<std::vector<double>>{{5.0}});
  batch.at_once = 8;
  std::vector<int> steps;
  const auto watch = [&](const RunProgress& p) { steps.push_back(p.steps); };
  const auto outcome = run_algorithm(batch, runs, StopRules(options), watch, false, RoundClock(0.01, 1'000'000'000));
  EXPECT_EQ(outcome[0].stop, StopReason::time_limit);
  EXPECT_GE(outcome[0].seconds, 0.01);
  ASSERT_FALSE(batch.budgets.empty());
  EXPECT_EQ(batch.budgets.back(), outcome[0].steps) << "all of it is spent in the end";
  EXPECT_EQ(steps.back(), outcome[0].steps);
  EXPECT_EQ(batch.calls.substr(0, 4), "bs(u");
  ScriptedBatch by_number(std::vector<std::vector<double>>{{5.0}});
  run_algorithm(by_number, runs, StopRules(options_with(4)));
  EXPECT_TRUE(by_number.budgets.empty()) << "the clock has no say";
}

TEST(Algorithm, WatcherSeesBestAndMeanOverTheRestarts) {
  ScriptedBatch batch({{5.0, 3.0}, {4.0, 3.0}});
  const std::vector<InstanceRun> runs{{0, 2}};
  std::vector<RunProgress> seen;
  run_algorithm(batch, runs, StopRules(options_with(2)), [&](const RunProgress& p) { seen.push_back(p); });
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0].best, 3.0);
  EXPECT_EQ(seen[0].mean, 5.0);
  EXPECT_EQ(seen[1].step, 2);
  EXPECT_EQ(seen[1].entropy, 0.5);
}

TEST(Algorithm, KeepsTheHeatmapOfTheBestSolution) {
  const std::vector<InstanceRun> runs{{0, 2}};
  const std::vector<std::vector<double>> costs{{5.0, 6.0}, {5.0, 4.0}, {5.0, 4.0}};
  ScriptedBatch batch(costs);
  const auto outcome = run_algorithm(batch, runs, StopRules(options_with(3)), {}, true);
  EXPECT_EQ(outcome[0].theta, (std::vector<float>{2.0f, 1.0f})) << "second step, second trajectory";
  ScriptedBatch other(costs);
  EXPECT_TRUE(run_algorithm(other, runs, StopRules(options_with(3)))[0].theta.empty());
}

TEST(StartNodes, AreDrawnWithoutReplacement) {
  const std::vector<Index> starts = start_nodes(10, 25, 1, 0);
  ASSERT_EQ(starts.size(), 25u);
  EXPECT_EQ(std::set<Index>(starts.begin(), starts.begin() + 10).size(), 10u);
  EXPECT_EQ(std::set<Index>(starts.begin() + 10, starts.begin() + 20).size(), 10u);
  EXPECT_EQ(starts, start_nodes(10, 25, 1, 0));
  EXPECT_NE(starts, start_nodes(10, 25, 2, 0));
  EXPECT_NE(starts, start_nodes(10, 25, 1, 1));
  const std::vector<Index> fewer = start_nodes(10, 4, 1, 0);
  EXPECT_TRUE(std::equal(fewer.begin(), fewer.end(), starts.begin())) << "more restarts keep the first ones";
}

}  // namespace
}  // namespace moco
