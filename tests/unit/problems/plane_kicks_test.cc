// Kicks on small tours in the plane: exchanges against a search of all sequential ones, what kicks keep to, slices.
#include "moco/problems/tsp/plane_kicks.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "serial_windows.h"

namespace moco {
namespace {

PlaneWindows random_windows(const std::vector<int>& sizes, unsigned seed, double fixed_share,
                            LengthRounding rounding = LengthRounding::none) {
  std::mt19937 random(seed);
  PlaneWindows windows;
  windows.rounding = rounding;
  for (const int n : sizes) {
    for (int i = 0; i < n; ++i) {
      const auto coordinate = [&] { return std::uniform_real_distribution<float>(-100.0f, 100.0f)(random); };
      windows.points.push_back({coordinate(), coordinate()});
      windows.fixed.push_back(std::bernoulli_distribution(fixed_share)(random) ? 1 : 0);
    }
    windows.first.push_back(static_cast<std::uint32_t>(windows.points.size()));
    windows.keys.push_back(stream_key(seed, windows.first.size(), 0));
  }
  return windows;
}

std::vector<std::uint16_t> kicked(const PlaneWindows& windows, const std::vector<KickSlice>& slices) {
  SerialWindows engine;
  engine.begin(windows);
  for (const KickSlice& slice : slices) {
    engine.kick(slice);
  }
  const auto orders = engine.orders();
  return {orders.begin(), orders.end()};
}

double length_of(const PlaneWindows& windows, const std::vector<std::uint16_t>& orders, std::size_t window) {
  const std::size_t n = windows.size(window);
  const std::size_t first = windows.first[window];
  double length = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const PlanePoint a = windows.points[first + orders[first + i]];
    const PlanePoint b = windows.points[first + orders[first + (i + 1) % n]];
    const double exact = std::hypot(double{a.x} - b.x, double{a.y} - b.y);
    length += windows.rounding == LengthRounding::none      ? exact
              : windows.rounding == LengthRounding::nearest ? std::floor(exact + 0.5)
                                                            : std::ceil(exact);
  }
  return length;
}

/// Every window's order has each of its cities once and its fixed edges.
void expect_feasible(const PlaneWindows& windows, const std::vector<std::uint16_t>& orders) {
  for (std::size_t window = 0; window < windows.count(); ++window) {
    const std::size_t n = windows.size(window);
    const std::size_t first = windows.first[window];
    std::vector<std::size_t> place(n, n);
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_LT(orders[first + i], n);
      place[orders[first + i]] = i;
    }
    for (std::size_t city = 0; city < n; ++city) {
      ASSERT_LT(place[city], n) << "city " << city << " of window " << window;
      if (windows.fixed[first + city] != 0) {
        const std::size_t apart = (place[(city + 1) % n] + n - place[city]) % n;
        EXPECT_TRUE(apart == 1 || apart == n - 1) << "edge at " << city << " of window " << window;
      }
    }
  }
}

const PlaneWindows kMany = random_windows({200, 1, 2, 3, 4, 5, 7, 8, 9, 12, 1, 33, 100}, 3, 0.2);

TEST(PlaneKicks, KeepCitiesAndFixedEdges) {
  for (const double share : {0.0, 0.1, 0.5, 0.9, 1.0}) {
    const PlaneWindows windows = random_windows({150, 3, 4, 5, 8, 9, 40, 2, 1}, 11, share);
    expect_feasible(windows, kicked(windows, {{0, 300, 20.0f, 0.0f}}));
    expect_feasible(windows, kicked(windows, {{0, 0, 0.0f, 0.0f}}));
  }
}

TEST(PlaneKicks, AreNeverWorseWithoutTemperature) {
  for (const auto rounding : {LengthRounding::none, LengthRounding::nearest, LengthRounding::up}) {
    PlaneWindows windows = kMany;
    windows.rounding = rounding;
    const auto start = kicked(windows, {});
    const auto settled = kicked(windows, {{0, 0, 0.0f, 0.0f}});
    const auto late = kicked(windows, {{0, 2000, 0.0f, 0.0f}});
    for (std::size_t window = 0; window < windows.count(); ++window) {
      EXPECT_LE(length_of(windows, settled, window), length_of(windows, start, window) + 1e-3);
      EXPECT_LE(length_of(windows, late, window), length_of(windows, settled, window) + 1e-3);
    }
    EXPECT_LT(length_of(windows, settled, 0), 0.5 * length_of(windows, start, 0));
    EXPECT_LT(length_of(windows, late, 0), 0.999 * length_of(windows, settled, 0));
  }
}

TEST(PlaneKicks, DoNotDependOnWhereSlicesAreCut) {
  const auto whole = kicked(kMany, {{0, 500, 8.0f, 0.016f}});
  EXPECT_EQ(
      kicked(kMany, {{0, 1, 8.0f, 0.016f}, {1, 77, 8.0f, 0.016f}, {77, 78, 8.0f, 0.016f}, {78, 500, 8.0f, 0.016f}}),
      whole);
  EXPECT_NE(kicked(kMany, {{0, 400, 8.0f, 0.016f}}), whole);
}

TEST(PlaneKicks, AcceptLongerToursByTheirTemperature) {
  const PlaneWindows windows = random_windows({200}, 5, 0.0);
  const double cold = length_of(windows, kicked(windows, {{0, 3000, 0.0f, 0.0f}}), 0);
  const double hot = length_of(windows, kicked(windows, {{0, 3000, 100.0f, 0.0f}}), 0);
  const double annealed = length_of(windows, kicked(windows, {{0, 30000, 12.0f, 12.0f / 30000.0f}}), 0);
  EXPECT_GT(hot, 1.01 * annealed);
  EXPECT_LT(annealed, 1.005 * cold);
}

/// What the best exchange of two edges gains and, where asked for, of three.
double best_exchange(const std::vector<int>& tour, const PlaneWindows& windows, bool three) {
  const int n = static_cast<int>(tour.size());
  const auto distance = [&](int a, int b) {
    return double{plane_length<LengthRounding::none>(windows.points[static_cast<std::size_t>(a)],
                                                     windows.points[static_cast<std::size_t>(b)])};
  };
  const auto at = [&](int i) { return tour[static_cast<std::size_t>(i % n)]; };
  double best = 0.0;
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) {
      const int a = at(i), b = at(i + 1), c = at(j), d = at(j + 1);
      const double two = distance(a, b) + distance(c, d);
      best = std::max(best, two - distance(a, c) - distance(b, d));
      for (int k = j + 1; three && k < n; ++k) {
        const int e = at(k), f = at(k + 1);
        const double removed = two + distance(e, f);
        for (const double added :
             {distance(a, c) + distance(b, e) + distance(d, f), distance(a, d) + distance(e, b) + distance(c, f),
              distance(a, d) + distance(e, c) + distance(b, f), distance(a, e) + distance(d, b) + distance(c, f)}) {
          best = std::max(best, removed - added);
        }
      }
    }
  }
  return best;
}

TEST(PlaneMoves, LeaveNoExchangeWhereAllCitiesAreNeighbours) {
  int settled = 0;
  for (unsigned seed = 0; seed < 80; ++seed) {
    const int n = 4 + static_cast<int>(seed % 4);
    const PlaneWindows windows = random_windows({n}, seed, 0.0);
    const auto order = kicked(windows, {{0, 0, 0.0f, 0.0f}});
    const std::vector<int> tour(order.begin(), order.end());
    EXPECT_LT(best_exchange(tour, windows, n <= kPlaneSecondNeighbours + 1), 2e-3)
        << "seed " << seed << ", " << n << " cities";
    settled += length_of(windows, order, 0) < length_of(windows, kicked(windows, {}), 0) ? 1 : 0;
  }
  EXPECT_GT(settled, 40);
}

/// One exchange at a time is checked against the tour that it leaves.
TEST(PlaneMoves, GainWhatTheTourBecomesShorterBy) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const PlaneWindows windows = random_windows({8 + static_cast<int>(seed) * 3}, seed, 0.15);
    const int n = static_cast<int>(windows.size(0));
    std::vector<std::uint32_t> words(static_cast<std::size_t>(plane_memory_bytes(n)) / 4 + 1);
    const PlaneMemory memory = place_plane_memory(reinterpret_cast<unsigned char*>(words.data()), n);
    for (int i = 0; i < n; ++i) {
      memory.points[i] = windows.points[static_cast<std::size_t>(i)];
      memory.fixed[i] = windows.fixed[static_cast<std::size_t>(i)];
      memory.order[i] = static_cast<std::uint16_t>(i);
    }
    const PlaneKicks<SerialTeam, LengthRounding::none> neighbours(SerialTeam(), n, memory, {});
    PlaneMoves<SerialTeam, LengthRounding::none> moves(SerialTeam(), n, memory, 1e-3f);
    WorkQueue<SerialTeam, std::uint16_t> queue(SerialTeam(), n, memory.queue, memory.queued);
    const auto tour = [&] { return std::vector<std::uint16_t>(memory.order, memory.order + n); };
    const double before = length_of(windows, tour(), 0);
    queue.fill(memory.kept, n);
    const double gained = moves.settle(queue, {});
    EXPECT_NEAR(length_of(windows, tour(), 0), before - gained, 1e-2) << "seed " << seed;
    expect_feasible(windows, tour());
    EXPECT_GT(gained, 0.0);
  }
}

TEST(PlaneMoves, NeighboursAreTheNearestAndTheNearestOfEachQuadrant) {
  PlaneWindows windows = random_windows({300, 4, 5}, 2, 0.0);
  for (std::size_t i = 0; i < 150; ++i) {  // a cluster
    windows.points[i] = {0.01f * windows.points[i].x, 0.01f * windows.points[i].y};
  }
  int far = 0;
  for (std::size_t window = 0; window < windows.count(); ++window) {
    const int n = static_cast<int>(windows.size(window));
    std::vector<std::uint32_t> words(static_cast<std::size_t>(plane_memory_bytes(n)) / 4 + 1);
    const PlaneMemory memory = place_plane_memory(reinterpret_cast<unsigned char*>(words.data()), n);
    const PlanePoint* points = windows.points.data() + windows.first[window];
    for (int i = 0; i < n; ++i) {
      memory.points[i] = points[i];
      memory.order[i] = static_cast<std::uint16_t>(i);
    }
    const PlaneKicks<SerialTeam, LengthRounding::none> kicks(SerialTeam(), n, memory, {});
    for (int i = 0; i < n; ++i) {
      const auto length = [&](int other) { return plane_length<LengthRounding::none>(points[i], points[other]); };
      const std::uint16_t* row = memory.neighbours + i * kPlaneNeighbours;
      const std::set<int> seen(row, row + std::min(kPlaneNeighbours, n - 1));
      EXPECT_EQ(seen.size(), static_cast<std::size_t>(std::min(kPlaneNeighbours, n - 1)));
      EXPECT_EQ(seen.count(i), 0u);
      std::map<int, std::pair<float, int>> nearest;  // of each quadrant
      for (int other = 0; other < n; ++other) {
        if (other != i) {
          const int quadrant = (points[other].x < points[i].x ? 1 : 0) + (points[other].y < points[i].y ? 2 : 0);
          const auto [place, is_new] = nearest.try_emplace(quadrant, length(other), other);
          place->second = std::min(place->second, {length(other), other});
        }
      }
      std::set<int> outside_order;
      for (const auto& [quadrant, city] : nearest) {
        EXPECT_TRUE(seen.contains(city.second));
        outside_order.insert(city.second);
      }
      float last = 0.0f;
      for (const int neighbour : seen) {
        last = std::max(last, outside_order.contains(neighbour) ? 0.0f : length(neighbour));
      }
      for (int other = 0; other < n; ++other) {
        if (other != i && !seen.contains(other)) {
          EXPECT_GE(length(other), 0.999f * last);
          ++far;
        }
      }
    }
  }
  EXPECT_GT(far, 0);
}

}  // namespace
}  // namespace moco
