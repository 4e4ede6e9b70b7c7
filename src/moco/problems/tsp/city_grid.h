// Cities in square cells: which of those that are left is nearest to a place? Cities are taken out one by one.
#pragma once

#include <span>
#include <vector>

#include "moco/instance.h"

namespace moco {

/// The cells of an instance's cities, made once and shared by all that take cities out.
class CityCells {
 public:
  /// Whether the metric's distances are bounded below by those in the plane.
  static bool support(const TspInstance& instance);

  /// Cells for some of an instance's cities, about two in each.
  CityCells(const TspInstance& instance, std::span<const Index> cities);

 private:
  friend class CitiesLeft;

  Index cell_of(Index city) const;
  /// The least distance in the instance's metric of cities that are `cells` whole cells away.
  double least_distance(Index cells) const;

  const TspInstance& instance_;
  double left_ = 0.0;
  double bottom_ = 0.0;
  double side_ = 1.0;  ///< of a cell
  Index columns_ = 1;
  Index rows_ = 1;
  std::vector<Index> first_;   ///< [cells + 1] into cities_
  std::vector<Index> cities_;  ///< grouped by cell, ascending in each
};

/// The cities of the cells that nobody has taken yet.
class CitiesLeft {
 public:
  /// Begins anew with all cities of the cells, which must outlive this.
  void reset(const CityCells& cells);
  void take(Index city);
  Index count() const { return static_cast<Index>(list_.size()); }
  /// The city left that is nearest to another one, the lowest number of equals; −1 when none is left.
  Index nearest(Index to) const;

 private:
  void look_at(Index city, Index to, Index& nearest, double& distance) const;

  const CityCells* cells_ = nullptr;
  std::vector<Index> list_;     ///< the cities left, in no order
  std::vector<Index> place_;    ///< [n] in list_, −1 for those that are not there
  std::vector<Index> in_cell_;  ///< [cells] how many are left
};

}  // namespace moco
