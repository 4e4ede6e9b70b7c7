// What every local search must guarantee on every instance: a feasible solution that is never worse, the same one every
// time, and nothing left to gain in its neighbourhood.
#include <algorithm>

#include <gtest/gtest.h>

#include "moco/core/thread_pool.h"
#include "moco/engine/cpu/construction.h"
#include "moco/problems/local_search.h"
#include "neighbourhoods.h"
#include "problem_cases.h"

namespace moco {
namespace {

constexpr Index kNeighbours = 6;
constexpr double kRounding = 2e-6;  // gains below this share of the lengths involved do not count
constexpr std::size_t kLongestScanned = 60;

struct Setting {
  test::ProblemCase instance;
  std::string search;
  MoveRule rule;
};

std::vector<Setting> settings() {
  std::vector<Setting> all;
  for (const auto& cases : {test::tsp_cases(), test::mis_cases()}) {
    for (const test::ProblemCase& instance : cases) {
      const InstancePtr made = instance.make();
      for (const std::string_view name : local_search_names(made->problem())) {
        if (!supports(name, *made)) {
          continue;
        }
        for (const MoveRule rule : {MoveRule::first, MoveRule::best}) {
          all.push_back({instance, std::string(name), rule});
        }
      }
    }
  }
  return all;
}

class LocalSearchConformance : public ::testing::TestWithParam<Setting> {
 protected:
  /// Solutions drawn from the uniform policy.
  std::vector<Solution> drawn() const {
    const auto construction = cpu::make_construction(graph_, {});
    const std::vector<float> theta(static_cast<std::size_t>(graph_.variables), 0.0f);
    cpu::SampleSet set;
    set.reshape(kSamples, construction->stride(), graph_.nodes, false);
    cpu::SampleScratch scratch;
    std::vector<Solution> all;
    for (Index s = 0; s < kSamples; ++s) {
      construction->sample(theta.data(), {stream_key(1, 0, 0), 0, s, 0}, set, scratch);
      all.push_back(construction->decode(set.items.data() + set.row(s), set.lengths[static_cast<std::size_t>(s)]));
    }
    return all;
  }

  void expect_optimum(const Solution& solution) const {
    if (const auto* mis = dynamic_cast<const GraphInstance*>(instance_.get())) {
      EXPECT_FALSE(test::has_swap(*mis, solution.items));
      return;
    }
    const test::TourScan scan(graph_, solution.items);
    const std::string& name = options_.name;
    if (name.starts_with("2opt")) {
      EXPECT_LT(scan.two_opt(), kRounding);
    }
    if (name.find("oropt") != std::string::npos) {
      EXPECT_LT(scan.segment_moves(3, false), kRounding);
    }
    if (name.ends_with("oropt3")) {
      EXPECT_LT(scan.segment_moves(kLongestScanned, true), kRounding);
    }
  }

  static constexpr Index kSamples = 4;
  InstancePtr instance_ = GetParam().instance.make();
  DecisionGraph graph_ = decision_graph(instance_, kNeighbours);
  LocalSearchOptions options_{.name = GetParam().search, .rule = GetParam().rule};
};

TEST_P(LocalSearchConformance, ReachesALocalOptimumThatIsFeasibleAndNeverWorse) {
  const auto search = make_local_search(graph_, options_);
  LocalSearchScratch scratch;
  for (const Solution& given : drawn()) {
    Solution improved = given;
    const std::int64_t moves = search->improve(improved.items, scratch, {});
    const CheckResult check = instance_->check(improved);
    ASSERT_TRUE(check.feasible) << check.violation;
    const double before = instance_->check(given).cost;
    EXPECT_LE(check.cost, before);
    EXPECT_EQ(moves > 0, check.cost < before);
    expect_optimum(improved);
    if (instance_->problem() == "tsp") {
      EXPECT_EQ(improved.items.front(), given.items.front());
    }
    const ImprovedSolution alone = improve(instance_, given, options_, kNeighbours);
    EXPECT_EQ(alone.cost, check.cost);
    EXPECT_EQ(alone.moves, moves);
  }
}

TEST_P(LocalSearchConformance, GivesTheSameResultOnAnyThread) {
  const auto search = make_local_search(graph_, options_);
  const std::vector<Solution> given = drawn();
  std::vector<std::vector<Solution>> results;
  for (const int threads : {1, 2}) {
    ThreadPool pool(threads);
    std::vector<LocalSearchScratch> scratch(pool.size());
    results.push_back(given);
    std::vector<Solution>& own = results.back();
    pool.for_each(own.size(),
                  [&](std::size_t i, std::size_t worker) { search->improve(own[i].items, scratch[worker], {}); });
  }
  EXPECT_EQ(results[0], results[1]);
}

INSTANTIATE_TEST_SUITE_P(All, LocalSearchConformance, ::testing::ValuesIn(settings()), [](const auto& setting) {
  std::string name = setting.param.search + (setting.param.rule == MoveRule::first ? "First" : "Best");
  std::ranges::replace(name, '+', '_');
  return std::string(setting.param.instance.make()->problem()) + setting.param.instance.name + "_" + name;
});

}  // namespace
}  // namespace moco
