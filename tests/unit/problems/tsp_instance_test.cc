// TSP instances: distances against values worked out by hand from TSPLIB's definitions, scale, and the checker.
#include <cmath>
#include <limits>

#include "unit/problems/support.h"

namespace moco {
namespace {

double between(Metric metric, Point a, Point b) {
  const TspInstance instance("pair", {a, b}, metric);
  EXPECT_EQ(instance.distance(0, 1), instance.distance(1, 0));
  EXPECT_EQ(instance.distance(0, 0), 0.0);
  return instance.distance(0, 1);
}

TEST(TspDistance, Euclidean) {
  EXPECT_EQ(between(Metric::euclidean, {0, 0}, {3, 4}), 5.0);
  EXPECT_DOUBLE_EQ(between(Metric::euclidean, {0, 0}, {1, 1}), std::sqrt(2.0));
}

TEST(TspDistance, SpatialPlacesHaveHeights) {
  const std::vector<Point> points{{0, 0}, {3, 4}, {1, 1}};
  const std::vector<double> heights{0, 12, 1};
  const TspInstance euc("e", points, Metric::euc_3d, heights);
  EXPECT_EQ(euc.distance(0, 1), 13);
  EXPECT_EQ(euc.distance(0, 2), 2);  // 1.73
  EXPECT_EQ(euc.distance(1, 1), 0);
  EXPECT_EQ(euc.scale(), 12.0);
  EXPECT_TRUE(euc.symmetric());
  const TspInstance ceil("c", {{0, 0}, {0, 0}}, Metric::ceil_3d, {0, 1.25});
  EXPECT_EQ(ceil.distance(0, 1), 2);
  EXPECT_EQ(ceil.check({{1, 0}}).cost, 4.0);
  EXPECT_THROW(TspInstance("x", points, Metric::euc_3d), OptionError);
  EXPECT_THROW(TspInstance("x", points, Metric::euc_2d, heights), OptionError);
  EXPECT_THROW(TspInstance("x", points, Metric::euc_3d, {0, 1, std::nan("")}), OptionError);
}

TEST(FixedEdges, ArePartOfEveryTour) {
  TspInstance instance("square", {{0, 0}, {0, 1}, {1, 1}, {1, 0}, {2, 0}}, Metric::euclidean);
  EXPECT_TRUE(instance.fixed_partners().empty());
  instance.fix_edges(std::vector<Edge>{{0, 2}, {2, 0}, {4, 2}});
  EXPECT_TRUE(instance.check({{0, 2, 4, 3, 1}}).feasible);
  EXPECT_TRUE(instance.check({{2, 0, 1, 3, 4}}).feasible);  // the way home counts
  const CheckResult refused = instance.check({{0, 1, 2, 3, 4}});
  EXPECT_FALSE(refused.feasible);
  EXPECT_EQ(refused.violation, "the fixed edge between cities 0 and 2 is not part of the tour");
  EXPECT_EQ(instance.check({{0, 2, 1, 3, 4}}).violation,
            "the fixed edge between cities 2 and 4 is not part of the tour");
}

TEST(FixedEdges, AreRefusedWhereNoTourHasThem) {
  const auto fault = [](const std::vector<Edge>& edges) -> std::string {
    TspInstance instance("five", {{0, 0}, {0, 1}, {1, 1}, {1, 0}, {2, 0}}, Metric::euclidean);
    try {
      instance.fix_edges(edges);
      return "";
    } catch (const OptionError& error) {
      return error.what();
    }
  };
  EXPECT_EQ(fault({{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}, {0, 1}}), "");
  EXPECT_EQ(fault({{0, 1}, {1, 2}, {3, 1}}),
            "the edge between cities 3 and 1 cannot be fixed: it would be the third at city 1");
  EXPECT_EQ(fault({{0, 1}, {1, 2}, {2, 0}}),
            "the edge between cities 2 and 0 cannot be fixed: it closes a circle that leaves cities out");
  EXPECT_EQ(fault({{0, 5}}),
            "the edge between cities 0 and 5 cannot be fixed: it is no edge between two of the cities 0 … 4");
  EXPECT_NE(fault({{3, 3}}), "");
  EXPECT_NE(fault({{-1, 3}}), "");
}

TEST(TspDistance, RoundedEuclidean) {
  EXPECT_EQ(between(Metric::euc_2d, {0, 0}, {1, 1}), 1);    // 1.414
  EXPECT_EQ(between(Metric::euc_2d, {0, 0}, {2, 2}), 3);    // 2.828
  EXPECT_EQ(between(Metric::euc_2d, {0, 0}, {2.5, 0}), 3);  // halves go up
  EXPECT_EQ(between(Metric::euc_2d, {0, 0}, {0.4, 0}), 0);
}

TEST(TspDistance, EuclideanRoundedUp) {
  EXPECT_EQ(between(Metric::ceil_2d, {0, 0}, {1, 1}), 2);
  EXPECT_EQ(between(Metric::ceil_2d, {0, 0}, {3, 4}), 5);
  EXPECT_EQ(between(Metric::ceil_2d, {0, 0}, {0.01, 0}), 1);
}

TEST(TspDistance, ManhattanAndMaximum) {
  EXPECT_EQ(between(Metric::man_2d, {1, 2}, {4, -2}), 7);
  EXPECT_EQ(between(Metric::man_2d, {0, 0}, {1.2, 1.2}), 2);  // 2.4
  EXPECT_EQ(between(Metric::max_2d, {1, 2}, {4, -2}), 4);
  EXPECT_EQ(between(Metric::max_2d, {0, 0}, {1.6, 0.2}), 2);
}

TEST(TspDistance, PseudoEuclidean) {
  EXPECT_EQ(between(Metric::att, {0, 0}, {10, 0}), 4);  // sqrt(10) = 3.16, rounds to 3 < 3.16, so 4
  EXPECT_EQ(between(Metric::att, {0, 0}, {1, 3}), 1);   // sqrt(1) = 1
  EXPECT_EQ(between(Metric::att, {0, 0}, {10, 5}), 4);  // sqrt(12.5) = 3.54, rounds to 4
  EXPECT_EQ(between(Metric::att, {0, 0}, {0, 0}), 0);
}

TEST(TspDistance, Geographical) {
  // A quarter of the equator: 6378.388·3.141592·90/180 = 10019.15, and one is added before cutting off.
  EXPECT_EQ(between(Metric::geo, {0, 0}, {0, 90}), 10020);
  // 30 minutes are written .30 and are half a degree: 6378.388·3.141592·0.5/180 = 55.66, plus one.
  EXPECT_EQ(between(Metric::geo, {0, 0}, {0.30, 0}), 56);
  EXPECT_EQ(between(Metric::geo, {-0.30, 0}, {0, 0}), 56);
  // Different cities in one place are one kilometre apart by TSPLIB's formula.
  EXPECT_EQ(between(Metric::geo, {48.23, 4.20}, {48.23, 4.20}), 1);
  // From 52°30' N 13°24' E to 48°12' N 11°34' E the haversine formula on the same globe gives 496.05 km, plus one.
  EXPECT_EQ(between(Metric::geo, {52.30, 13.24}, {48.12, 11.34}), 497);
}

TEST(TspInstance, RejectsUnusableNumbers) {
  EXPECT_THROW(TspInstance("x", {}, Metric::euclidean), OptionError);
  EXPECT_THROW(TspInstance("x", {{0, 0}}, Metric::matrix), OptionError);
  EXPECT_THROW(TspInstance("x", {{0, std::nan("")}}, Metric::euclidean), OptionError);
  EXPECT_THROW(TspInstance("x", {{std::numeric_limits<double>::infinity(), 0}}, Metric::euclidean), OptionError);
  EXPECT_THROW(TspInstance("x", {{1e200, 0}}, Metric::euclidean), OptionError);
  EXPECT_THROW(TspInstance("x", 2, {0, 1, 1}), OptionError);
  EXPECT_THROW(TspInstance("x", 2, {0, 1, std::nan(""), 0}), OptionError);
  EXPECT_THROW(TspInstance("x", 2, {0, 1, 1, 0}, {{0, 0}}), OptionError);
  EXPECT_THROW(TspInstance("x", 0, {}), OptionError);
  EXPECT_THROW(TspInstance("x", -1, {}), OptionError);
}

TEST(TspInstance, ScaleIsTheLongerSide) {
  const std::vector<Point> box{{10, 20}, {40, 30}};
  for (const Metric metric : {Metric::euclidean, Metric::euc_2d, Metric::ceil_2d, Metric::man_2d, Metric::max_2d}) {
    EXPECT_EQ(TspInstance("x", box, metric).scale(), 30.0);
  }
  EXPECT_DOUBLE_EQ(TspInstance("x", box, Metric::att).scale(), 30.0 / std::sqrt(10.0));
  EXPECT_NEAR(TspInstance("x", {{0, 0}, {1, 2}}, Metric::geo).scale(), 2 * 111.32, 0.1);  // two degrees of longitude
  EXPECT_DOUBLE_EQ(TspInstance("x", 2, {9, 1, 4, 9}).scale(), 4 / std::sqrt(2.0));
  EXPECT_EQ(TspInstance("x", 2, {0, 0, 0, 0}).scale(), 1.0);
  EXPECT_EQ(TspInstance("x", {{5, 5}, {5, 5}}, Metric::euclidean).scale(), 1.0);
  EXPECT_EQ(TspInstance("x", {{5, 5}}, Metric::geo).scale(), 1.0);
}

TEST(TspChecker, RecomputesTheCost) {
  const TspInstance square("square", {{0, 0}, {0, 1}, {1, 1}, {1, 0}}, Metric::euclidean);
  const CheckResult good = square.check({{0, 1, 2, 3}});
  EXPECT_TRUE(good.feasible);
  EXPECT_EQ(good.cost, 4.0);
  EXPECT_EQ(good.violation, "");
  EXPECT_DOUBLE_EQ(square.check({{0, 2, 1, 3}}).cost, 2 + 2 * std::sqrt(2.0));
  EXPECT_EQ(TspInstance("asymmetric", 3, {0, 1, 10, 10, 0, 2, 3, 10, 0}).check({{0, 1, 2}}).cost, 6.0);
  EXPECT_EQ(TspInstance("asymmetric", 3, {0, 1, 10, 10, 0, 2, 3, 10, 0}).check({{2, 1, 0}}).cost, 30.0);
}

TEST(TspChecker, HandlesTinyInstances) {
  EXPECT_EQ(TspInstance("one", {{3, 3}}, Metric::geo).check({{0}}).cost, 0.0);
  EXPECT_EQ(TspInstance("one", 1, {7}).check({{0}}).cost, 0.0);
  EXPECT_EQ(TspInstance("two", {{0, 0}, {3, 4}}, Metric::euclidean).check({{1, 0}}).cost, 10.0);
}

TEST(TspInstance, SharesWhatItIsLent) {
  const auto points = std::make_shared<std::vector<Point>>(std::vector<Point>{{0, 0}, {3, 4}, {3, 0}});
  const auto matrix = std::make_shared<std::vector<double>>(std::vector<double>{0, 1, 2, 3, 0, 4, 5, 6, 0});
  {
    const TspInstance cities("lent", std::span<const Point>(*points), points, Metric::euclidean);
    const TspInstance table("lent", 3, std::span<const double>(*matrix), matrix);
    EXPECT_EQ(cities.points().data(), points->data());
    EXPECT_EQ(table.matrix().data(), matrix->data());
    EXPECT_EQ(cities.distance(0, 1), 5.0);
    EXPECT_EQ(table.distance(2, 1), 6.0);
    EXPECT_FALSE(table.symmetric());
    EXPECT_EQ(points.use_count(), 2);
  }
  EXPECT_EQ(points.use_count(), 1);
  EXPECT_EQ(matrix.use_count(), 1);
}

TEST(TspChecker, NamesTheFirstViolation) {
  const TspInstance instance("ten", std::vector<Point>(10), Metric::euclidean);
  const auto violation = [&](std::vector<Index> items) {
    const CheckResult result = instance.check({std::move(items)});
    EXPECT_FALSE(result.feasible);
    return result.violation;
  };
  EXPECT_EQ(violation({}), "tour has 0 cities, the instance 10");
  EXPECT_EQ(violation({0, 1, 2, 3, 4, 5, 6, 7}), "tour has 8 cities, the instance 10");
  EXPECT_EQ(violation({0, 1, 2, 7, 4, 5, 6, 3, 8, 7}), "city 7 appears twice, at positions 3 and 9");
  EXPECT_EQ(violation({0, 1, 2, 3, 123, 5, 6, 7, 8, 9}), "position 4: 123 is not a city of 0 … 9");
  EXPECT_EQ(violation({0, 1, 2, 3, 4, 5, 6, 7, 8, -1}), "position 9: -1 is not a city of 0 … 9");
}

}  // namespace
}  // namespace moco
