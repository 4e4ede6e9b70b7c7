// Kicks on tours with fixed edges, and on a part of an instance. What kicks guarantee on every instance is in
// tests/conformance.
#include "moco/problems/tsp/tour_kicks.h"

#include <algorithm>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "moco/core/random.h"
#include "moco/problems/tsp/distance.h"
#include "moco/problems/tsp/tsp_graph.h"

namespace moco {
namespace {

constexpr Index kCities = 90;

KickBudget so_many(std::int64_t kicks) {
  return [kicks](const KickMoment& moment) { return static_cast<double>(moment.kicks) / static_cast<double>(kicks); };
}

std::shared_ptr<TspInstance> cities(Metric metric, std::uint64_t seed) {
  RandomSequence random(stream_key(seed, 0, 0), Purpose::generator);
  if (metric == Metric::matrix) {
    std::vector<double> matrix;
    for (Index i = 0; i < kCities * kCities; ++i) {
      matrix.push_back(i % (kCities + 1) == 0 ? 0.0 : 1.0 + random.next_below(1000));
    }
    return std::make_shared<TspInstance>("asymmetric", kCities, matrix);
  }
  std::vector<Point> points(kCities);
  for (Point& point : points) {
    point = {1000.0 * random.next_double(), 1000.0 * random.next_double()};
  }
  return std::make_shared<TspInstance>("points", points, metric);
}

std::vector<Index> random_tour(std::uint64_t seed) {
  RandomSequence random(stream_key(seed, 1, 0), Purpose::generator);
  std::vector<Index> tour(kCities);
  std::iota(tour.begin(), tour.end(), Index{0});
  for (std::size_t i = tour.size(); i > 1; --i) {
    std::swap(tour[i - 1], tour[random.next_below(static_cast<std::uint32_t>(i))]);
  }
  return tour;
}

using Arcs = std::set<std::pair<Index, Index>>;

Arcs arcs_of(const std::vector<Index>& tour) {
  Arcs arcs;
  for (std::size_t i = 0; i < tour.size(); ++i) {
    arcs.emplace(tour[i], tour[(i + 1) % tour.size()]);
  }
  return arcs;
}

void fix(std::vector<Index>& partners, Index a, Index b) {
  for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, a}}) {
    const auto place = partners.begin() + 2 * from;
    *(*place < 0 ? place : place + 1) = to;
  }
}

class FixedEdgeKicks : public ::testing::TestWithParam<Metric> {};

TEST_P(FixedEdgeKicks, KeepThemAndNeverWorsen) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const auto instance = cities(GetParam(), seed);
    std::vector<Index> tour = random_tour(seed);
    std::vector<Edge> fixed;
    Arcs kept;
    RandomSequence random(stream_key(seed, 2, 0), Purpose::generator);
    for (const auto& [from, to] : arcs_of(tour)) {
      if (random.next_below(12) < seed) {  // from a few edges to all
        fixed.push_back({from, to});
        kept.emplace(from, to);
      }
    }
    instance->fix_edges(fixed);
    const DecisionGraph graph = tsp_decision_graph(instance, 10);
    const auto search = make_tour_kicks(graph);
    double before = instance->check({tour}).cost;
    const double first = before;
    for (const std::int64_t kicks : {64, 640, 10'000}) {  // the last with a temperature
      search->run(tour, stream_key(seed, 0, 0), so_many(kicks));
      const CheckResult check = instance->check({tour});
      ASSERT_TRUE(check.feasible) << check.violation;
      EXPECT_LE(check.cost, before * (1.0 + 1e-12));
      before = check.cost;
      const Arcs found = arcs_of(tour);
      for (const auto& [from, to] : kept) {
        EXPECT_TRUE(found.contains({from, to}) || (instance->symmetric() && found.contains({to, from})))
            << from << "→" << to << " with seed " << seed;
      }
    }
    if (kept.size() < kCities / 2) {
      EXPECT_LT(before, 0.7 * first);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Metrics, FixedEdgeKicks,
                         ::testing::Values(Metric::euclidean, Metric::euc_2d, Metric::att, Metric::matrix));

TEST(TourPartKicks, ImproveAWindowBetweenItsEnds) {
  constexpr Index kWindow = 40;
  const auto instance = cities(Metric::euclidean, 5);
  std::vector<Index> tour = random_tour(5);
  const double before = instance->check({tour}).cost;
  TourPart part{{tour.begin(), tour.begin() + kWindow}, 7, {}, {}, std::vector<Index>(2 * kWindow, -1)};
  for (const Index city : part.cities) {
    std::vector<std::pair<double, Index>> near;
    for (Index i = 0; i < kWindow; ++i) {
      near.emplace_back(instance->distance(city, part.cities[static_cast<std::size_t>(i)]), i);
    }
    std::ranges::sort(near);
    for (std::size_t rank = 1; rank <= 7; ++rank) {
      part.length.push_back(near[std::min<std::size_t>(rank, 5)].first);
      part.targets.push_back(near[std::min<std::size_t>(rank, 5)].second);
    }
  }
  fix(part.fixed, 0, kWindow - 1);  // stands for the rest of the tour
  std::vector<Index> order(kWindow);
  std::iota(order.begin(), order.end(), Index{0});
  EXPECT_GE(kick_tour(*instance, part, order, stream_key(1, 0, 0), so_many(5000)), 5000);
  ASSERT_EQ(order.front(), 0);
  if (order[1] == kWindow - 1) {  // found the other way round
    std::reverse(order.begin() + 1, order.end());
  }
  ASSERT_EQ(order.back(), kWindow - 1);
  for (std::size_t i = 0; i < order.size(); ++i) {
    tour[i] = part.cities[static_cast<std::size_t>(order[i])];
  }
  const CheckResult after = instance->check({tour});
  ASSERT_TRUE(after.feasible) << after.violation;
  EXPECT_LT(after.cost, before - 40.0 * 100.0);
}

}  // namespace
}  // namespace moco
