// Layout of the charts: ranges, grid, curves and legend.
#include "moco/drawing/line_chart.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace moco::drawing {

namespace {

constexpr double kWidth = 1000.0;
constexpr double kHeight = 620.0;
constexpr double kLeft = 110.0;
constexpr double kRight = 960.0;
constexpr double kTop = 90.0;
constexpr double kBottom = 520.0;
constexpr Colour kGrid{222, 226, 233};
constexpr std::array kColours = {Colour{23, 85, 160}, Colour{214, 88, 10},  Colour{5, 122, 85},
                                 Colour{170, 30, 90}, Colour{110, 80, 170}, Colour{90, 100, 110}};

/// Smallest and largest value of an axis.
struct Range {
  double low = 0.0;
  double high = 1.0;
};

Range range_of(const std::vector<Curve>& curves, double Place::*axis) {
  Range range{curves.front().points.front().*axis, curves.front().points.front().*axis};
  for (const Curve& curve : curves) {
    for (const Place& point : curve.points) {
      range.low = std::min(range.low, point.*axis);
      range.high = std::max(range.high, point.*axis);
    }
  }
  if (range.high - range.low <= 1e-12 * std::max(1.0, std::abs(range.high))) {
    range.low -= 0.5;
    range.high += 0.5;
  }
  return range;
}

/// Distance of grid lines: 1, 2 or 5 times a power of ten, about six in the range.
double grid_step(Range range) {
  const double rough = (range.high - range.low) / 6.0;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double share = rough / power;
  return power * (share <= 1.0 ? 1.0 : share <= 2.0 ? 2.0 : share <= 5.0 ? 5.0 : 10.0);
}

class Axes {
 public:
  Axes(Range x, Range y) : x_(x), y_(y) {}

  Place place(Place point) const {
    return {kLeft + (point.x - x_.low) / (x_.high - x_.low) * (kRight - kLeft),
            kBottom - (point.y - y_.low) / (y_.high - y_.low) * (kBottom - kTop)};
  }

  void draw(SvgSheet& sheet, std::string_view x_name, std::string_view y_name) const {
    for (double x = first(x_); x <= x_.high; x += grid_step(x_)) {
      const double at = place({x, y_.low}).x;
      sheet.lines({{{at, kTop}, {at, kBottom}}}, kGrid, 1.0, 1.0);
      sheet.text({at - 12.0, kBottom + 24.0}, 14.0, label(x, x_), false, true);
    }
    for (double y = first(y_); y <= y_.high; y += grid_step(y_)) {
      const double at = place({x_.low, y}).y;
      sheet.lines({{{kLeft, at}, {kRight, at}}}, kGrid, 1.0, 1.0);
      sheet.text({kLeft - 75.0, at + 5.0}, 14.0, label(y, y_), false, true);
    }
    sheet.text({kLeft, kTop - 40.0}, 22.0, fmt::format("{} by {}", y_name, x_name), true);
  }

 private:
  static double first(Range range) { return std::ceil(range.low / grid_step(range)) * grid_step(range); }
  static std::string label(double value, Range range) {
    return fmt::format("{:.6g}", std::abs(value) < 1e-9 * (range.high - range.low) ? 0.0 : value);
  }

  Range x_;
  Range y_;
};

}  // namespace

void drop_start(Curve& curve) {
  const std::size_t start = curve.points.size() / 20;
  const auto rest = curve.points.begin() + static_cast<std::ptrdiff_t>(start);
  const auto [low, high] =
      std::minmax_element(rest, curve.points.end(), [](const Place& a, const Place& b) { return a.y < b.y; });
  const double margin = 0.5 * (high->y - low->y);
  const Range usual{low->y - margin, high->y + margin};
  curve.points.erase(std::remove_if(curve.points.begin(), rest,
                                    [&](const Place& point) { return point.y < usual.low || point.y > usual.high; }),
                     rest);
}

std::string line_chart(const std::vector<Curve>& curves, std::string_view x_name, std::string_view y_name) {
  SvgSheet sheet(kWidth, kHeight + 22.0 * static_cast<double>(curves.size() - 1));
  const Axes axes(range_of(curves, &Place::x), range_of(curves, &Place::y));
  axes.draw(sheet, x_name, y_name);
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const Colour colour = kColours[i % kColours.size()];
    std::vector<std::pair<Place, Place>> segments;
    const auto& points = curves[i].points;
    for (std::size_t p = 1; p < points.size(); ++p) {
      segments.emplace_back(axes.place(points[p - 1]), axes.place(points[p]));
    }
    sheet.lines(segments, colour, 2.0, 1.0);
    if (points.size() <= 60) {
      for (const Place& point : points) {
        sheet.circle(axes.place(point), 3.0, colour);
      }
    }
    const double at = kBottom + 64.0 + 22.0 * static_cast<double>(i);
    sheet.lines({{{kLeft, at - 5.0}, {kLeft + 40.0, at - 5.0}}}, colour, 3.0, 1.0);
    sheet.text({kLeft + 50.0, at}, 15.0, fmt::format("{}: last {:.6g}", curves[i].name, points.back().y), false, true);
  }
  return sheet.document(fmt::format("{} by {}", y_name, x_name));
}

}  // namespace moco::drawing
