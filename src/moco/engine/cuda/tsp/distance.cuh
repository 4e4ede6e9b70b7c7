// TspInstance::distance on the device, operation for operation (no fused multiply-adds), so that costs agree bit for
// bit; and which variable stands for an edge.
#pragma once

#include "moco/engine/cuda/batch/batch.cuh"
#include "moco/instance.h"

namespace moco::cuda {

__device__ inline double nearest_integer(double value) {
  return floor(__dadd_rn(value, 0.5));
}

__device__ inline double geo_angle(double packed) {
  const double degrees = trunc(packed);
  const double minutes = packed - degrees;
  return __ddiv_rn(__dmul_rn(3.141592, __dadd_rn(degrees, __ddiv_rn(__dmul_rn(5.0, minutes), 3.0))), 180.0);
}

/// Metric::euclidean.
__device__ inline double plane_distance(double2 a, double2 b) {
  const double dx = a.x - b.x;
  const double dy = a.y - b.y;
  return __dsqrt_rn(__dadd_rn(__dmul_rn(dx, dx), __dmul_rn(dy, dy)));
}

__device__ inline double distance(const GraphData& graph, int from, int to) {
  const auto metric = static_cast<Metric>(graph.metric);
  if (metric == Metric::matrix) {
    return graph.matrix[static_cast<long long>(from) * graph.nodes + to];
  }
  if (from == to) {
    return 0.0;
  }
  const double2 a = reinterpret_cast<const double2*>(graph.points)[from];
  const double2 b = reinterpret_cast<const double2*>(graph.points)[to];
  const double dx = a.x - b.x;
  const double dy = a.y - b.y;
  const double square = __dadd_rn(__dmul_rn(dx, dx), __dmul_rn(dy, dy));
  switch (metric) {
    case Metric::euc_2d:
      return nearest_integer(__dsqrt_rn(square));
    case Metric::ceil_2d:
      return ceil(__dsqrt_rn(square));
    case Metric::man_2d:
      return nearest_integer(__dadd_rn(fabs(dx), fabs(dy)));
    case Metric::max_2d:
      return fmax(nearest_integer(fabs(dx)), nearest_integer(fabs(dy)));
    case Metric::att: {
      const double length = __dsqrt_rn(__ddiv_rn(square, 10.0));
      const double rounded = nearest_integer(length);
      return rounded < length ? rounded + 1.0 : rounded;
    }
    case Metric::geo: {
      const double q1 = cos(geo_angle(a.y) - geo_angle(b.y));
      const double q2 = cos(geo_angle(a.x) - geo_angle(b.x));
      const double q3 = cos(geo_angle(a.x) + geo_angle(b.x));
      const double cosine = 0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3);
      return trunc(__dadd_rn(__dmul_rn(6378.388, acos(fmin(fmax(cosine, -1.0), 1.0))), 1.0));
    }
    default:
      return plane_distance(a, b);
  }
}

/// Variable of the edge between two cities, −1 when it is no candidate.
__device__ inline int edge_between(const GraphData& graph, int from, int to) {
  for (int r = 0; r < graph.degree; ++r) {
    if (graph.targets[static_cast<long long>(from) * graph.degree + r] == to) {
      return from * graph.degree + r;
    }
  }
  return -1;
}

}  // namespace moco::cuda
