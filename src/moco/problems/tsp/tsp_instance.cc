// TSP instances: TSPLIB 95's distance functions, the scale for the networks, and the independent checker.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "moco/error.h"
#include "moco/instance.h"
#include "moco/problems/tsp/geo.h"
#include "moco/problems/tsp/limits.h"

namespace moco {

namespace {

/// Great-circle length on TSPLIB's globe before rounding; all angles in radians.
double arc_length(double latitude_a, double longitude_a, double latitude_b, double longitude_b) {
  const double q1 = std::cos(longitude_a - longitude_b);
  const double q2 = std::cos(latitude_a - latitude_b);
  const double q3 = std::cos(latitude_a + latitude_b);
  const double cosine = 0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3);
  return geo_radius * std::acos(std::clamp(cosine, -1.0, 1.0));
}

double nearest_integer(double value) {
  return std::floor(value + 0.5);
}

double planar_distance(const TspInstance::Point& a, const TspInstance::Point& b, Metric metric) {
  const double dx = a.x - b.x;
  const double dy = a.y - b.y;
  switch (metric) {
    case Metric::euc_2d:
      return nearest_integer(std::sqrt(dx * dx + dy * dy));
    case Metric::ceil_2d:
      return std::ceil(std::sqrt(dx * dx + dy * dy));
    case Metric::man_2d:
      return nearest_integer(std::abs(dx) + std::abs(dy));
    case Metric::max_2d:
      return std::max(nearest_integer(std::abs(dx)), nearest_integer(std::abs(dy)));
    case Metric::att: {
      const double length = std::sqrt((dx * dx + dy * dy) / 10.0);
      const double rounded = nearest_integer(length);
      return rounded < length ? rounded + 1.0 : rounded;
    }
    case Metric::geo:
      return std::trunc(arc_length(geo_radians(a.x), geo_radians(a.y), geo_radians(b.x), geo_radians(b.y)) + 1.0);
    case Metric::euclidean:
    case Metric::matrix:
      break;
  }
  return std::sqrt(dx * dx + dy * dy);
}

/// The longer side of the bounding box, unrounded.
double longer_side(std::span<const TspInstance::Point> points, Metric metric) {
  TspInstance::Point low = points.front();
  TspInstance::Point high = points.front();
  for (const TspInstance::Point& point : points) {
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
  const double side = std::max(high.x - low.x, high.y - low.y);
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

}  // namespace

TspInstance::TspInstance(std::string name, std::vector<Point> points, Metric metric)
    : Instance(std::move(name)), n_(city_count(points.size())), metric_(metric), points_(std::move(points)) {
  if (metric == Metric::matrix) {
    throw OptionError("points alone do not define a matrix metric");
  }
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (!usable(points_[i].x) || !usable(points_[i].y)) {
      throw OptionError(fmt::format("city {}: coordinates ({}, {}) are not finite or beyond ±{}", i, points_[i].x,
                                    points_[i].y, largest_coordinate));
    }
  }
  const double side = longer_side(points_, metric);
  scale_ = side > 0.0 ? side : 1.0;
}

TspInstance::TspInstance(std::string name, Index n, std::vector<double> matrix, std::vector<Point> display)
    : Instance(std::move(name)),
      n_(city_count(n < 0 ? 0 : static_cast<std::size_t>(n))),
      metric_(Metric::matrix),
      points_(std::move(display)),
      matrix_(std::move(matrix)) {
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
}

double TspInstance::distance(Index from, Index to) const {
  const auto a = static_cast<std::size_t>(from);
  const auto b = static_cast<std::size_t>(to);
  if (metric_ == Metric::matrix) {
    return matrix_[a * static_cast<std::size_t>(n_) + b];
  }
  return a == b ? 0.0 : planar_distance(points_[a], points_[b], metric_);
}

CheckResult TspInstance::check(const Solution& tour) const {
  const auto violated = [](std::string what) { return CheckResult{false, 0.0, std::move(what)}; };
  const auto n = static_cast<std::size_t>(n_);
  if (tour.items.size() != n) {
    return violated(fmt::format("tour has {} cities, the instance {}", tour.items.size(), n));
  }
  std::vector<std::int64_t> position_of(n, -1);
  for (std::size_t position = 0; position < n; ++position) {
    const Index city = tour.items[position];
    if (city < 0 || city >= n_) {
      return violated(fmt::format("position {}: {} is not a city of 0 … {}", position, city, n - 1));
    }
    std::int64_t& earlier = position_of[static_cast<std::size_t>(city)];
    if (earlier >= 0) {
      return violated(fmt::format("city {} appears twice, at positions {} and {}", city, earlier, position));
    }
    earlier = static_cast<std::int64_t>(position);
  }
  double cost = 0.0;
  if (n > 1) {
    for (std::size_t position = 0; position < n; ++position) {
      cost += distance(tour.items[position], tour.items[position + 1 == n ? 0 : position + 1]);
    }
  }
  return {true, cost, {}};
}

}  // namespace moco
