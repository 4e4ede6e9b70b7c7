// What the search on tours is made of: exchanges on an array and their journal, AB-cycles, edge assembly, tours shown
// to others.
#include <algorithm>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "moco/problems/tsp/array_tour.h"
#include "moco/problems/tsp/edge_assembly.h"
#include "moco/problems/tsp/tour_breeding.h"
#include "moco/problems/tsp/tour_pool.h"
#include "moco/problems/tsp/tsp_graph.h"

namespace moco {
namespace {

using Edges = std::multiset<std::pair<Index, Index>>;

std::pair<Index, Index> edge(Index a, Index b) {
  return std::minmax(a, b);
}

Edges edges_of(const std::vector<Index>& tour) {
  Edges edges;
  for (std::size_t i = 0; i < tour.size(); ++i) {
    edges.insert(edge(tour[i], tour[(i + 1) % tour.size()]));
  }
  return edges;
}

std::vector<Index> random_tour(Index n, RandomSequence& random) {
  std::vector<Index> tour(static_cast<std::size_t>(n));
  std::iota(tour.begin(), tour.end(), Index{0});
  for (std::size_t i = tour.size(); i > 1; --i) {
    std::swap(tour[i - 1], tour[random.next_below(static_cast<std::uint32_t>(i))]);
  }
  return tour;
}

TourLinks links_of(const std::vector<Index>& tour) {
  TourLinks links(tour.size());
  for (std::size_t i = 0; i < tour.size(); ++i) {
    links[static_cast<std::size_t>(tour[i])] = {tour[(i + tour.size() - 1) % tour.size()], tour[(i + 1) % tour.size()]};
  }
  return links;
}

Edges edges_of(const TourLinks& links) {
  Edges edges;
  for (std::size_t city = 0; city < links.size(); ++city) {
    for (const Index to : links[city]) {
      if (static_cast<Index>(city) < to) {
        edges.insert({static_cast<Index>(city), to});
      }
    }
  }
  return edges;
}

/// The cities from 0 on, as long as the links lead to new ones.
std::vector<Index> walk(const TourLinks& links) {
  std::vector<Index> cities;
  Index before = links[0][0];
  Index city = 0;
  do {
    cities.push_back(city);
    const auto& [one, other] = links[static_cast<std::size_t>(city)];
    const Index next = one == before ? other : one;
    before = city;
    city = next;
  } while (city != 0 && cities.size() <= links.size());
  return cities;
}

/// k distinct random edges of a tour, each either way round.
EdgeExchange random_exchange(const std::vector<Index>& tour, int k, RandomSequence& random) {
  std::vector<std::size_t> places(tour.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  EdgeExchange exchange;
  exchange.edges = k;
  for (std::size_t i = 0; i < static_cast<std::size_t>(k); ++i) {
    std::swap(places[i], places[i + random.next_below(static_cast<std::uint32_t>(places.size() - i))]);
    exchange.ends[2 * i] = tour[places[i]];
    exchange.ends[2 * i + 1] = tour[(places[i] + 1) % tour.size()];
    if (random.next_below(2) == 1) {
      std::swap(exchange.ends[2 * i], exchange.ends[2 * i + 1]);
    }
  }
  return exchange;
}

TEST(ArrayTour, MakesAnyExchangeThatLeavesATour) {
  RandomSequence random(stream_key(1, 0, 0), Purpose::generator);
  int tours = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const Index n = 8 + static_cast<Index>(random.next_below(30));
    std::vector<Index> order = random_tour(n, random);
    const EdgeExchange exchange = random_exchange(order, 2 + static_cast<int>(random.next_below(5)), random);
    Edges expected = edges_of(order);
    TourLinks links = links_of(order);
    const auto relink = [&](Index city, Index old, Index now) {
      auto& [one, other] = links[static_cast<std::size_t>(city)];
      (one == old ? one : other) = now;
    };
    const std::size_t ends = 2 * static_cast<std::size_t>(exchange.edges);
    for (std::size_t i = 0; i < ends; i += 2) {
      const Index city = exchange.ends[i];
      const Index next = exchange.ends[i + 1];
      expected.erase(expected.find(edge(city, next)));
      relink(city, next, exchange.ends[(i + ends - 1) % ends]);
      relink(next, city, exchange.ends[(i + 2) % ends]);
    }
    for (std::size_t i = 0; i < ends; i += 2) {
      expected.insert(edge(exchange.ends[i + 1], exchange.ends[(i + 2) % ends]));
    }
    const bool doubled = std::ranges::adjacent_find(expected) != expected.end() ||
                         std::ranges::any_of(expected, [](const auto& e) { return e.first == e.second; });
    if (doubled) {
      continue;  // no exchange that a search would ask for
    }
    ArrayTour tour(order);
    ASSERT_EQ(tour.is_tour(exchange), walk(links).size() == order.size());
    if (!tour.is_tour(exchange)) {
      continue;
    }
    ++tours;
    const std::vector<Index> before = order;
    tour.begin_journal();
    tour.make(exchange);
    EXPECT_EQ(edges_of(order), expected);
    for (Index city = 0; city < n; ++city) {
      EXPECT_EQ(tour.previous(tour.next(city)), city);
    }
    EXPECT_EQ(tour.before_journal(), before);
    const EdgeExchange second = random_exchange(order, 2, random);
    if (tour.is_tour(second)) {
      tour.make(second);
    }
    EXPECT_EQ(tour.before_journal(), before);
    tour.take_back();
    EXPECT_EQ(order, before);
  }
  EXPECT_GT(tours, 500);
}

TEST(AbCycles, AreWhatTwoToursDoNotShare) {
  RandomSequence random(stream_key(2, 0, 0), Purpose::generator);
  AbCycles cycles;
  for (int trial = 0; trial < 300; ++trial) {
    const Index n = 5 + static_cast<Index>(random.next_below(60));
    const std::vector<Index> a = random_tour(n, random);
    std::vector<Index> b = a;
    const auto from = static_cast<std::ptrdiff_t>(random.next_below(static_cast<std::uint32_t>(n)));
    std::reverse(b.begin(), b.begin() + from);
    std::rotate(b.begin() + from / 2, b.begin() + from, b.end());
    cycles.find(links_of(a), links_of(b), random);
    Edges rest_a = edges_of(a);
    Edges rest_b = edges_of(b);
    for (int number = 0; number < cycles.count(); ++number) {
      const auto cycle = cycles.cycle(number);
      ASSERT_GE(cycle.size(), 4u);
      for (std::size_t i = 0; i < cycle.size(); ++i) {
        Edges& rest = i % 2 == 0 ? rest_a : rest_b;
        const auto found = rest.find(edge(cycle[i], cycle[(i + 1) % cycle.size()]));
        ASSERT_NE(found, rest.end());
        rest.erase(found);
      }
    }
    EXPECT_EQ(rest_a, rest_b);
  }
}

TEST(EdgeAssembly, ShortensByWhatItSaysAndKeepsFixedEdges) {
  constexpr Index kCities = 120;
  RandomSequence random(stream_key(3, 0, 0), Purpose::generator);
  std::vector<Point> points(kCities);
  for (Point& point : points) {
    point = {random.next_double(), random.next_double()};
  }
  const auto instance = std::make_shared<TspInstance>("points", points, Metric::euclidean);
  const DecisionGraph graph = tsp_decision_graph(instance, 8);
  const auto distance = [&](Index a, Index b) { return instance->distance(a, b); };
  const TourNeighbours neighbours{graph.targets.data(), graph.length.data(), graph.degree};
  double all = 0.0;
  for (int trial = 0; trial < 60; ++trial) {
    // Two tours with a path in common, of which some edges are fixed.
    std::vector<Index> a = random_tour(kCities, random);
    std::vector<Index> b = a;
    for (std::size_t i = b.size(); i > 40; --i) {
      std::swap(b[i - 1], b[39 + random.next_below(static_cast<std::uint32_t>(i - 39))]);
    }
    std::vector<Index> partners(2 * kCities, -1);
    Edges fixed;
    for (std::size_t i = 0; i < 30; i += 2) {
      partners[2 * static_cast<std::size_t>(a[i])] = a[i + 1];
      partners[2 * static_cast<std::size_t>(a[i + 1])] = a[i];
      fixed.insert(edge(a[i], a[i + 1]));
    }
    EdgeAssembly assembly(kCities, distance, neighbours, FixedEdges(partners), 1e-10);
    TourLinks links = links_of(a);
    const double gain = assembly.improve(links, links_of(b), random, [] { return true; });
    const std::vector<Index> child = walk(links);
    ASSERT_EQ(child.size(), a.size());
    EXPECT_NEAR(instance->check({child}).cost, instance->check({a}).cost - gain, 1e-9);
    EXPECT_GE(gain, 0.0);
    all += gain;
    const Edges edges = edges_of(links);
    EXPECT_TRUE(std::ranges::includes(edges, fixed));
    EXPECT_EQ(assembly.improve(links, links_of(child), random, [] { return true; }), 0.0);
  }
  EXPECT_GT(all, 0.0);
}

TEST(TourPool, ShowsToursToSearchesOfTheSameCitiesOnly) {
  RandomSequence random(stream_key(4, 0, 0), Purpose::generator);
  const TourLinks links = links_of(random_tour(9, random));
  TourPool pool;
  const PoolEntry first(&pool, {2, 1, 0});
  const PoolEntry second(&pool, {2, 1, 0});
  const PoolEntry other(&pool, {0, 1, 2});
  EXPECT_EQ(other.pool(), nullptr);
  ASSERT_NE(second.pool(), nullptr);
  EXPECT_EQ(pool.foreign(second.number(), 5, random), nullptr);
  pool.reset(first.number(), 3);
  for (std::size_t i = 0; i < 3; ++i) {
    pool.show(first.number(), i, links);
  }
  EXPECT_EQ(*pool.foreign(second.number(), 0, random), links);
  EXPECT_EQ(pool.foreign(first.number(), 3, random), nullptr);
}

}  // namespace
}  // namespace moco
