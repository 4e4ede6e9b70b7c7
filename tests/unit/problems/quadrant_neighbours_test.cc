// Neighbours on all sides against a scan of all cities.
#include "moco/problems/tsp/quadrant_neighbours.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "moco/core/random.h"
#include "moco/core/thread_pool.h"
#include "moco/problems/tsp/knn.h"

namespace moco {
namespace {

/// Whole numbers, so that no sum of squares is rounded.
std::vector<Point> points_of(const std::string& kind) {
  RandomSequence random(stream_key(7, 0, 0), Purpose::generator);
  const auto below = [&](std::uint32_t most) { return static_cast<double>(random.next_below(most)); };
  std::vector<Point> points;
  for (int i = 0; i < 150; ++i) {
    if (kind == "scattered") {
      points.push_back({below(1000), below(1000)});
    } else if (kind == "clustered") {
      points.push_back({5000.0 * (i % 3) + below(30), 5000.0 * (i % 3) * (i % 3) + below(30)});
    } else if (kind == "lattice") {
      points.push_back({below(7), below(7)});  // about three cities in a place
    } else if (kind == "line") {
      points.push_back({static_cast<double>(i), 0.0});
    } else {
      points.push_back({3.0, 4.0});
    }
  }
  return points;
}

double key_of(Metric metric, double dx, double dy) {
  return metric == Metric::man_2d   ? std::abs(dx) + std::abs(dy)
         : metric == Metric::max_2d ? std::max(std::abs(dx), std::abs(dy))
                                    : dx * dx + dy * dy;
}

int side_of(double dx, double dy) {
  if (dx == 0.0 && dy == 0.0) {
    return -1;
  }
  return dx > 0.0 && dy >= 0.0 ? 0 : dx <= 0.0 && dy > 0.0 ? 1 : dx < 0.0 ? 2 : 3;
}

std::vector<Index> scanned_row(const std::vector<Point>& points, Metric metric, std::size_t city, std::size_t k) {
  std::vector<std::pair<double, Index>> all;
  for (std::size_t other = 0; other < points.size(); ++other) {
    if (other != city) {
      all.emplace_back(key_of(metric, points[other].x - points[city].x, points[other].y - points[city].y),
                       static_cast<Index>(other));
    }
  }
  std::sort(all.begin(), all.end());
  std::vector<std::pair<double, Index>> row;
  std::map<int, std::size_t> taken;
  for (const auto& [key, other] : all) {
    const Point& point = points[static_cast<std::size_t>(other)];
    const int side = side_of(point.x - points[city].x, point.y - points[city].y);
    if (side >= 0 && taken[side] < k / 5) {
      ++taken[side];
      row.emplace_back(key, other);
    }
  }
  for (const auto& candidate : all) {
    if (row.size() < k && std::find(row.begin(), row.end(), candidate) == row.end()) {
      row.push_back(candidate);
    }
  }
  std::sort(row.begin(), row.end());
  std::vector<Index> cities;
  for (const auto& [key, other] : row) {
    cities.push_back(other);
  }
  return cities;
}

class QuadrantNeighbours : public ::testing::TestWithParam<std::tuple<const char*, Metric>> {};

TEST_P(QuadrantNeighbours, AreThoseOfAScan) {
  const auto& [kind, metric] = GetParam();
  const std::vector<Point> points = points_of(kind);
  const TspInstance instance("points", points, metric);
  ThreadPool pool(3);
  for (const Index k : {1, 4, 5, 6, 8, 10, 23, 148, 149, 1000}) {
    const std::vector<Index> rows = quadrant_neighbours(instance, k, Executor(pool));
    const std::size_t width = std::min<std::size_t>(static_cast<std::size_t>(k), points.size() - 1);
    ASSERT_EQ(rows.size(), points.size() * width);
    for (std::size_t city = 0; city < points.size(); ++city) {
      const auto row = rows.begin() + static_cast<std::ptrdiff_t>(city * width);
      ASSERT_EQ(std::vector<Index>(row, row + static_cast<std::ptrdiff_t>(width)),
                scanned_row(points, metric, city, width))
          << "k = " << k << ", city " << city;
    }
    EXPECT_EQ(rows, quadrant_neighbours(instance, k)) << "threads have no say";
  }
}

INSTANTIATE_TEST_SUITE_P(Points, QuadrantNeighbours,
                         ::testing::Combine(::testing::Values("scattered", "clustered", "lattice", "line", "one place"),
                                            ::testing::Values(Metric::euclidean, Metric::euc_2d, Metric::ceil_2d,
                                                              Metric::att, Metric::man_2d, Metric::max_2d)));

TEST(QuadrantNeighbours, AreNearestOnesWhereThereIsNoPlane) {
  std::vector<double> matrix(36);
  for (std::size_t i = 0; i < 36; ++i) {
    matrix[i] = i % 7 == 0 ? 0.0 : static_cast<double>(i * i % 11);
  }
  const TspInstance by_matrix("matrix", 6, matrix);
  EXPECT_EQ(quadrant_neighbours(by_matrix, 5), nearest_neighbours(by_matrix, 5));
  const TspInstance on_globe("globe", points_of("lattice"), Metric::geo);
  EXPECT_EQ(quadrant_neighbours(on_globe, 10), nearest_neighbours(on_globe, 10));
  const TspInstance one("one", std::vector<Point>{{0.0, 0.0}}, Metric::euclidean);
  EXPECT_TRUE(quadrant_neighbours(one, 10).empty());
}

TEST(QuadrantNeighbours, LeadOutOfClusters) {
  const std::vector<Point> points = points_of("clustered");
  const TspInstance instance("clusters", points, Metric::euclidean);
  const auto leaving = [&](const std::vector<Index>& rows) {
    int edges = 0;
    for (std::size_t e = 0; e < rows.size(); ++e) {
      edges += (e / 8) % 3 == static_cast<std::size_t>(rows[e]) % 3 ? 0 : 1;
    }
    return edges;
  };
  EXPECT_EQ(leaving(nearest_neighbours(instance, 8)), 0);
  EXPECT_GT(leaving(quadrant_neighbours(instance, 8)), 0);
}

}  // namespace
}  // namespace moco
