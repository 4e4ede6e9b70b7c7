// Distances of TSPLIB 95 between points, and a way to run a loop on an instance's distances with its metric known to
// the compiler.
#pragma once

#include <algorithm>
#include <cmath>

#include "moco/instance.h"
#include "moco/problems/tsp/geo.h"

namespace moco {

/// Great-circle length on TSPLIB's globe before rounding; all angles in radians.
inline double arc_length(double latitude_a, double longitude_a, double latitude_b, double longitude_b) {
  const double q1 = std::cos(longitude_a - longitude_b);
  const double q2 = std::cos(latitude_a - latitude_b);
  const double q3 = std::cos(latitude_a + latitude_b);
  const double cosine = 0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3);
  return geo_radius * std::acos(std::clamp(cosine, -1.0, 1.0));
}

/// Length between two places of a spatial metric, rounded as it says.
inline double spatial_distance(const Point& a, double height_a, const Point& b, double height_b, Metric metric) {
  const double dx = a.x - b.x;
  const double dy = a.y - b.y;
  const double dz = height_a - height_b;
  const double length = std::sqrt(dx * dx + dy * dy + dz * dz);
  return metric == Metric::ceil_3d ? std::ceil(length) : std::floor(length + 0.5);
}

/// Length between two points, rounded as the metric says; not for Metric::matrix and spatial ones.
inline double planar_distance(const Point& a, const Point& b, Metric metric) {
  const auto nearest_integer = [](double value) { return std::floor(value + 0.5); };
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
    case Metric::euc_3d:
    case Metric::ceil_3d:
      break;
  }
  return std::sqrt(dx * dx + dy * dy);
}

/// Calls `body` with the distances between points under Metric::euclidean or Metric::euc_2d.
template <typename Body>
auto with_distance(const Point* points, Metric metric, const Body& body) {
  if (metric == Metric::euclidean) {
    return body([points](Index a, Index b) { return planar_distance(points[a], points[b], Metric::euclidean); });
  }
  return body([points](Index a, Index b) { return planar_distance(points[a], points[b], Metric::euc_2d); });
}

/// Calls `body` with a functor that gives the instance's distances. The common metrics have one of their own, which the
/// compiler sees through; all give the values of TspInstance::distance.
template <typename Body>
auto with_distance(const TspInstance& instance, const Body& body) {
  if (instance.metric() == Metric::euclidean || instance.metric() == Metric::euc_2d) {
    return with_distance(instance.points().data(), instance.metric(), body);
  }
  return body([&instance](Index a, Index b) { return instance.distance(a, b); });
}

/// The same with the cities renumbered: number i stands for city cities[i].
template <typename Body>
auto with_distance(const TspInstance& instance, const std::vector<Index>& cities, const Body& body) {
  const Index* city = cities.data();
  if (instance.metric() != Metric::euclidean && instance.metric() != Metric::euc_2d) {
    return body([&instance, city](Index a, Index b) { return instance.distance(city[a], city[b]); });
  }
  std::vector<Point> points;
  points.reserve(cities.size());
  for (const Index number : cities) {
    points.push_back(instance.points()[static_cast<std::size_t>(number)]);
  }
  return with_distance(points.data(), instance.metric(), body);
}

}  // namespace moco
