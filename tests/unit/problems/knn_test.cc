// Nearest neighbours against brute force, for every metric and for awkward point sets.
#include "moco/problems/tsp/knn.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "moco/core/random.h"
#include "unit/problems/support.h"

namespace moco {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr Metric coordinate_metrics[] = {Metric::euclidean, Metric::euc_2d, Metric::ceil_2d, Metric::man_2d,
                                         Metric::max_2d,    Metric::geo,    Metric::att};

/// What orders neighbours: the distance before rounding.
double unrounded(const TspInstance& instance, Index a, Index b) {
  if (instance.metric() == Metric::matrix) {
    return instance.distance(a, b);
  }
  const Point p = instance.points()[static_cast<std::size_t>(a)];
  const Point q = instance.points()[static_cast<std::size_t>(b)];
  const double dx = std::abs(p.x - q.x);
  const double dy = std::abs(p.y - q.y);
  if (is_spatial(instance.metric())) {
    const double dz = instance.heights()[static_cast<std::size_t>(a)] - instance.heights()[static_cast<std::size_t>(b)];
    return dx * dx + dy * dy + dz * dz;
  }
  switch (instance.metric()) {
    case Metric::man_2d:
      return dx + dy;
    case Metric::max_2d:
      return std::max(dx, dy);
    default:
      return dx * dx + dy * dy;
  }
}

std::vector<Index> brute_force(const TspInstance& instance, Index k) {
  std::vector<Index> result;
  const Index width = std::min(k, instance.size() - 1);
  for (Index city = 0; city < instance.size(); ++city) {
    std::vector<std::tuple<double, Index>> others;
    for (Index other = 0; other < instance.size(); ++other) {
      if (other != city) {
        others.emplace_back(unrounded(instance, city, other), other);
      }
    }
    std::sort(others.begin(), others.end());
    for (Index i = 0; i < width; ++i) {
      result.push_back(std::get<1>(others[static_cast<std::size_t>(i)]));
    }
  }
  return result;
}

/// Rows must be sorted by the metric, free of repetitions and of the city itself, and leave nothing nearer outside.
void expect_nearest(const TspInstance& instance, Index k) {
  const std::vector<Index> found = nearest_neighbours(instance, k);
  const Index width = std::min(k, instance.size() - 1);
  ASSERT_EQ(found.size(), static_cast<std::size_t>(instance.size()) * static_cast<std::size_t>(width));
  if (instance.metric() != Metric::geo) {
    EXPECT_EQ(found, brute_force(instance, k));
  }
  for (Index city = 0; city < instance.size(); ++city) {
    std::vector<double> distances;
    std::set<Index> row;
    for (Index i = 0; i < width; ++i) {
      const Index other =
          found[static_cast<std::size_t>(city) * static_cast<std::size_t>(width) + static_cast<std::size_t>(i)];
      ASSERT_NE(other, city);
      EXPECT_TRUE(row.insert(other).second);
      distances.push_back(instance.distance(city, other));
    }
    EXPECT_TRUE(std::is_sorted(distances.begin(), distances.end()));
    for (Index other = 0; other < instance.size(); ++other) {
      if (other != city && !row.contains(other)) {
        EXPECT_GE(instance.distance(city, other), distances.back());
      }
    }
  }
}

std::vector<Point> random_points(int n, double size, bool integers, std::uint64_t seed) {
  RandomSequence random(stream_key(seed, 0, 0), Purpose::generator);
  std::vector<Point> points;
  for (int i = 0; i < n; ++i) {
    const double x = random.next_double() * size;
    const double y = random.next_double() * size;
    points.push_back(integers ? Point{std::floor(x), std::floor(y)} : Point{x, y});
  }
  return points;
}

TEST(NearestNeighbours, LookInSpaceWherePlacesHaveHeights) {
  for (const Metric metric : {Metric::euc_3d, Metric::ceil_3d}) {
    for (const bool on_grid : {false, true}) {
      std::vector<double> heights;
      for (const Point& point : random_points(300, 80.0, on_grid, 9)) {
        heights.push_back(point.x);
      }
      expect_nearest(TspInstance("space", random_points(300, 80.0, on_grid, 1), metric, heights), 8);
      expect_nearest(TspInstance("tower", std::vector<Point>(300, Point{1, 2}), metric, heights), 8);
    }
  }
}

TEST(NearestNeighbours, AgreeWithBruteForceOnRandomPoints) {
  for (const Metric metric : coordinate_metrics) {
    for (const Index k : {1, 5, 17}) {
      expect_nearest(TspInstance("random", random_points(300, 80.0, false, 1), metric), k);
    }
  }
}

TEST(NearestNeighbours, BreakTiesByIndexOnGridsWithDuplicates) {
  for (const Metric metric : coordinate_metrics) {
    for (const double size : {3.0, 12.0}) {
      expect_nearest(TspInstance("grid", random_points(250, size, true, 2), metric), 8);
    }
  }
}

TEST(NearestNeighbours, HandleCollinearPoints) {
  std::vector<Point> line;
  std::vector<Point> diagonal;
  for (int i = 0; i < 120; ++i) {
    line.push_back({static_cast<double>(i * 37 % 120), 5.0});
    diagonal.push_back({static_cast<double>(i * 37 % 60), static_cast<double>(i * 37 % 60)});
  }
  for (const Metric metric : coordinate_metrics) {
    expect_nearest(TspInstance("line", line, metric), 6);
    expect_nearest(TspInstance("diagonal", diagonal, metric), 6);
  }
}

TEST(NearestNeighbours, HandleTinyInstances) {
  for (const Metric metric : coordinate_metrics) {
    EXPECT_THAT(nearest_neighbours(TspInstance("one", {{1, 1}}, metric), 5), IsEmpty());
    EXPECT_THAT(nearest_neighbours(TspInstance("two", {{1, 1}, {2, 2}}, metric), 5), ElementsAre(1, 0));
    EXPECT_THAT(nearest_neighbours(TspInstance("three", {{0, 0}, {10, 0}, {30, 0}}, metric), 3),
                ElementsAre(1, 2, 0, 2, 1, 0));
    EXPECT_THAT(nearest_neighbours(TspInstance("three", {{0, 0}, {10, 0}, {30, 0}}, metric), 1), ElementsAre(1, 0, 1));
    EXPECT_THAT(nearest_neighbours(TspInstance("three", {{0, 0}, {1, 0}, {2, 0}}, metric), 0), IsEmpty());
    expect_nearest(TspInstance("more than there are", random_points(9, 50.0, false, 3), metric), 100);
  }
  EXPECT_THROW(nearest_neighbours(TspInstance("two", {{1, 1}, {2, 2}}, Metric::euclidean), -1), OptionError);
}

TEST(NearestNeighbours, HandleOnePlaceForAll) {
  for (const Metric metric : coordinate_metrics) {
    const TspInstance instance("heap", std::vector<Point>(5, Point{7, 7}), metric);
    EXPECT_THAT(nearest_neighbours(instance, 2), ElementsAre(1, 2, 0, 2, 0, 1, 0, 1, 0, 1));
  }
}

TEST(NearestNeighbours, AreFastEvenWhenAllCitiesShareAPlace) {
  const TspInstance instance("heap", std::vector<Point>(50'000, Point{7, 7}), Metric::euclidean);
  EXPECT_EQ(nearest_neighbours(instance, 10).size(), 500'000u);
}

TEST(NearestNeighbours, HandleExtremeCoordinates) {
  for (const double size : {1e-140, 1e140}) {
    for (const Metric metric : {Metric::euclidean, Metric::man_2d, Metric::max_2d}) {
      const auto points = random_points(60, 1.0, false, 4);
      std::vector<Point> scaled;
      for (const Point& point : points) {
        scaled.push_back({point.x * size, point.y * size});
      }
      EXPECT_EQ(nearest_neighbours(TspInstance("scaled", scaled, metric), 4),
                nearest_neighbours(TspInstance("plain", points, metric), 4));
    }
  }
}

TEST(NearestNeighbours, UseTheRowOfAnAsymmetricMatrix) {
  const TspInstance instance("m", 3, {0, 5, 1, 2, 0, 2, 9, 3, 0});
  EXPECT_THAT(nearest_neighbours(instance, 2), ElementsAre(2, 1, 0, 2, 1, 0));
  RandomSequence random(stream_key(5, 0, 0), Purpose::generator);
  std::vector<double> matrix(40 * 40);
  for (double& entry : matrix) {
    entry = random.next_below(10);
  }
  expect_nearest(TspInstance("random", 40, matrix), 7);
}

TEST(NearestNeighbours, CrossTheDateLine) {
  const TspInstance globe("globe", {{0, 179}, {0, -179}, {0, 170}}, Metric::geo);
  EXPECT_THAT(nearest_neighbours(globe, 1), ElementsAre(1, 0, 0));
}

}  // namespace
}  // namespace moco
