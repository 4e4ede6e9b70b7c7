// Insertions against references that look at every city and every place in every step.
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "moco/core/random.h"
#include "moco/generate.h"
#include "moco/problem.h"
#include "moco/problems/decision_graph.h"
#include "moco/problems/tsp/insertion_tours.h"
#include "support.h"

namespace moco {
namespace {

constexpr TourStart kInsertions[] = {TourStart::nearest_insertion, TourStart::farthest_insertion,
                                     TourStart::cheapest_insertion};

const Halt& never() {
  static const Halt halt(Halt::Clock::now(), std::numeric_limits<double>::infinity());
  return halt;
}

std::shared_ptr<TspInstance> random_matrix(Index n, bool symmetric, std::uint64_t seed) {
  RandomSequence random(stream_key(seed, 0, 0), Purpose::weights);
  const auto size = static_cast<std::size_t>(n);
  std::vector<double> matrix(size * size, 0.0);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      if (i != j) {
        matrix[i * size + j] = symmetric && j < i ? matrix[j * size + i] : random.next_double();
      }
    }
  }
  return std::make_shared<TspInstance>("matrix", n, std::move(matrix));
}

std::shared_ptr<TspInstance> random_points(Index n, Metric metric, std::uint64_t seed) {
  RandomSequence random(stream_key(seed, 0, 0), Purpose::weights);
  std::vector<Point> points;
  for (Index i = 0; i < n; ++i) {
    const double x = 1e8 * random.next_double();  // rounded metrics have no ties then
    points.push_back({x, 1e8 * random.next_double()});
  }
  return std::make_shared<TspInstance>("points", std::move(points), metric);
}

double added_length(const TspInstance& cities, const std::vector<Index>& tour, std::size_t place, Index city) {
  const Index from = tour[place];
  const Index to = tour[(place + 1) % tour.size()];
  const double straight = tour.size() > 1 ? cities.distance(from, to) : 0.0;
  return cities.distance(from, city) + cities.distance(city, to) - straight;
}

std::size_t best_place(const TspInstance& cities, const std::vector<Index>& tour, Index city) {
  std::size_t best = 0;
  for (std::size_t place = 1; place < tour.size(); ++place) {
    if (added_length(cities, tour, place, city) < added_length(cities, tour, best, city)) {
      best = place;
    }
  }
  return best;
}

double distance_to_tour(const TspInstance& cities, const std::vector<Index>& tour, Index city) {
  double least = std::numeric_limits<double>::infinity();
  for (const Index member : tour) {
    least = std::min({least, cities.distance(member, city), cities.distance(city, member)});
  }
  return least;
}

std::vector<Index> reference_tour(const TspInstance& cities, TourStart start) {
  const auto promise = [&](const std::vector<Index>& tour, Index city) {
    return start == TourStart::cheapest_insertion  ? added_length(cities, tour, best_place(cities, tour, city), city)
           : start == TourStart::nearest_insertion ? distance_to_tour(cities, tour, city)
                                                   : -distance_to_tour(cities, tour, city);
  };
  std::vector<Index> tour = {0};
  while (static_cast<Index>(tour.size()) < cities.size()) {
    Index chosen = -1;
    for (Index city = 1; city < cities.size(); ++city) {
      if (std::ranges::find(tour, city) == tour.end() && (chosen < 0 || promise(tour, city) < promise(tour, chosen))) {
        chosen = city;
      }
    }
    const std::size_t place = best_place(cities, tour, chosen);
    tour.insert(tour.begin() + static_cast<std::ptrdiff_t>(place) + 1, chosen);
  }
  return tour;
}

/// The same for a tour and its reverse.
std::vector<Index> without_direction(std::vector<Index> tour) {
  if (tour.size() > 2 && tour[1] > tour.back()) {
    std::reverse(tour.begin() + 1, tour.end());
  }
  return tour;
}

TEST(Insertion, IsWhatTheDefinitionSays) {
  for (const TourStart start : kInsertions) {
    for (const Index n : {1, 2, 3, 4, 7, 20, 45}) {
      for (std::uint64_t seed = 0; seed < 6; ++seed) {
        for (const auto& cities : {random_matrix(n, false, seed), random_matrix(n, true, seed),
                                   random_points(n, Metric::euclidean, seed), random_points(n, Metric::att, seed)}) {
          const std::vector<Index> tour = insertion_tour(*cities, start, never()).items;
          const std::vector<Index> expected = reference_tour(*cities, start);
          ASSERT_TRUE(cities->check({tour}).feasible);
          if (cities->symmetric()) {
            EXPECT_EQ(without_direction(tour), without_direction(expected)) << n << " cities, seed " << seed;
          } else {
            EXPECT_EQ(tour, expected) << n << " cities, seed " << seed;
          }
        }
      }
    }
  }
}

TEST(Insertion, EqualCitiesAreTours) {
  for (const TourStart start : kInsertions) {
    const TspInstance cities("here", std::vector<Point>(30), Metric::euclidean);
    EXPECT_TRUE(cities.check(insertion_tour(cities, start, never())).feasible);
  }
}

TEST(Insertion, FarthestIsWithinATenthOfTheOptimumOfUniformCities) {
  GeneratorOptions generator{.kind = "uniform", .nodes = 2000};
  const InstancePtr instance = generate(generator);
  const auto& cities = dynamic_cast<const TspInstance&>(*instance);
  const double optimum = 0.7124 * std::sqrt(2000.0) * (1.0 + 0.33 / 2000.0);  // about that of uniform cities
  double least = std::numeric_limits<double>::infinity();
  for (const TourStart start : kInsertions) {
    const double length = cities.check(insertion_tour(cities, start, never())).cost;
    EXPECT_LT(length, 1.35 * optimum);
    least = std::min(least, length);
  }
  const double farthest = cities.check(insertion_tour(cities, TourStart::farthest_insertion, never())).cost;
  EXPECT_EQ(farthest, least);
  EXPECT_LT(farthest, 1.2 * optimum);
}

TEST(Insertion, EndsWhenItIsToldTo) {
  const auto cities = random_points(50, Metric::euclidean, 1);
  for (const TourStart start : kInsertions) {
    EXPECT_THROW(insertion_tour(*cities, start, Halt(Halt::Clock::now(), 0.0)), Halted);
    const auto many = random_points(5000, Metric::euclidean, 1);
    int looks = 0;
    const Halt soon(Halt::Clock::now(), std::numeric_limits<double>::infinity(), [&] { return ++looks > 3; });
    EXPECT_THROW(insertion_tour(*many, start, soon), Halted) << "it is looked at while the tour grows";
  }
}

TEST(Insertion, KeepsToFixedEdges) {
  PointData data{.points = test::points_of(*random_points(20, Metric::euclidean, 3)),
                 .fixed = {{0, 7}, {7, 12}, {3, 19}}};
  const InstancePtr cities = find_problem("tsp").make({.name = "fixed", .content = data});
  for (const char* start : {"nearest-insertion", "farthest-insertion", "cheapest-insertion"}) {
    OptionValues options;
    options.set("start", start);
    const CheckResult check =
        cities->check(cities->problem().greedy_items(decision_graph(cities, options), options, never()));
    EXPECT_TRUE(check.feasible) << check.violation;
  }
}

TEST(Insertion, RefusesMoreCitiesThanItHasTimeFor) {
  const InstancePtr many = random_points(50'001, Metric::euclidean, 1);
  OptionValues options;
  options.set("start", "greedy");
  EXPECT_NO_THROW(decision_graph_shape(many, options));
  options.set("start", "farthest-insertion");
  try {
    decision_graph_shape(many, options);
    ADD_FAILURE() << "accepted";
  } catch (const OptionError& error) {
    EXPECT_STREQ(error.what(), "points: insertions look at all pairs of cities, of 50000 at most: 50001 are too many");
  }
}

}  // namespace
}  // namespace moco
