// The matrix of squared distances to the pivots, centred both ways, and its leading singular vectors.
#include "moco/drawing/pivot_mds.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace moco::drawing {

namespace {

constexpr int kPowerSteps = 200;
constexpr double kSettled = 1e-9;
constexpr std::size_t kMostVectors = 8;

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// Makes a vector one of length 1 and returns its length before.
double normalise(Vector& vector) {
  const double length = std::sqrt(dot(vector, vector));
  for (double& value : vector) {
    value = length > 0.0 ? value / length : 0.0;
  }
  return length;
}

/// Distances to pivots, a column of n for each.
struct PivotColumns {
  std::vector<std::size_t> pivots;
  std::vector<Vector> columns;
};

/// The first pivot is the farthest from thing 0, each other one the farthest from all before it.
PivotColumns measure(std::size_t n, const DistanceRow& distances, std::size_t most_pivots) {
  PivotColumns result;
  Vector nearest(n);
  distances(0, nearest);
  auto next = static_cast<std::size_t>(std::ranges::max_element(nearest) - nearest.begin());
  std::ranges::fill(nearest, std::numeric_limits<double>::infinity());
  while (result.pivots.size() < std::min(n, most_pivots)) {
    Vector column(n);
    distances(next, column);
    for (std::size_t i = 0; i < n; ++i) {
      nearest[i] = std::min(nearest[i], column[i]);
    }
    nearest[next] = -1.0;  // no thing is a pivot twice, not even where all lie in one place
    result.pivots.push_back(next);
    result.columns.push_back(std::move(column));
    next = static_cast<std::size_t>(std::ranges::max_element(nearest) - nearest.begin());
  }
  return result;
}

/// Turns distances into inner products: −½ of the squares, less the means of row and column.
void centre(std::vector<Vector>& columns) {
  const std::size_t n = columns.front().size();
  Vector row_mean(n, 0.0);
  for (Vector& column : columns) {
    double mean = 0.0;
    for (double& value : column) {
      value *= -0.5 * value;
      mean += value;
    }
    mean /= static_cast<double>(n);
    for (std::size_t i = 0; i < n; ++i) {
      column[i] -= mean;
      row_mean[i] += column[i] / static_cast<double>(columns.size());
    }
  }
  for (Vector& column : columns) {
    for (std::size_t i = 0; i < n; ++i) {
      column[i] -= row_mean[i];
    }
  }
}

/// An axis of the picture: a singular vector, and the coordinates along it.
struct Direction {
  Vector vector;
  Vector coordinates;
};

Vector multiply(const std::vector<Vector>& columns, const Vector& vector) {
  Vector result(columns.front().size(), 0.0);
  for (std::size_t p = 0; p < columns.size(); ++p) {
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i] += columns[p][i] * vector[p];
    }
  }
  return result;
}

/// The strongest direction at right angles to those before it, by power iteration on the small square matrix.
Direction next_direction(const std::vector<Vector>& columns, const std::vector<Vector>& square,
                         const std::vector<Direction>& before) {
  const std::size_t size = square.size();
  Vector vector(size);
  for (std::size_t p = 0; p < size; ++p) {
    vector[p] = std::sin(1.0 + static_cast<double>(p) * static_cast<double>(before.size() + 1));
  }
  double length = 0.0;
  for (int step = 0; step < kPowerSteps; ++step) {
    Vector image(size);
    for (std::size_t p = 0; p < size; ++p) {
      image[p] = dot(square[p], vector);
    }
    for (const Direction& direction : before) {
      const double share = dot(image, direction.vector);
      for (std::size_t p = 0; p < size; ++p) {
        image[p] -= share * direction.vector[p];
      }
    }
    const double previous = length;
    length = normalise(image);
    vector = std::move(image);
    if (std::abs(length - previous) <= kSettled * length) {
      break;
    }
  }
  return {vector, multiply(columns, vector)};
}

}  // namespace

std::vector<Place> pivot_mds(std::size_t n, const DistanceRow& distances, std::size_t most_pivots) {
  std::vector<Place> places(n);
  if (n < 2) {
    return places;
  }
  PivotColumns measured = measure(n, distances, most_pivots);
  centre(measured.columns);
  const std::size_t pivots = measured.pivots.size();
  std::vector<Vector> square(pivots, Vector(pivots));
  for (std::size_t p = 0; p < pivots; ++p) {
    for (std::size_t q = 0; q <= p; ++q) {
      square[p][q] = square[q][p] = dot(measured.columns[p], measured.columns[q]);
    }
  }
  std::vector<Direction> directions;
  std::size_t axes = 0;
  while (axes < 2 && directions.size() < std::min(pivots, kMostVectors)) {
    directions.push_back(next_direction(measured.columns, square, directions));
    const Direction& direction = directions.back();
    // Distances that no space has give directions of negative squares, in which pivots lie opposite to their part of
    // the vector.
    double agreement = 0.0;
    for (std::size_t p = 0; p < pivots; ++p) {
      agreement += direction.vector[p] * direction.coordinates[measured.pivots[p]];
    }
    const double strength = std::sqrt(dot(direction.coordinates, direction.coordinates));
    if (agreement <= 0.0 || !(strength > 0.0)) {
      continue;
    }
    const double unit = 1.0 / std::sqrt(strength);
    for (std::size_t i = 0; i < n; ++i) {
      (axes == 0 ? places[i].x : places[i].y) = direction.coordinates[i] * unit;
    }
    ++axes;
  }
  return places;
}

}  // namespace moco::drawing
