// Components, each laid out on its own, and the packing of their boxes.
#include "moco/drawing/graph_layout.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "moco/drawing/box.h"
#include "moco/drawing/pivot_mds.h"
#include "moco/drawing/spring_layout.h"

namespace moco::drawing {

namespace {

constexpr double kSearchWork = 5e7;  ///< visits of an edge in all searches from pivots
constexpr double kMostPivots = 50;
constexpr double kFewestPivots = 5;
constexpr double kGap = 1.0;  ///< between boxes, in sides of the square that a node takes

/// Nodes of a component in the order of a breadth-first search.
std::vector<std::vector<Index>> components_of(const GraphView& graph) {
  std::vector<std::vector<Index>> components;
  std::vector<char> seen(graph.size(), 0);
  for (std::size_t start = 0; start < graph.size(); ++start) {
    if (seen[start] != 0) {
      continue;
    }
    std::vector<Index> nodes = {static_cast<Index>(start)};
    seen[start] = 1;
    for (std::size_t head = 0; head < nodes.size(); ++head) {
      for (const Index next : graph.neighbours(static_cast<std::size_t>(nodes[head]))) {
        if (std::exchange(seen[static_cast<std::size_t>(next)], 1) == 0) {
          nodes.push_back(next);
        }
      }
    }
    components.push_back(std::move(nodes));
  }
  return components;
}

/// A component as a graph of its own, its nodes numbered in their order there.
struct Component {
  std::vector<Offset> offsets = {0};
  std::vector<Index> targets;

  GraphView view() const { return {offsets, targets}; }
};

/// `number` is scratch space with a place for each node of the graph.
Component extract(const GraphView& graph, const std::vector<Index>& nodes, std::vector<Index>& number) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    number[static_cast<std::size_t>(nodes[i])] = static_cast<Index>(i);
  }
  Component component;
  for (const Index node : nodes) {
    for (const Index other : graph.neighbours(static_cast<std::size_t>(node))) {
      component.targets.push_back(number[static_cast<std::size_t>(other)]);
    }
    component.offsets.push_back(static_cast<Offset>(component.targets.size()));
  }
  return component;
}

/// Numbers of edges between a node and all others of a connected graph.
void search_from(const GraphView& graph, std::size_t start, std::vector<Index>& queue, std::span<double> row) {
  std::ranges::fill(row, -1.0);
  queue.assign(1, static_cast<Index>(start));
  row[start] = 0.0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const auto node = static_cast<std::size_t>(queue[head]);
    for (const Index next : graph.neighbours(node)) {
      double& distance = row[static_cast<std::size_t>(next)];
      if (distance < 0.0) {
        distance = row[node] + 1.0;
        queue.push_back(next);
      }
    }
  }
}

std::vector<Place> layout_connected(const GraphView& graph) {
  const double visits = static_cast<double>(graph.size() + graph.targets.size());
  const auto pivots = static_cast<std::size_t>(std::clamp(kSearchWork / visits, kFewestPivots, kMostPivots));
  std::vector<Index> queue;
  std::vector<Place> places = pivot_mds(
      graph.size(), [&](std::size_t from, std::span<double> row) { search_from(graph, from, queue, row); }, pivots);
  if (graph.size() > 2) {
    relax_springs(graph, places);
    turn_upright(places);
  }
  return places;
}

/// Puts boxes on shelves, the highest first, which together are about as wide as high.
void pack(std::vector<Box>& boxes) {
  double area = 0.0;
  double width = 0.0;
  for (const Box& box : boxes) {
    area += (box.width() + kGap) * (box.height() + kGap);
    width = std::max(width, box.width());
  }
  width = std::max(width, std::sqrt(area));
  std::vector<std::size_t> order(boxes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return boxes[i].height(); });
  Place corner;
  double shelf = 0.0;
  for (const std::size_t i : order) {
    const double wide = boxes[i].width();
    const double high = boxes[i].height();
    if (corner.x > 0.0 && corner.x + wide > width) {
      corner = {0.0, corner.y + shelf + kGap};
      shelf = 0.0;
    }
    shelf = std::max(shelf, high);
    boxes[i] = {corner, {corner.x + wide, corner.y + high}};
    corner.x += wide + kGap;
  }
}

}  // namespace

std::vector<Place> layout_graph(const GraphView& graph) {
  const auto components = components_of(graph);
  std::vector<Index> number(graph.size());
  std::vector<std::vector<Place>> layouts;
  std::vector<Box> boxes;
  for (const auto& nodes : components) {
    const Component component = extract(graph, nodes, number);
    layouts.push_back(layout_connected(component.view()));
    // As large a box as a square of its nodes: the longer side of n nodes is √n.
    fit_into(layouts.back(), std::sqrt(static_cast<double>(nodes.size())) - 1.0);
    boxes.push_back(box_of(layouts.back()));
  }
  pack(boxes);
  std::vector<Place> places(graph.size());
  for (std::size_t c = 0; c < components.size(); ++c) {
    for (std::size_t i = 0; i < components[c].size(); ++i) {
      const Place& place = layouts[c][i];
      places[static_cast<std::size_t>(components[c][i])] = {boxes[c].low.x + place.x, boxes[c].low.y + place.y};
    }
  }
  fit_into(places, 1.0);
  return places;
}

}  // namespace moco::drawing
