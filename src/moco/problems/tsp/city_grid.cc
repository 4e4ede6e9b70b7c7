// Cells in rings around a place, from the inside out, until no city farther out can be nearer. Where few cities are
// left, looking at all of them is quicker than walking over empty cells.
#include "moco/problems/tsp/city_grid.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace moco {

namespace {

constexpr double kCitiesPerCell = 2.0;
constexpr double kRounding = 1.0;  // metrics of whole numbers differ by less from the length in the plane

std::size_t at(Index index) {
  return static_cast<std::size_t>(index);
}

}  // namespace

bool CityCells::support(const TspInstance& instance) {
  return instance.metric() != Metric::matrix && instance.metric() != Metric::geo;
}

CityCells::CityCells(const TspInstance& instance, std::span<const Index> cities) : instance_(instance) {
  if (support(instance) && !cities.empty()) {
    const auto points = instance.points();
    Point high = points[at(cities.front())];
    left_ = high.x;
    bottom_ = high.y;
    for (const Index city : cities) {
      left_ = std::min(left_, points[at(city)].x);
      bottom_ = std::min(bottom_, points[at(city)].y);
      high = {std::max(high.x, points[at(city)].x), std::max(high.y, points[at(city)].y)};
    }
    const double width = high.x - left_;
    const double height = high.y - bottom_;
    const double wanted = std::max(1.0, static_cast<double>(cities.size()) / kCitiesPerCell);
    const double side = std::max(std::sqrt(width / wanted) * std::sqrt(height), std::max(width, height) / wanted);
    side_ = side > 0.0 ? side : 1.0;
    columns_ = static_cast<Index>(width / side_) + 1;
    rows_ = static_cast<Index>(height / side_) + 1;
  }
  first_.assign(at(columns_) * at(rows_) + 1, 0);
  for (const Index city : cities) {
    ++first_[at(cell_of(city)) + 1];
  }
  for (std::size_t cell = 0; cell + 1 < first_.size(); ++cell) {
    first_[cell + 1] += first_[cell];
  }
  std::vector<Index> next(first_.begin(), first_.end() - 1);
  cities_.resize(cities.size());
  for (const Index city : cities) {
    cities_[at(next[at(cell_of(city))]++)] = city;
  }
}

Index CityCells::cell_of(Index city) const {
  if (columns_ == 1 && rows_ == 1) {
    return 0;
  }
  const Point& point = instance_.points()[at(city)];
  const auto number = [](double offset, double side, Index count) {
    return std::clamp(static_cast<Index>(offset / side), Index{0}, count - 1);
  };
  return number(point.y - bottom_, side_, rows_) * columns_ + number(point.x - left_, side_, columns_);
}

double CityCells::least_distance(Index cells) const {
  const double plane = side_ * cells * (1.0 - 1e-9);
  switch (instance_.metric()) {
    case Metric::euclidean:
      return plane;
    case Metric::att:
      return plane / std::sqrt(10.0) - kRounding;
    default:
      return plane - kRounding;
  }
}

void CitiesLeft::reset(const CityCells& cells) {
  cells_ = &cells;
  list_ = cells.cities_;
  place_.assign(at(cells.instance_.size()), -1);
  for (Index i = 0; i < count(); ++i) {
    place_[at(list_[at(i)])] = i;
  }
  in_cell_.resize(cells.first_.size() - 1);
  for (std::size_t cell = 0; cell < in_cell_.size(); ++cell) {
    in_cell_[cell] = cells.first_[cell + 1] - cells.first_[cell];
  }
}

void CitiesLeft::take(Index city) {
  const Index place = place_[at(city)];
  if (place < 0) {
    return;
  }
  const Index last = list_.back();
  list_[at(place)] = last;
  place_[at(last)] = place;
  list_.pop_back();
  place_[at(city)] = -1;
  --in_cell_[at(cells_->cell_of(city))];
}

void CitiesLeft::look_at(Index city, Index to, Index& nearest, double& distance) const {
  const double own = cells_->instance_.distance(to, city);
  if (nearest < 0 || own < distance || (own == distance && city < nearest)) {
    nearest = city;
    distance = own;
  }
}

Index CitiesLeft::nearest(Index to) const {
  Index nearest = -1;
  double distance = 0.0;
  const auto left = static_cast<std::int64_t>(count());
  const auto cells = static_cast<std::int64_t>(in_cell_.size());
  if (left * left <= cells || cells == 1) {
    for (const Index city : list_) {
      look_at(city, to, nearest, distance);
    }
    return nearest;
  }
  const Index home = cells_->cell_of(to);
  const Index home_row = home / cells_->columns_;
  const Index home_column = home % cells_->columns_;
  const auto look_into = [&](Index row, Index column) {
    const std::size_t cell = at(row) * at(cells_->columns_) + at(column);
    if (in_cell_[cell] == 0) {
      return;
    }
    for (Index i = cells_->first_[cell]; i < cells_->first_[cell + 1]; ++i) {
      const Index city = cells_->cities_[at(i)];
      if (place_[at(city)] >= 0) {
        look_at(city, to, nearest, distance);
      }
    }
  };
  const Index farthest = std::max(cells_->columns_, cells_->rows_);
  for (Index ring = 0; ring <= farthest; ++ring) {
    if (nearest >= 0 && cells_->least_distance(ring - 1) > distance) {
      break;
    }
    const Index top = std::min(cells_->rows_ - 1, home_row + ring);
    const Index begin = std::max(Index{0}, home_column - ring);
    const Index end = std::min(cells_->columns_ - 1, home_column + ring);
    for (Index row = std::max(Index{0}, home_row - ring); row <= top; ++row) {
      if (std::abs(row - home_row) == ring) {
        for (Index column = begin; column <= end; ++column) {
          look_into(row, column);
        }
        continue;
      }
      if (home_column - ring >= 0) {
        look_into(row, home_column - ring);
      }
      if (home_column + ring < cells_->columns_) {
        look_into(row, home_column + ring);
      }
    }
  }
  return nearest;
}

}  // namespace moco
