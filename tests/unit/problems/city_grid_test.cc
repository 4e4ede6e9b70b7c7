// The nearest city that is left, against looking at all of them.
#include "moco/problems/tsp/city_grid.h"

#include <numeric>

#include <gtest/gtest.h>

#include "moco/core/random.h"

namespace moco {
namespace {

class CityGrid : public ::testing::TestWithParam<Metric> {};

TEST_P(CityGrid, FindsWhatLookingAtAllFinds) {
  constexpr Index kCities = 700;
  for (const double height : {1.0, 0.0, 1e-4}) {
    RandomSequence random(stream_key(5, 0, 0), Purpose::generator);
    std::vector<Point> points;
    for (Index i = 0; i < kCities; ++i) {
      const double x = i % 9 == 0 ? 0.5 : random.next_double();  // a clump, and ties under rounding
      points.push_back({80.0 * x, 80.0 * height * random.next_double()});
    }
    std::vector<double> heights;
    for (Index i = 0; is_spatial(GetParam()) && i < kCities; ++i) {
      heights.push_back(20.0 * random.next_double());
    }
    const TspInstance instance("points", points, GetParam(), heights);
    std::vector<Index> cities(kCities);
    std::iota(cities.begin(), cities.end(), Index{0});
    const CityCells cells(instance, cities);
    CitiesLeft left;
    left.reset(cells);
    std::vector<Index> rest = cities;
    for (Index here = 17; !rest.empty();) {
      left.take(here);
      std::erase(rest, here);
      Index nearest = -1;
      for (const Index city : rest) {
        if (nearest < 0 || instance.distance(here, city) < instance.distance(here, nearest)) {
          nearest = city;
        }
      }
      ASSERT_EQ(left.nearest(here), nearest) << rest.size() << " left";
      ASSERT_EQ(left.count(), static_cast<Index>(rest.size()));
      here = rest.empty() ? here : rest[random.next_below(static_cast<std::uint32_t>(rest.size()))];
    }
    EXPECT_EQ(left.nearest(0), -1);
  }
}

INSTANTIATE_TEST_SUITE_P(Metrics, CityGrid,
                         ::testing::Values(Metric::euclidean, Metric::euc_2d, Metric::ceil_2d, Metric::man_2d,
                                           Metric::max_2d, Metric::att, Metric::geo, Metric::euc_3d, Metric::ceil_3d));

}  // namespace
}  // namespace moco
