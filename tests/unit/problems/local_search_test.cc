// Local search: gains against full recomputation, moves against their definition, limits, refusals. What every local
// search guarantees on every instance is in tests/conformance.
#include "moco/local_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "moco/core/random.h"
#include "moco/error.h"
#include "moco/generate.h"
#include "moco/problems/tsp/tour_search.h"
#include "moco/problems/tsp/tsp_graph.h"
#include "options.h"

namespace moco {
namespace {

std::vector<Point> random_points(Index n, std::uint64_t seed) {
  RandomSequence random(stream_key(seed, 0, 0), Purpose::generator);
  std::vector<Point> points;
  for (Index i = 0; i < n; ++i) {
    const double x = random.next_below(1000);
    const double y = random.next_below(1000);
    points.push_back({x, y});
  }
  return points;
}

std::shared_ptr<const TspInstance> instance_of(Metric metric, Index n, std::uint64_t seed) {
  if (metric != Metric::matrix) {
    return std::make_shared<TspInstance>("points", random_points(n, seed), metric);
  }
  RandomSequence random(stream_key(seed, 0, 0), Purpose::generator);
  std::vector<double> matrix;
  for (Index i = 0; i < n * n; ++i) {
    matrix.push_back(i % (n + 1) == 0 ? 0.0 : 1.0 + random.next_below(1000));
  }
  return std::make_shared<TspInstance>("asymmetric", n, matrix);
}

std::vector<Index> random_tour(Index n, std::uint64_t seed) {
  RandomSequence random(stream_key(seed, 1, 0), Purpose::generator);
  std::vector<Index> tour(static_cast<std::size_t>(n));
  std::iota(tour.begin(), tour.end(), 0);
  for (std::size_t i = tour.size(); i > 1; --i) {
    std::swap(tour[i - 1], tour[random.next_below(static_cast<std::uint32_t>(i))]);
  }
  return tour;
}

class TourGains : public ::testing::TestWithParam<std::tuple<Metric, Index>> {};

TEST_P(TourGains, AreWhatARecomputationSays) {
  const auto [metric, n] = GetParam();
  int seen[4] = {0, 0, 0, 0};
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const auto instance = instance_of(metric, n, seed);
    const DecisionGraph graph = tsp_decision_graph(instance, 9);
    EXPECT_EQ(graph.symmetric, metric != Metric::matrix);
    const auto distance = [&](Index from, Index to) { return static_cast<float>(instance->distance(from, to)); };
    const TourNeighbours neighbours{graph.targets.data(), graph.length.data(), graph.degree};
    const std::vector<Index> given = random_tour(n, seed);
    const double before = instance->check({given}).cost;
    for (Index city = 0; city < n; ++city) {
      for (int number = 0;; ++number) {
        std::vector<Index> order = given;
        std::vector<Index> position(order.size());
        Tour<SerialTeam> tour(SerialTeam(), n, order.data(), position.data());
        TourMoves<SerialTeam, decltype(distance)> moves(tour, distance, neighbours, graph.symmetric,
                                                        kTwoOpt | kOrOpt | kOrThreeOpt);
        moves.visit(city);
        if (number >= moves.count()) {
          break;
        }
        const TourMove move = moves.move(number);
        ++seen[move.shape];
        if (move.shape == TourMove::none) {
          EXPECT_EQ(move.gain, 0.0f);
          continue;
        }
        moves.make(move);
        Solution after;
        for (Index i = 0; i < n; ++i) {
          after.items.push_back(tour.along(given.front(), i, true));
        }
        const CheckResult check = instance->check(after);
        ASSERT_TRUE(check.feasible) << check.violation;
        ASSERT_NEAR(before - check.cost, static_cast<double>(move.gain), 1e-6 * before);
        ASSERT_LT(check.cost, before);
      }
    }
  }
  EXPECT_GT(seen[TourMove::kept], 0);
  EXPECT_EQ(seen[TourMove::two_opt] > 0, metric != Metric::matrix) << "a reversal needs a symmetric instance";
  EXPECT_EQ(seen[TourMove::turned] > 0, metric != Metric::matrix);
}

INSTANTIATE_TEST_SUITE_P(All, TourGains,
                         ::testing::Combine(::testing::Values(Metric::euclidean, Metric::euc_2d, Metric::man_2d,
                                                              Metric::att, Metric::matrix),
                                            ::testing::Values(Index{6}, Index{7}, Index{40})));

// Random exchanges against the same exchanges on a plain list.
TEST(Tour, AnExchangeReplacesTwoEdges) {
  const Index n = 11;
  std::vector<Index> order = random_tour(n, 3);
  std::vector<Index> position(order.size());
  Tour<SerialTeam> tour(SerialTeam(), n, order.data(), position.data());
  RandomSequence random(stream_key(5, 0, 0), Purpose::generator);
  const auto edges = [&] {
    std::vector<std::pair<Index, Index>> all;
    for (Index city = 0; city < n; ++city) {
      all.push_back(std::minmax(city, Index{tour.next(city)}));
    }
    std::ranges::sort(all);
    return all;
  };
  for (int round = 0; round < 500; ++round) {
    const bool forward = random.next_below(2) == 0;
    const auto beside = [&](Index city) { return forward ? tour.next(city) : tour.previous(city); };
    const auto x = static_cast<Index>(random.next_below(static_cast<std::uint32_t>(n)));
    const Index y = beside(x);
    const auto u = static_cast<Index>(random.next_below(static_cast<std::uint32_t>(n)));
    const Index v = beside(u);
    if (u == x || u == y || v == x) {
      continue;
    }
    auto expected = edges();
    for (const auto& gone : {std::minmax(x, y), std::minmax(u, v)}) {
      expected.erase(std::ranges::find(expected, std::pair<Index, Index>(gone)));
    }
    expected.push_back(std::minmax(x, u));
    expected.push_back(std::minmax(y, v));
    std::ranges::sort(expected);
    if (round % 3 == 0) {
      tour.flip();
    }
    tour.exchange(x, y, u, v);
    ASSERT_EQ(edges(), expected);
  }
}

TEST(TspLocalSearch, UntanglesACrossing) {
  const auto square =
      std::make_shared<TspInstance>("square", std::vector<Point>{{0, 0}, {1, 0}, {1, 1}, {0, 1}}, Metric::euclidean);
  const ImprovedSolution result = improve(square, {{0, 2, 1, 3}}, {.name = "2opt"});
  EXPECT_DOUBLE_EQ(result.cost, 4.0);
  EXPECT_EQ(result.moves, 1);
  EXPECT_EQ(result.solution.items.front(), 0);
}

TEST(TspLocalSearch, MovesAMisplacedCityAndAMisplacedSegment) {
  std::vector<Point> line;
  for (int i = 0; i < 12; ++i) {
    line.push_back({static_cast<double>(i), i % 2 == 0 ? 0.0 : 0.1});
  }
  const auto instance = std::make_shared<TspInstance>("line", line, Metric::euclidean);
  const Solution misplaced{{0, 1, 2, 9, 3, 4, 5, 6, 7, 8, 10, 11}};
  EXPECT_LT(improve(instance, misplaced, {.name = "oropt"}).cost, instance->check(misplaced).cost - 10.0);
  const Solution segment{{0, 1, 7, 8, 9, 10, 11, 2, 3, 4, 5, 6}};
  EXPECT_LT(improve(instance, segment, {.name = "oropt3"}).cost, instance->check(segment).cost);
}

TEST(TspLocalSearch, ItsLimitsHold) {
  GeneratorOptions generator;
  generator.nodes = 80;
  const InstancePtr instance = generate(generator);
  const Solution given{random_tour(80, 2)};
  LocalSearchOptions options{.name = "2opt+oropt"};
  const ImprovedSolution free_run = improve(instance, given, options);
  ASSERT_GT(free_run.moves, 10);
  options.move_limit = 5;
  const ImprovedSolution limited = improve(instance, given, options);
  EXPECT_EQ(limited.moves, 5);
  EXPECT_LT(limited.cost, limited.cost_before);
  EXPECT_GT(limited.cost, free_run.cost);
  const OptionValues best = OptionValues().set("move_rule", "best");
  EXPECT_LT(improve(instance, given, options, best).cost, limited.cost)
      << "five best moves gain more than five first ones";
  EXPECT_EQ(improve(instance, given, options, best, [] { return true; }).moves, 0);
}

TEST(TspLocalSearch, ManagesAHundredThousandCities) {
  GeneratorOptions generator;
  generator.nodes = 100'000;
  const InstancePtr instance = generate(generator);
  const auto points = dynamic_cast<const TspInstance&>(*instance).points();
  Solution strips;  // up and down 300 columns
  strips.items.resize(points.size());
  std::iota(strips.items.begin(), strips.items.end(), 0);
  const auto key = [&](Index city) {
    const Point& point = points[static_cast<std::size_t>(city)];
    const double column = std::floor(300.0 * point.x);
    return std::pair(column, std::fmod(column, 2.0) == 0.0 ? point.y : -point.y);
  };
  std::ranges::sort(strips.items, {}, key);
  const ImprovedSolution result = improve(instance, strips, {.name = "2opt+oropt"}, test_neighbours(8));
  EXPECT_TRUE(instance->check(result.solution).feasible);
  EXPECT_LT(result.cost, 0.75 * result.cost_before);
}

TEST(MisLocalSearch, ASwapTakesOneOutAndAllThatFollowsIn) {
  const std::vector<Edge> edges = {{0, 1}, {0, 2}, {0, 3}, {3, 4}};
  const auto star = std::make_shared<GraphInstance>(mis(), "star", 5, edges);
  const ImprovedSolution result = improve(star, {{0, 4}}, {.name = "swap12"});
  EXPECT_EQ(result.solution, (Solution{{1, 2, 4}}));
  EXPECT_EQ(result.moves, 1);
}

TEST(MisLocalSearch, APlateauStepReachesWhatNoSwapDoes) {
  // {1, 2} in the path 0-1-4-2-3: no (1,2)-swap exists until one node has moved aside.
  const std::vector<Edge> edges = {{0, 1}, {1, 4}, {4, 2}, {2, 3}};
  const auto path = std::make_shared<GraphInstance>(mis(), "path", 5, edges);
  const LocalSearchOptions options{.name = "swap12"};
  const Solution stuck{{1, 2}};
  EXPECT_EQ(improve(path, stuck, options).solution, stuck);
  EXPECT_EQ(improve(path, stuck, options, OptionValues().set("plateau_steps", 10)).solution, (Solution{{0, 3, 4}}));
}

TEST(MisLocalSearch, CompletesASetFirst) {
  const auto empty = std::make_shared<GraphInstance>(mis(), "empty", 3, std::vector<Edge>{});
  EXPECT_EQ(improve(empty, {{1}}, {.name = "swap12"}).solution, (Solution{{0, 1, 2}}));
}

TEST(LocalSearch, RefusesWhatDoesNotFit) {
  const auto message = [](const auto& call) {
    try {
      call();
    } catch (const OptionError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::vector<Edge> edges = {{0, 1}};
  const auto pair = std::make_shared<GraphInstance>(mis(), "pair", 2, edges);
  const auto tsp = std::make_shared<TspInstance>("points", random_points(5, 1), Metric::euclidean);
  EXPECT_EQ(message([&] {
              improve(tsp, {{0, 1, 2, 3, 4}}, {.name = "swap12"});
            }),
            "local search 'swap12' is not one of those for tsp: 2opt, oropt, 2opt+oropt, oropt3, 2opt+oropt3, lk");
  EXPECT_EQ(message([&] { improve(pair, {{0}}, {.name = "2opt"}); }),
            "local search '2opt' is not one of those for mis: swap12");
  EXPECT_THAT(message([&] { improve(pair, {{0, 1}}, {.name = "swap12"}); }), ::testing::HasSubstr("infeasible"));
  EXPECT_THAT(message([&] {
                improve(tsp, {{0, 1, 2, 3, 4}}, {.name = "2opt"}, OptionValues().set("plateau_steps", 1));
              }),
              ::testing::HasSubstr("plateau"));
  EXPECT_THAT(message([&] { improve(pair, {{0}}, {.name = "swap12"}, OptionValues().set("plateau_steps", -1)); }),
              ::testing::HasSubstr("plateau"));
  EXPECT_THAT(message([&] { improve(pair, {{0}}, {.name = "swap12", .move_limit = -1}); }),
              ::testing::HasSubstr("negative"));
}

}  // namespace
}  // namespace moco
