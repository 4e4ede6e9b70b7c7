// What every local search must guarantee on every instance: a feasible solution that is never worse, the same one every
// time, and nothing left to gain in its neighbourhood.
#include <algorithm>

#include <gtest/gtest.h>

#include "moco/core/thread_pool.h"
#include "moco/policy/construction.h"
#include "moco/policy/local_search.h"
#include "moco/problems/improve.h"
#include "neighbourhoods.h"
#include "problem_cases.h"

namespace moco {
namespace {

constexpr int kNeighbours = 6;
constexpr double kRounding = 2e-6;  // gains below this share of the lengths involved do not count
constexpr std::size_t kLongestScanned = 60;

struct Setting {
  test::ProblemCase instance;
  std::string search;
  std::string rule;  ///< of moves; empty where the problem has none
};

/// Which rules of moves a problem lets one choose.
std::vector<std::string> move_rules(const Problem& problem) {
  const OptionDeclaration* option = find_option(problem.options(), "move_rule");
  return option == nullptr ? std::vector<std::string>{""}
                           : std::vector<std::string>(option->choices.begin(), option->choices.end());
}

std::vector<Setting> settings() {
  std::vector<Setting> all;
  for (const test::ProblemCase& instance : test::all_cases()) {
    const InstancePtr made = instance.make();
    for (const std::string_view name : local_search_names(made->problem())) {
      if (!supports(name, *made)) {
        continue;
      }
      for (const std::string& rule : move_rules(made->problem())) {
        all.push_back({instance, std::string(name), rule});
      }
    }
  }
  return all;
}

OptionValues own_options(const Problem& problem, const std::string& rule) {
  OptionValues values;
  set_where_declared(values, problem.options(), "neighbours", kNeighbours);
  set_where_declared(values, problem.options(), "move_rule", rule);
  return values;
}

class LocalSearchConformance : public ::testing::TestWithParam<Setting> {
 protected:
  /// Items drawn from the uniform policy.
  std::vector<Solution> drawn() const {
    const auto construction = instance_->problem().construction(graph_, {});
    const std::vector<float> theta(static_cast<std::size_t>(graph_.variables), 0.0f);
    SampleSet set;
    set.reshape(kSamples, construction->stride(), graph_.nodes, false);
    SampleScratch scratch;
    std::vector<Solution> all;
    for (Index s = 0; s < kSamples; ++s) {
      construction->sample(theta.data(), {stream_key(1, 0, 0), 0, s, 0}, set, scratch);
      all.push_back(construction->decode(set.items.data() + set.row(s), set.lengths[static_cast<std::size_t>(s)]));
    }
    return all;
  }

  void expect_optimum(const Solution& solution) const {
    if (graph_.kind == VariableKind::node) {
      EXPECT_FALSE(test::has_swap(graph_, solution.items));
      return;
    }
    const test::TourScan scan(graph_, solution.items);
    const std::string& name = options_.name;
    if (name.starts_with("2opt") || name == "lk") {
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
  OptionValues own_ = own_options(instance_->problem(), GetParam().rule);
  DecisionGraph graph_ = decision_graph(instance_, own_);
  LocalSearchOptions options_{.name = GetParam().search};
};

TEST_P(LocalSearchConformance, ReachesALocalOptimumThatIsFeasibleAndNeverWorse) {
  const auto search = instance_->problem().local_search(graph_, options_, own_);
  LocalSearchScratch scratch;
  for (const Solution& given : drawn()) {
    Solution improved = given;
    const std::int64_t moves = search->improve(improved.items, scratch, {});
    const CheckResult check = test::check_items(graph_, improved);
    ASSERT_TRUE(check.feasible) << check.violation;
    const double before = test::check_items(graph_, given).cost;
    EXPECT_LE(check.cost, before);
    EXPECT_EQ(moves > 0, check.cost < before);
    expect_optimum(improved);
    if (instance_->problem().solution_shape() == SolutionShape::order) {
      EXPECT_EQ(improved.items.front(), given.items.front());
    }
    const Solution solution = instance_->problem().from_search(*instance_, given);
    const ImprovedSolution alone = improve(instance_, solution, options_, own_);
    EXPECT_EQ(alone.cost, check.cost + graph_.cost_offset);
    EXPECT_EQ(alone.moves, moves);
  }
}

TEST_P(LocalSearchConformance, GivesTheSameResultOnAnyThread) {
  const auto search = instance_->problem().local_search(graph_, options_, own_);
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
  std::string name = setting.param.search + "_" + setting.param.rule;
  std::ranges::replace(name, '+', '_');
  return test::plain(setting.param.instance.make()->problem().name()) + setting.param.instance.name + "_" + name;
});

}  // namespace
}  // namespace moco
