// What greedy starts and iterated searches guarantee on every instance of every problem.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "conformance/problem_cases.h"
#include "moco/core/halt.h"
#include "moco/policy/kicks.h"
#include "options.h"

namespace moco {
namespace {

Halt never() {
  return {Halt::Clock::now(), std::numeric_limits<double>::infinity()};
}

KickBudget so_many(std::int64_t kicks) {
  return [kicks](const KickMoment& moment) { return static_cast<double>(moment.kicks) / static_cast<double>(kicks); };
}

class KickConformance : public ::testing::TestWithParam<test::ProblemCase> {
 protected:
  InstancePtr instance_ = GetParam().make();
  const Problem& problem_ = instance_->problem();
  DecisionGraph graph_ = decision_graph(instance_, test_neighbours(6));
};

TEST_P(KickConformance, QuickStartsAreFeasible) {
  const CheckResult instant = instance_->check(problem_.instant_solution(instance_));
  EXPECT_TRUE(instant.feasible) << instant.violation;
  const CheckResult greedy = test::check_items(graph_, problem_.greedy_items(graph_, {}, never()));
  EXPECT_TRUE(greedy.feasible) << greedy.violation;
}

TEST_P(KickConformance, KicksNeverWorsenAndRepeat) {
  const auto search = problem_.kicks(graph_);
  const Solution start = problem_.greedy_items(graph_, {}, never());
  const double before = test::check_items(graph_, start).cost;
  std::vector<std::vector<Index>> found;
  for (const std::uint64_t run : {0u, 0u, 1u}) {
    Solution solution = start;
    double told = std::numeric_limits<double>::infinity();
    search->run(solution.items, stream_key(7, 0, run), [&](const KickMoment& moment) {
      told = moment.best;
      return static_cast<double>(moment.kicks) / 640.0;
    });
    const CheckResult after = test::check_items(graph_, solution);
    ASSERT_TRUE(after.feasible) << after.violation;
    EXPECT_LE(after.cost, before + 1e-9 * std::abs(before));
    if (told != std::numeric_limits<double>::infinity()) {
      EXPECT_NEAR(told, after.cost, 1e-6 * std::max(1.0, std::abs(after.cost)));
    }
    if (problem_.solution_shape() == SolutionShape::order) {
      EXPECT_EQ(solution.items.front(), start.items.front());
    }
    found.push_back(solution.items);
  }
  EXPECT_EQ(found[0], found[1]);
}

TEST_P(KickConformance, ASpentBudgetStillGivesASolution) {
  Solution solution = problem_.to_search(*instance_, problem_.instant_solution(instance_));
  const double before = test::check_items(graph_, solution).cost;
  EXPECT_EQ(problem_.kicks(graph_)->run(solution.items, stream_key(7, 0, 0), [](const KickMoment&) { return 1.0; }), 0);
  const CheckResult after = test::check_items(graph_, solution);
  EXPECT_TRUE(after.feasible) << after.violation;
  EXPECT_LE(after.cost, before + 1e-9 * std::abs(before));
}

std::string case_name(const ::testing::TestParamInfo<test::ProblemCase>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Tsp, KickConformance, ::testing::ValuesIn(test::tsp_cases()), case_name);
INSTANTIATE_TEST_SUITE_P(Mis, KickConformance, ::testing::ValuesIn(test::mis_cases()), case_name);
INSTANTIATE_TEST_SUITE_P(VertexCover, KickConformance,
                         ::testing::ValuesIn(test::set_cases(find_problem("vertex-cover"))), case_name);
INSTANTIATE_TEST_SUITE_P(Clique, KickConformance, ::testing::ValuesIn(test::set_cases(find_problem("clique"))),
                         case_name);

TEST(Kicks, FindTheOptimumOfSmallInstances) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    GeneratorOptions options = test_generator("uniform", 8);
    options.seed = seed;
    const InstancePtr cities = generate(options);
    std::vector<Index> order(8);
    std::iota(order.begin(), order.end(), Index{0});
    double best = std::numeric_limits<double>::infinity();
    do {
      best = std::min(best, cities->check({order}).cost);
    } while (std::next_permutation(order.begin() + 1, order.end()));
    const DecisionGraph tour_graph = decision_graph(cities, test_neighbours(7));
    Solution tour = cities->problem().greedy_items(tour_graph, {}, never());
    cities->problem().kicks(tour_graph)->run(tour.items, stream_key(seed, 0, 0), so_many(2000));
    EXPECT_NEAR(cities->check(tour).cost, best, 1e-9);

    options = test_generator("er", 14);
    options.seed = seed;
    options.own.set("probability", 0.3);
    const InstancePtr graph = generate(options);
    std::size_t largest = 0;
    for (unsigned mask = 0; mask < 1u << 14; ++mask) {
      Solution set;
      for (Index node = 0; node < 14; ++node) {
        if ((mask >> node & 1u) != 0) {
          set.items.push_back(node);
        }
      }
      if (set.items.size() > largest && graph->check(set).feasible) {
        largest = set.items.size();
      }
    }
    const DecisionGraph set_graph = decision_graph(graph);
    Solution set = graph->problem().greedy_items(set_graph, {}, never());
    graph->problem().kicks(set_graph)->run(set.items, stream_key(seed, 0, 0), so_many(2000));
    EXPECT_EQ(set.items.size(), largest);
  }
}

TEST(Kicks, GoOnFromAsymmetricToursWithoutTurningThem) {
  // A ring that is short one way and long the other: a solution that lost its direction would show.
  constexpr Index kCities = 40;
  std::vector<double> matrix(kCities * kCities, 50.0);
  for (Index i = 0; i < kCities; ++i) {
    matrix[static_cast<std::size_t>(i * kCities + i)] = 0.0;
    matrix[static_cast<std::size_t>(i * kCities + (i + 1) % kCities)] = 1.0;
    matrix[static_cast<std::size_t>((i + 1) % kCities * kCities + i)] = 90.0;
  }
  const auto instance = std::make_shared<TspInstance>("ring", kCities, matrix);
  const DecisionGraph graph = decision_graph(instance, test_neighbours(10));
  Solution tour;
  for (Index i = 0; i < kCities; ++i) {  // a shuffled beginning
    tour.items.push_back(i * 7 % kCities);
  }
  instance->problem().kicks(graph)->run(tour.items, stream_key(3, 0, 0), so_many(20'000));
  EXPECT_EQ(instance->check(tour).cost, kCities);
}

}  // namespace
}  // namespace moco
