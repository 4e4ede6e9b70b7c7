// Charts of curves: points joined by lines over a grid, with a legend below.
#pragma once

#include <string>
#include <vector>

#include "moco/drawing/axis.h"
#include "moco/drawing/sheet.h"

namespace moco::drawing {

struct Curve {
  std::string name;
  std::vector<Place> points;  ///< in the units of the axes
};

/// A chart of the curves, all of which have a point; the legend gives each curve's last value. Points of 0 and less on
/// a logarithmic axis are rings on a line of their own. Throws OptionError when such an axis has no other points.
Sheet line_chart(const std::vector<Curve>& curves, const Axis& x, const Axis& y);

/// Leaves out points of a curve's first twentieth that lie outside what follows: an untrained start would squeeze the
/// rest into a line.
void drop_start(Curve& curve);

}  // namespace moco::drawing
