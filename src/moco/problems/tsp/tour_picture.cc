// Tours over the edges that θ favours.
#include "moco/problems/tsp/tour_picture.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "moco/drawing/pivot_mds.h"
#include "moco/heatmap.h"
#include "moco/problems/tsp/geo.h"

namespace moco {

namespace {

using namespace drawing;

constexpr std::size_t kMostEdges = 20'000;  ///< of θ that are drawn
constexpr std::size_t kShades = 10;
constexpr double kFaintest = 0.02;  ///< θ edges below this probability are not drawn
constexpr std::size_t kMostPivots = 500;

constexpr Colour kTourColour{23, 55, 94};
constexpr Colour kStartColour{200, 30, 60};
constexpr Colour kShadeLow{255, 240, 222};
constexpr Colour kShadeHigh{240, 120, 10};

std::size_t at(Index index) {
  return static_cast<std::size_t>(index);
}

/// Latitude and longitude as a map with true distances along the parallel in its middle.
std::vector<Place> geographical_places(std::span<const Point> points) {
  double south = geo_radians(points.front().x);
  double north = south;
  for (const auto& point : points) {
    south = std::min(south, geo_radians(point.x));
    north = std::max(north, geo_radians(point.x));
  }
  const double shrink = std::max(0.1, std::cos((south + north) / 2.0));
  std::vector<Place> places;
  for (const auto& point : points) {
    places.push_back({geo_radians(point.y) * shrink, -geo_radians(point.x)});
  }
  return places;
}

/// Places that distances alone suggest; of two directions between cities their mean counts.
std::vector<Place> places_by_distance(const TspInstance& instance) {
  const auto row_of = [&](std::size_t from, std::span<double> row) {
    const auto city = static_cast<Index>(from);
    for (std::size_t to = 0; to < row.size(); ++to) {
      const auto other = static_cast<Index>(to);
      row[to] = to == from ? 0.0 : (instance.distance(city, other) + instance.distance(other, city)) / 2.0;
    }
  };
  return pivot_mds(at(instance.size()), row_of, kMostPivots);
}

/// Where the cities lie, with north and y up.
std::vector<Place> city_places(const TspInstance& instance) {
  const auto points = instance.points();
  if (points.empty()) {
    return places_by_distance(instance);
  }
  if (instance.metric() == Metric::geo) {
    return geographical_places(points);
  }
  std::vector<Place> places;
  for (const auto& point : points) {
    places.push_back({point.x, -point.y});
  }
  return places;
}

/// θ as wide strokes behind the tour, the strongest on top.
void draw_edge_shades(Sheet& sheet, const Heatmap& heatmap, const std::vector<Place>& places, double stroke_width) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < heatmap.probability.size(); ++i) {
    if (heatmap.probability[i] >= kFaintest) {
      order.push_back(i);
    }
  }
  if (order.size() > kMostEdges) {
    const auto last = order.begin() + static_cast<std::ptrdiff_t>(kMostEdges);
    std::ranges::nth_element(order, last, std::greater{}, [&](std::size_t i) { return heatmap.probability[i]; });
    order.resize(kMostEdges);
    std::ranges::sort(order);
  }
  std::array<Segments, kShades> shades;
  for (const std::size_t i : order) {
    const auto shade = std::min(kShades - 1, static_cast<std::size_t>(heatmap.probability[i] * kShades));
    shades[shade].emplace_back(places[at(heatmap.from[i])], places[at(heatmap.to[i])]);
  }
  for (std::size_t shade = 0; shade < kShades; ++shade) {
    const double share = (static_cast<double>(shade) + 0.5) / kShades;
    sheet.lines(std::move(shades[shade]),
                {mix(kShadeLow, kShadeHigh, share), stroke_width * (0.3 + 0.7 * std::sqrt(share))});
  }
}

void draw_tour_legend(Sheet& sheet) {
  constexpr TextStyle style{.size = 15.0, .muted = true};
  const double y = sheet.height() - 40.0;
  sheet.lines({{{kMargin + 430.0, y - 5.0}, {kMargin + 480.0, y - 5.0}}}, {kTourColour, 2.4});
  sheet.text({kMargin + 490.0, y}, "tour", style);
  sheet.circle({kMargin + 570.0, y - 5.0}, 7.0, kStartColour);
  sheet.text({kMargin + 585.0, y}, "start", style);
}

}  // namespace

Sheet draw_tour(const TspInstance& instance, const Solution& tour, const Heatmap* heatmap,
                const PictureCaption& caption) {
  std::vector<Place> places = city_places(instance);
  Sheet sheet = sheet_around(places, caption);
  const double crowding = std::sqrt(std::max(1.0, static_cast<double>(instance.size())));
  const double dot = std::clamp(60.0 / crowding, 0.8, 6.0);
  const double line = std::clamp(30.0 / crowding, 0.5, 2.4);
  draw_header(sheet, caption, instance.points().empty() ? " · no coordinates: cities placed by their distances" : "");
  if (heatmap != nullptr) {
    draw_edge_shades(sheet, *heatmap, places, 3.2 * line);
    draw_shade(sheet, kMargin, kShadeLow, kShadeHigh, "θ: probability of an edge, 0 to 1");
  }
  std::vector<Place> corners;
  for (const Index city : tour.items) {
    corners.push_back(places[at(city)]);
  }
  sheet.polygon(corners, {kTourColour, line});
  for (const Place& place : places) {
    sheet.circle(place, dot, kTourColour);
  }
  if (!corners.empty()) {
    sheet.circle(corners.front(), std::max(dot * 1.5, 5.0), kStartColour, Stroke{kPaper, 1.5});
  }
  draw_tour_legend(sheet);
  return sheet;
}

}  // namespace moco
