// TSP instances: TSPLIB 95's distance functions, and the scale for the networks.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "moco/error.h"
#include "moco/formats/limits.h"
#include "moco/instance.h"
#include "moco/problems/tsp/distance.h"
#include "moco/problems/tsp/fixed_edges.h"
#include "moco/problems/tsp/tsp_problem.h"

namespace moco {

namespace {

/// Distances on the globe take four trigonometric functions each: up to this many cities they are kept (8 MiB).
constexpr std::size_t kTableCities = 1024;

/// The longest side of the bounding box, unrounded.
double longest_side(std::span<const Point> points, std::span<const double> heights, Metric metric) {
  Point low = points.front();
  Point high = points.front();
  for (const Point& point : points) {
    low = {std::min(low.x, point.x), std::min(low.y, point.y)};
    high = {std::max(high.x, point.x), std::max(high.y, point.y)};
  }
  if (metric == Metric::geo) {
    const double south = geo_radians(low.x);
    const double north = geo_radians(high.x);
    const double middle = (south + north) / 2;
    return std::max(arc_length(south, 0.0, north, 0.0),
                    arc_length(middle, geo_radians(low.y), middle, geo_radians(high.y)));
  }
  double side = std::max(high.x - low.x, high.y - low.y);
  if (!heights.empty()) {
    const auto [lowest, highest] = std::ranges::minmax(heights);
    side = std::max(side, highest - lowest);
  }
  return metric == Metric::att ? side / std::sqrt(10.0) : side;
}

/// Largest distance between two different cities.
double largest_entry(std::span<const double> matrix, std::size_t n) {
  double largest = 0.0;
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t column = 0; column < n; ++column) {
      if (row != column) {
        largest = std::max(largest, matrix[row * n + column]);
      }
    }
  }
  return largest;
}

bool is_symmetric(std::span<const double> matrix, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (matrix[i * n + j] != matrix[j * n + i]) {
        return false;
      }
    }
  }
  return true;
}

bool usable(double value) {
  return std::abs(value) <= largest_coordinate;  // false for NaN
}

Index city_count(std::size_t count) {
  if (count < 1 || count > static_cast<std::size_t>(std::numeric_limits<Index>::max())) {
    throw OptionError(
        fmt::format("a TSP instance has 1 … {} cities, not {}", std::numeric_limits<Index>::max(), count));
  }
  return static_cast<Index>(count);
}

/// A function of its own, so that looking up a known distance saves no registers for this.
[[gnu::noinline]] double measured(std::span<const Point> points, const std::vector<double>& heights, std::size_t a,
                                  std::size_t b, Metric metric) {
  if (!heights.empty()) {
    return spatial_distance(points[a], heights[a], points[b], heights[b], metric);
  }
  return a == b ? 0.0 : planar_distance(points[a], points[b], metric);
}

/// A place for values that nobody else owns.
template <typename Value>
std::shared_ptr<const std::vector<Value>> kept(std::vector<Value> values) {
  return std::make_shared<const std::vector<Value>>(std::move(values));
}

}  // namespace

// Braces evaluate from left to right: the spans are of the values before they move, which stay where they are.
TspInstance::TspInstance(std::string name, std::vector<Point> points, Metric metric, std::vector<double> heights)
    : TspInstance{std::move(name), std::span<const Point>(points), kept(std::move(points)), metric,
                  std::move(heights)} {}

TspInstance::TspInstance(std::string name, Index n, std::vector<double> matrix, std::vector<Point> display)
    : TspInstance{std::move(name), n, std::span<const double>(matrix), kept(std::move(matrix)), std::move(display)} {}

TspInstance::TspInstance(std::string name, std::span<const Point> points, std::shared_ptr<const void> owner,
                         Metric metric, std::vector<double> heights)
    : Instance(tsp_problem(), std::move(name)),
      n_(city_count(points.size())),
      metric_(metric),
      owner_(std::move(owner)),
      points_(points),
      heights_(std::move(heights)) {
  if (metric == Metric::matrix) {
    throw OptionError("points alone do not define a matrix metric");
  }
  if (heights_.size() != (is_spatial(metric) ? points_.size() : 0)) {
    throw OptionError(fmt::format("{} heights for {} cities of a metric that needs {}", heights_.size(), points_.size(),
                                  is_spatial(metric) ? "one each" : "none"));
  }
  for (std::size_t i = 0; i < heights_.size(); ++i) {
    if (!usable(heights_[i])) {
      throw OptionError(
          fmt::format("city {}: height {} is not finite or beyond ±{}", i, heights_[i], largest_coordinate));
    }
  }
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (!usable(points_[i].x) || !usable(points_[i].y)) {
      throw OptionError(fmt::format("city {}: coordinates ({}, {}) are not finite or beyond ±{}", i, points_[i].x,
                                    points_[i].y, largest_coordinate));
    }
  }
  const double side = longest_side(points_, heights_, metric);
  scale_ = side > 0.0 ? side : 1.0;
  if (metric == Metric::geo && points_.size() <= kTableCities) {
    table_.resize(points_.size() * points_.size());
    for (std::size_t a = 0; a < points_.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const double length = planar_distance(points_[a], points_[b], metric);
        table_[a * points_.size() + b] = length;
        table_[b * points_.size() + a] = length;
      }
    }
  }
}

TspInstance::TspInstance(std::string name, Index n, std::span<const double> matrix, std::shared_ptr<const void> owner,
                         std::vector<Point> display)
    : Instance(tsp_problem(), std::move(name)),
      n_(city_count(n < 0 ? 0 : static_cast<std::size_t>(n))),
      metric_(Metric::matrix),
      owner_(std::move(owner)),
      display_(std::move(display)),
      points_(display_),
      matrix_(matrix) {
  const auto size = static_cast<std::size_t>(n_);
  if (matrix_.size() != size * size) {
    throw OptionError(
        fmt::format("a distance matrix of {} cities has {} entries, not {}", n, size * size, matrix_.size()));
  }
  if (!points_.empty() && points_.size() != size) {
    throw OptionError(fmt::format("{} points to display {} cities", points_.size(), n));
  }
  for (std::size_t i = 0; i < matrix_.size(); ++i) {
    if (!usable(matrix_[i])) {
      throw OptionError(fmt::format("distance from city {} to city {}: {} is not finite or beyond ±{}", i / size,
                                    i % size, matrix_[i], largest_coordinate));
    }
  }
  const double largest = largest_entry(matrix_, size);
  scale_ = largest > 0.0 ? largest / std::sqrt(2.0) : 1.0;
  symmetric_ = is_symmetric(matrix_, size);
}

void TspInstance::fix_edges(std::span<const Edge> edges) {
  if (edges.empty()) {
    return;
  }
  fixed_.assign(2 * static_cast<std::size_t>(n_), -1);
  std::vector<Index> leader(static_cast<std::size_t>(n_));  // of the cities that fixed edges connect
  std::iota(leader.begin(), leader.end(), Index{0});
  const auto leader_of = [&](Index city) {
    while (leader[static_cast<std::size_t>(city)] != city) {
      city = leader[static_cast<std::size_t>(city)] =
          leader[static_cast<std::size_t>(leader[static_cast<std::size_t>(city)])];
    }
    return city;
  };
  Index joined = 0;
  for (const Edge& edge : edges) {
    const Index u = edge.u;
    const Index v = edge.v;
    const auto described = [&](std::string_view fault) {
      return fmt::format("the edge between cities {} and {} cannot be fixed: {}", u, v, fault);
    };
    if (std::min(u, v) < 0 || std::max(u, v) >= n_ || u == v) {
      throw OptionError(described(fmt::format("it is no edge between two of the cities 0 … {}", n_ - 1)));
    }
    if (FixedEdges(fixed_).has(u, v)) {
      continue;
    }
    for (const auto& [from, to] : {std::pair{u, v}, std::pair{v, u}}) {
      Index* place = &fixed_[2 * static_cast<std::size_t>(from)];
      place += *place < 0 ? 0 : 1;
      if (*place >= 0) {
        throw OptionError(described(fmt::format("it would be the third at city {}", from)));
      }
      *place = to;
    }
    if (leader_of(u) == leader_of(v) && joined + 1 < n_) {
      throw OptionError(described("it closes a circle that leaves cities out"));
    }
    leader[static_cast<std::size_t>(leader_of(u))] = leader_of(v);
    ++joined;
  }
}

double TspInstance::distance(Index from, Index to) const {
  const auto a = static_cast<std::size_t>(from);
  const auto b = static_cast<std::size_t>(to);
  if (const std::span<const double> known = metric_ == Metric::matrix ? matrix_ : std::span<const double>(table_);
      !known.empty()) {
    return known[a * static_cast<std::size_t>(n_) + b];
  }
  return measured(points_, heights_, a, b, metric_);
}

}  // namespace moco
