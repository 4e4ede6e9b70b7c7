// Charts of curves: points joined by lines over a grid, with a legend below.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "moco/drawing/svg.h"

namespace moco::drawing {

struct Curve {
  std::string name;
  std::vector<Place> points;  ///< in the units of the axes
};

/// An SVG document of the curves, all of which have a point; the legend gives each curve's last value.
std::string line_chart(const std::vector<Curve>& curves, std::string_view x_name, std::string_view y_name);

/// Leaves out points of a curve's first twentieth that lie outside what follows: an untrained start would squeeze the
/// rest into a line.
void drop_start(Curve& curve);

}  // namespace moco::drawing
