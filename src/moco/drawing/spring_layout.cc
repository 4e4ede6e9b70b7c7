// Steps of adaptive length along the forces.
#include "moco/drawing/spring_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "moco/drawing/box.h"
#include "moco/drawing/repulsion_tree.h"

namespace moco::drawing {

namespace {

constexpr double kPush = 0.2;            ///< strength of the repulsion
constexpr double kCooling = 0.9;         ///< of the step when the energy has grown
constexpr int kProgress = 5;             ///< steps of falling energy after which the step grows again
constexpr double kSettled = 0.01;        ///< share of the nodes' spacing that steps must have to be seen
constexpr double kMostEnds = 4e5;        ///< of edges that pull
constexpr std::size_t kFewestEdges = 8;  ///< that pull at a node, if it has them
constexpr double kWork = 6e7;            ///< visits of a point or an edge, for all steps together
constexpr double kVisitsPerNode = 60;    ///< of squares of the tree
constexpr double kMostSteps = 150;
constexpr double kFewestSteps = 8;

double length(Place a) {
  return std::hypot(a.x, a.y);
}

/// Draws in what lies far out, for which the few steps might not suffice: beyond twice the root mean square of the
/// distances from the centre (an even shape ends at √3 of it) only their logarithm grows.
void draw_in(std::vector<Place>& places) {
  double sum = 0.0;
  for (const Place& place : places) {
    sum += place.x * place.x + place.y * place.y;
  }
  const double bound = 2.0 * std::sqrt(sum / static_cast<double>(places.size()));
  for (Place& place : places) {
    const double radius = length(place);
    if (radius > bound) {
      const double share = bound * (1.0 + std::log(radius / bound)) / radius;
      place = {share * place.x, share * place.y};
    }
  }
}

/// Makes the mean edge one unit long and moves nodes a little apart, each in its own direction.
void prepare(const GraphView& graph, std::vector<Place>& places) {
  double sum = 0.0;
  for (std::size_t node = 0; node < places.size(); ++node) {
    for (const Index other : graph.neighbours(node)) {
      const Place& there = places[static_cast<std::size_t>(other)];
      sum += length({there.x - places[node].x, there.y - places[node].y});
    }
  }
  const double mean = sum / static_cast<double>(std::max<std::size_t>(1, graph.targets.size()));
  const double unit = mean > 0.0 ? 1.0 / mean : 1.0;
  const double golden_angle = std::numbers::pi * (3.0 - std::sqrt(5.0));
  for (std::size_t node = 0; node < places.size(); ++node) {
    const double angle = golden_angle * static_cast<double>(node);
    places[node] = {places[node].x * unit + 0.05 * std::cos(angle), places[node].y * unit + 0.05 * std::sin(angle)};
  }
}

/// Of very dense graphs an even sample of each node's edges pulls for all of them.
std::size_t pulling_edges(std::size_t degree, double share) {
  const auto sampled = static_cast<std::size_t>(share * static_cast<double>(degree));
  return std::max(sampled, std::min(degree, kFewestEdges));
}

Place force_on(const GraphView& graph, const std::vector<Place>& places, const RepulsionTree& tree, std::size_t node,
               double share) {
  const Place here = places[node];
  const Place push = tree.push(here);
  const auto neighbours = graph.neighbours(node);
  const std::size_t pulling = pulling_edges(neighbours.size(), share);
  Place sum;
  for (std::size_t i = 0; i < pulling; ++i) {
    const auto other = static_cast<std::size_t>(neighbours[i * neighbours.size() / pulling]);
    const Place way{places[other].x - here.x, places[other].y - here.y};
    const double pull = length(way);
    sum = {sum.x + pull * way.x, sum.y + pull * way.y};
  }
  const double weight = pulling == 0 ? 0.0 : static_cast<double>(neighbours.size()) / static_cast<double>(pulling);
  return {weight * sum.x + kPush * push.x, weight * sum.y + kPush * push.y};
}

}  // namespace

void relax_springs(const GraphView& graph, std::vector<Place>& places) {
  draw_in(places);
  prepare(graph, places);
  const auto ends = static_cast<double>(graph.targets.size());
  const double share = std::min(1.0, kMostEnds / std::max(1.0, ends));
  const double visits = kVisitsPerNode * static_cast<double>(places.size()) + share * ends;
  const auto steps = static_cast<int>(std::clamp(kWork / visits, kFewestSteps, kMostSteps));
  const Box box = box_of(places);
  const double spacing = std::max(box.width(), box.height()) / std::sqrt(static_cast<double>(places.size()));
  double step = spacing;
  double energy = std::numeric_limits<double>::infinity();
  int progress = 0;
  std::vector<Place> moved(places.size());
  for (int i = 0; i < steps && step > kSettled * spacing; ++i) {
    const RepulsionTree tree(places);
    double total = 0.0;
    for (std::size_t node = 0; node < places.size(); ++node) {
      const Place force = force_on(graph, places, tree, node, share);
      const double size = length(force);
      total += size * size;
      const double part = size > 0.0 ? step / size : 0.0;
      moved[node] = {places[node].x + part * force.x, places[node].y + part * force.y};
    }
    places.swap(moved);
    if (total < energy) {
      progress = (progress + 1) % kProgress;
      step = progress == 0 ? step / kCooling : step;
    } else {
      progress = 0;
      step *= kCooling;
    }
    energy = total;
  }
}

}  // namespace moco::drawing
