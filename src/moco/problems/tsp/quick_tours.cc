// Constructions without a policy.
#include "moco/problems/tsp/quick_tours.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include "moco/core/radix_sort.h"
#include "moco/problems/tsp/city_grid.h"
#include "moco/problems/tsp/fixed_paths.h"

namespace moco {

namespace {

constexpr Index kGreedyRanks = 8;  // nearest neighbours whose edges the greedy tour may use
constexpr Index kStepsPerLook = 4096;

std::size_t at(Index index) {
  return static_cast<std::size_t>(index);
}

/// Place of a point along the Hilbert curve from one lower corner of a square to the other; `side` is a power of two.
std::uint32_t hilbert_place(std::uint32_t x, std::uint32_t y, std::uint32_t side) {
  std::uint32_t place = 0;
  for (std::uint32_t half = side / 2; half > 0; half /= 2) {
    const std::uint32_t right = (x & half) != 0 ? 1 : 0;
    const std::uint32_t upper = (y & half) != 0 ? 1 : 0;
    place += half * half * ((3 * right) ^ upper);
    if (upper == 0) {
      if (right == 1) {
        x = side - 1 - x;
        y = side - 1 - y;
      }
      std::swap(x, y);
    }
  }
  return place;
}

constexpr std::uint32_t kSide = 1u << 16;

/// Place of a point along a closed curve through a square of kSide × kSide cells: four Hilbert curves, up on the left
/// and down on the right.
std::uint32_t moore_place(std::uint32_t x, std::uint32_t y) {
  constexpr std::uint32_t kHalf = kSide / 2;
  const bool left = x < kHalf;
  const bool lower = y < kHalf;
  const std::uint32_t along = left ? y % kHalf : kHalf - 1 - y % kHalf;
  const std::uint32_t aside = left ? kHalf - 1 - x : x - kHalf;
  const std::uint32_t quarter = left ? (lower ? 0 : 1) : (lower ? 3 : 2);
  return quarter * kHalf * kHalf + hilbert_place(along, aside, kHalf);
}

Solution nearest_neighbour_tour(const TspInstance& instance) {
  std::vector<Index> rest(at(instance.size() - 1));
  std::iota(rest.begin(), rest.end(), Index{1});
  Solution tour{{0}};
  while (!rest.empty()) {
    const Index here = tour.items.back();
    const auto next = std::ranges::min_element(rest, {}, [&](Index city) { return instance.distance(here, city); });
    tour.items.push_back(*next);
    *next = rest.back();
    rest.pop_back();
  }
  return tour;
}

/// Paths that grow together: every city has at most two links, and no cycle closes.
class Paths {
 public:
  explicit Paths(Index n) : links_(at(n), {-1, -1}), leader_(at(n)) { std::iota(leader_.begin(), leader_.end(), 0); }

  void join(Index a, Index b) {
    if (links_[at(a)].second >= 0 || links_[at(b)].second >= 0 || leader(a) == leader(b)) {
      return;
    }
    leader_[at(leader(a))] = leader(b);
    link(a, b);
    link(b, a);
  }
  bool is_end(Index city) const { return links_[at(city)].second < 0; }
  /// Appends the path that begins at an end.
  void walk(Index from, std::vector<Index>& cities) const {
    Index before = -1;
    for (Index here = from; here >= 0;) {
      cities.push_back(here);
      const auto& [one, other] = links_[at(here)];
      const Index next = one == before ? other : one;
      before = here;
      here = next;
    }
  }

 private:
  Index leader(Index city) {
    while (leader_[at(city)] != city) {
      leader_[at(city)] = leader_[at(leader_[at(city)])];
      city = leader_[at(city)];
    }
    return city;
  }
  void link(Index from, Index to) {
    auto& [one, other] = links_[at(from)];
    (one < 0 ? one : other) = to;
  }

  std::vector<std::pair<Index, Index>> links_;
  std::vector<Index> leader_;
};

Paths greedy_paths(const DecisionGraph& graph, const Halt& halt) {
  HaltWatch watch(&halt);
  std::vector<NumberedKey> edges;
  const Index ranks = std::min(graph.degree, kGreedyRanks);
  edges.reserve(at(graph.nodes) * at(ranks));
  for (Index city = 0; city < graph.nodes; ++city) {
    for (Index rank = 0; rank < ranks; ++rank) {
      const Index edge = city * graph.degree + rank;
      const Index reverse = graph.reverse[at(edge)];
      if (reverse < 0 || edge < reverse || reverse % graph.degree >= ranks) {
        watch.look();
        edges.push_back({std::bit_cast<std::uint32_t>(graph.feature[at(edge)]), edge});  // none is negative
      }
    }
  }
  radix_sort(edges, &halt);
  Paths paths(graph.nodes);
  for (const auto& [a, b] : fixed_edges_of(dynamic_cast<const TspInstance&>(*graph.instance))) {
    paths.join(a, b);
  }
  for (const auto& [length, edge] : edges) {
    watch.look();
    paths.join(edge / graph.degree, graph.targets[at(edge)]);
  }
  return paths;
}

}  // namespace

Solution curve_tour(const TspInstance& instance) {
  const auto points = instance.points();
  if (instance.metric() == Metric::matrix) {
    return along_fixed_paths(instance, nearest_neighbour_tour(instance));
  }
  Point low = points.front();
  Point high = points.front();
  for (const Point& point : points) {
    low = {std::min(low.x, point.x), std::min(low.y, point.y)};
    high = {std::max(high.x, point.x), std::max(high.y, point.y)};
  }
  const double side = std::max(high.x - low.x, high.y - low.y);
  const double unit = side > 0.0 ? (kSide - 1) / side : 0.0;
  std::vector<NumberedKey> places;
  places.reserve(points.size());
  for (const Point& point : points) {
    places.push_back({moore_place(static_cast<std::uint32_t>((point.x - low.x) * unit),
                                  static_cast<std::uint32_t>((point.y - low.y) * unit)),
                      static_cast<Index>(places.size())});
  }
  radix_sort(places);
  Solution tour;
  tour.items.reserve(places.size());
  for (const auto& [place, city] : places) {
    tour.items.push_back(city);
  }
  return along_fixed_paths(instance, std::move(tour));
}

Solution greedy_tour(const DecisionGraph& graph, const Halt& halt) {
  const auto& instance = dynamic_cast<const TspInstance&>(*graph.instance);
  if (!graph.symmetric || graph.degree == 0) {
    return curve_tour(instance);
  }
  halt.check();
  const Paths paths = greedy_paths(graph, halt);
  std::vector<Index> ends;
  for (Index city = 0; city < graph.nodes; ++city) {
    if (paths.is_end(city)) {
      ends.push_back(city);
    }
  }
  const CityCells cells(instance, ends);
  CitiesLeft left;
  left.reset(cells);
  Solution tour;
  tour.items.reserve(at(graph.nodes));
  for (Index joined = 0, here = ends.front(); here >= 0; ++joined) {
    if (joined % kStepsPerLook == 0) {
      halt.check();
    }
    paths.walk(here, tour.items);
    left.take(here);
    left.take(tour.items.back());
    here = left.nearest(tour.items.back());
  }
  return tour;
}

}  // namespace moco
