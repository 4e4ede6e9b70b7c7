// Layouts: deterministic, within their box, near where the graph is near, components apart.
#include "moco/drawing/graph_layout.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "moco/core/random.h"
#include "moco/drawing/box.h"
#include "moco/drawing/pivot_mds.h"
#include "moco/drawing/repulsion_tree.h"

namespace moco::drawing {
namespace {

using Edges = std::vector<std::pair<Index, Index>>;

class Graph {
 public:
  Graph(std::size_t n, const Edges& edges) {
    std::vector<std::vector<Index>> rows(n);
    for (const auto& [u, v] : edges) {
      rows[static_cast<std::size_t>(u)].push_back(v);
      rows[static_cast<std::size_t>(v)].push_back(u);
    }
    for (const auto& row : rows) {
      targets_.insert(targets_.end(), row.begin(), row.end());
      offsets_.push_back(static_cast<Offset>(targets_.size()));
    }
  }

  GraphView view() const { return {offsets_, targets_}; }

 private:
  std::vector<Offset> offsets_ = {0};
  std::vector<Index> targets_;
};

Edges path(Index n, Index first = 0) {
  Edges edges;
  for (Index i = 1; i < n; ++i) {
    edges.emplace_back(first + i - 1, first + i);
  }
  return edges;
}

Edges grid(Index side) {
  Edges edges;
  for (Index row = 0; row < side; ++row) {
    for (Index column = 0; column < side; ++column) {
      if (column + 1 < side) {
        edges.emplace_back(row * side + column, row * side + column + 1);
      }
      if (row + 1 < side) {
        edges.emplace_back(row * side + column, (row + 1) * side + column);
      }
    }
  }
  return edges;
}

Edges random_edges(Index n, int count) {
  RandomSequence random(stream_key(1, 2, 3), Purpose::generator);
  Edges edges;
  for (int i = 0; i < count; ++i) {
    edges.emplace_back(static_cast<Index>(random.next_below(static_cast<std::uint32_t>(n))),
                       static_cast<Index>(random.next_below(static_cast<std::uint32_t>(n))));
  }
  return edges;
}

double distance(Place a, Place b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

/// Mean length of an edge as a share of the mean distance of two nodes.
double relative_edge_length(const GraphView& graph, const std::vector<Place>& places) {
  double edge_sum = 0.0;
  double pair_sum = 0.0;
  double pairs = 0.0;
  for (std::size_t node = 0; node < places.size(); ++node) {
    for (const Index other : graph.neighbours(node)) {
      edge_sum += distance(places[node], places[static_cast<std::size_t>(other)]);
    }
    for (std::size_t other = 0; other < node; ++other) {
      pair_sum += distance(places[node], places[other]);
      pairs += 1.0;
    }
  }
  return edge_sum / static_cast<double>(graph.targets.size()) / (pair_sum / pairs);
}

void expect_within_unit_square(const std::vector<Place>& places) {
  for (const Place& place : places) {
    ASSERT_TRUE(std::isfinite(place.x) && std::isfinite(place.y));
  }
  const Box box = box_of(places);
  EXPECT_NEAR(std::max(box.width(), box.height()), places.size() > 1 ? 1.0 : 0.0, 1e-9);
  EXPECT_GE(box.low.x, 0.0);
  EXPECT_GE(box.low.y, 0.0);
  EXPECT_LE(std::max(box.high.x, box.high.y), 1.0 + 1e-9);
}

TEST(GraphLayout, NeighboursOfAPathLieTogether) {
  const Graph graph(200, path(200));
  const auto places = layout_graph(graph.view());
  expect_within_unit_square(places);
  EXPECT_LT(relative_edge_length(graph.view(), places), 0.03);
}

TEST(GraphLayout, NeighboursOfAGridLieTogether) {
  const Graph graph(900, grid(30));
  const auto places = layout_graph(graph.view());
  expect_within_unit_square(places);
  EXPECT_LT(relative_edge_length(graph.view(), places), 0.08) << "1/30 over about 0.52";
  const Box box = box_of(places);
  EXPECT_GT(box.height(), 0.9) << "a square";
  for (std::size_t a = 0; a < places.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      ASSERT_GT(distance(places[a], places[b]), 0.005) << a << " and " << b;
    }
  }
}

TEST(GraphLayout, TheSameGraphGivesTheSamePlaces) {
  const Graph graph(300, random_edges(300, 900));
  EXPECT_EQ(layout_graph(graph.view()), layout_graph(graph.view()));
}

TEST(GraphLayout, AnyGraphStaysWithinItsBox) {
  Edges star;
  for (Index i = 1; i < 50; ++i) {
    star.emplace_back(0, i);
  }
  Edges complete;
  for (Index i = 0; i < 30; ++i) {
    for (Index j = 0; j < i; ++j) {
      complete.emplace_back(i, j);
    }
  }
  for (const auto& [n, edges] : {std::pair<std::size_t, Edges>{1, {}},
                                 {2, path(2)},
                                 {3, path(3)},
                                 {7, {}},
                                 {50, star},
                                 {30, complete},
                                 {400, random_edges(400, 300)},
                                 {200, random_edges(200, 4000)}}) {
    const Graph graph(n, edges);
    const auto places = layout_graph(graph.view());
    ASSERT_EQ(places.size(), n);
    expect_within_unit_square(places);
  }
  EXPECT_TRUE(layout_graph(Graph(0, {}).view()).empty());
}

TEST(GraphLayout, ComponentsDoNotOverlap) {
  Edges edges = grid(8);  // nodes 0 … 63
  const Edges second = path(40, 64);
  edges.insert(edges.end(), second.begin(), second.end());
  const Graph graph(110, edges);  // and six nodes alone
  const auto places = layout_graph(graph.view());
  expect_within_unit_square(places);
  const std::span<const Place> all(places);
  std::vector<Box> boxes = {box_of(all.subspan(0, 64)), box_of(all.subspan(64, 40))};
  for (std::size_t node = 104; node < 110; ++node) {
    boxes.push_back(box_of(all.subspan(node, 1)));
  }
  for (std::size_t a = 0; a < boxes.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const bool apart = boxes[a].high.x < boxes[b].low.x || boxes[b].high.x < boxes[a].low.x ||
                         boxes[a].high.y < boxes[b].low.y || boxes[b].high.y < boxes[a].low.y;
      EXPECT_TRUE(apart) << a << " and " << b;
    }
  }
}

TEST(PivotMds, FindsThePlacesAgainUpToTurnsAndReflections) {
  RandomSequence random(stream_key(4, 5, 6), Purpose::generator);
  std::vector<Place> truth(60);
  for (Place& place : truth) {
    place = {3.0 * random.next_double(), random.next_double()};
  }
  const auto row_of = [&](std::size_t from, std::span<double> row) {
    for (std::size_t to = 0; to < row.size(); ++to) {
      row[to] = distance(truth[from], truth[to]);
    }
  };
  for (const std::size_t pivots : {std::size_t{60}, std::size_t{15}}) {
    const auto places = pivot_mds(truth.size(), row_of, pivots);
    const double unit = distance(places[0], places[1]) / distance(truth[0], truth[1]);
    const double tolerance = pivots == truth.size() ? 1e-6 : 0.25;  // a part of the columns stretches one axis a little
    for (std::size_t a = 0; a < truth.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        EXPECT_NEAR(distance(places[a], places[b]) / unit, distance(truth[a], truth[b]), tolerance) << pivots;
      }
    }
  }
}

TEST(PivotMds, DistancesThatNoSpaceHasGiveFinitePlaces) {
  const auto equal = [](std::size_t from, std::span<double> row) {
    std::ranges::fill(row, 1.0);
    row[from] = 0.0;
  };
  const auto none = [](std::size_t, std::span<double> row) { std::ranges::fill(row, 0.0); };
  const auto broken = [](std::size_t from, std::span<double> row) {  // far from the triangle inequality
    for (std::size_t to = 0; to < row.size(); ++to) {
      row[to] = to == from ? 0.0 : (from * to) % 7 == 0 ? 10'000.0 : 1.0;
    }
  };
  for (const DistanceRow& row : {DistanceRow(equal), DistanceRow(none), DistanceRow(broken)}) {
    for (const Place& place : pivot_mds(20, row, 20)) {
      EXPECT_TRUE(std::isfinite(place.x) && std::isfinite(place.y));
    }
  }
}

TEST(RepulsionTree, AgreesWithTheSumOverAllPoints) {
  RandomSequence random(stream_key(7, 8, 9), Purpose::generator);
  std::vector<Place> points(500);
  for (Place& point : points) {
    const double x = random.next_double();
    point = {x * x, random.next_double()};  // denser on one side
  }
  points[1] = points[0];
  const RepulsionTree tree(points);
  for (const Place& here : {points[0], points[17], points[400], Place{3.0, 3.0}}) {
    Place sum;
    double sizes = 0.0;
    for (const Place& point : points) {
      const double far = distance(here, point);
      if (far > 0.0) {
        sum = {sum.x + (here.x - point.x) / std::pow(far, 3.0), sum.y + (here.y - point.y) / std::pow(far, 3.0)};
        sizes += 1.0 / (far * far);
      }
    }
    const Place push = tree.push(here);
    EXPECT_NEAR(push.x, sum.x, 0.05 * sizes);
    EXPECT_NEAR(push.y, sum.y, 0.05 * sizes);
  }
}

}  // namespace
}  // namespace moco::drawing
