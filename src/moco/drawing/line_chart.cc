// Layout of the charts: grid, curves and legend.
#include "moco/drawing/line_chart.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace moco::drawing {

namespace {

constexpr double kWidth = 1000.0;
constexpr double kHeight = 620.0;
constexpr double kLeft = 120.0;
constexpr double kRight = 960.0;
constexpr double kTop = 40.0;
constexpr double kBottom = 500.0;
constexpr double kLegend = kBottom + 92.0;
constexpr double kLegendLine = 22.0;
constexpr std::size_t kMostDots = 40;  ///< points of a curve that are marked one by one
constexpr Stroke kGrid{Colour{222, 226, 233}};
constexpr Stroke kFineGrid{Colour{241, 243, 247}};
constexpr TextStyle kTickStyle{.size = 14.0, .muted = true};
constexpr TextStyle kTitleStyle{.size = 16.0, .anchor = Anchor::middle};
constexpr std::array kColours = {Colour{23, 85, 160}, Colour{214, 88, 10},  Colour{5, 122, 85},
                                 Colour{170, 30, 90}, Colour{110, 80, 170}, Colour{90, 100, 110}};

std::vector<double> values_of(const std::vector<Curve>& curves, double Place::*axis) {
  std::vector<double> values;
  for (const Curve& curve : curves) {
    for (const Place& point : curve.points) {
      values.push_back(point.*axis);
    }
  }
  return values;
}

void draw_grid(Sheet& sheet, const Scale& x, const Scale& y) {
  for (const bool labelled : {false, true}) {  // fine lines below the others
    for (const Tick& tick : x.ticks()) {
      if (tick.label.empty() != labelled) {
        sheet.lines({{{tick.at, kTop}, {tick.at, kBottom}}}, labelled ? kGrid : kFineGrid);
      }
    }
    for (const Tick& tick : y.ticks()) {
      if (tick.label.empty() != labelled) {
        sheet.lines({{{kLeft, tick.at}, {kRight, tick.at}}}, labelled ? kGrid : kFineGrid);
      }
    }
  }
}

void draw_labels(Sheet& sheet, const Scale& x, const Scale& y) {
  TextStyle below = kTickStyle;
  below.anchor = Anchor::middle;
  for (const Tick& tick : x.ticks()) {
    if (!tick.label.empty()) {
      sheet.text({tick.at, kBottom + 24.0}, tick.label, below);
    }
  }
  TextStyle beside = kTickStyle;
  beside.anchor = Anchor::end;
  for (const Tick& tick : y.ticks()) {
    if (!tick.label.empty()) {
      sheet.text({kLeft - 10.0, tick.at + 5.0}, tick.label, beside);
    }
  }
}

void draw_titles(Sheet& sheet, const Axis& x, const Axis& y) {
  sheet.text({(kLeft + kRight) / 2.0, kBottom + 54.0}, x.title, kTitleStyle);
  TextStyle upwards = kTitleStyle;
  upwards.upwards = true;
  sheet.text({30.0, (kTop + kBottom) / 2.0}, y.title, upwards);
}

void draw_curve(Sheet& sheet, const std::vector<Place>& points, const Scale& x, const Scale& y, Colour colour) {
  const auto place = [&](const Place& point) { return Place{x.at(point.x), y.at(point.y)}; };
  Segments segments;
  for (std::size_t i = 1; i < points.size(); ++i) {
    segments.emplace_back(place(points[i - 1]), place(points[i]));
  }
  sheet.lines(std::move(segments), {colour, 2.0});
  for (const Place& point : points) {
    if (x.clipped(point.x) || y.clipped(point.y)) {
      sheet.circle(place(point), 4.0, kPaper, Stroke{colour, 1.6});
    } else if (points.size() <= kMostDots) {
      sheet.circle(place(point), 3.0, colour);
    }
  }
}

}  // namespace

void drop_start(Curve& curve) {
  const std::size_t start = curve.points.size() / 20;
  const auto rest = curve.points.begin() + static_cast<std::ptrdiff_t>(start);
  const auto [low, high] =
      std::minmax_element(rest, curve.points.end(), [](const Place& a, const Place& b) { return a.y < b.y; });
  const double margin = 0.5 * (high->y - low->y);
  const double least = low->y - margin;
  const double most = high->y + margin;
  curve.points.erase(
      std::remove_if(curve.points.begin(), rest, [&](const Place& point) { return point.y < least || point.y > most; }),
      rest);
}

Sheet line_chart(const std::vector<Curve>& curves, const Axis& x, const Axis& y) {
  const Scale across(x, values_of(curves, &Place::x), kLeft, kRight);
  const Scale up(y, values_of(curves, &Place::y), kBottom, kTop);
  Sheet sheet(kWidth, kHeight + kLegendLine * static_cast<double>(curves.size() - 1),
              fmt::format("{} over {}", y.title, x.title));
  draw_grid(sheet, across, up);
  draw_labels(sheet, across, up);
  draw_titles(sheet, x, y);
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const Colour colour = kColours[i % kColours.size()];
    const auto& points = curves[i].points;
    draw_curve(sheet, points, across, up, colour);
    const double at = kLegend + kLegendLine * static_cast<double>(i);
    sheet.lines({{{kLeft, at - 5.0}, {kLeft + 40.0, at - 5.0}}}, {colour, 3.0});
    sheet.text({kLeft + 50.0, at}, fmt::format("{}: last {:.6g}", curves[i].name, points.back().y),
               {.size = 15.0, .muted = true});
  }
  return sheet;
}

}  // namespace moco::drawing
