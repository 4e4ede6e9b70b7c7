// Layout of the drawings: where cities and nodes go, what is shaded how, and the legend.
#include "plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "moco/drawing/svg.h"
#include "numbers.h"

namespace moco::cli {

namespace {

using namespace drawing;

using Segments = std::vector<std::pair<Place, Place>>;

constexpr double kSheetWidth = 1000.0;
constexpr double kMargin = 50.0;
constexpr double kHeader = 100.0;
constexpr double kFooter = 80.0;
constexpr double kInnerWidth = kSheetWidth - 2.0 * kMargin;
constexpr std::size_t kMostEdges = 20'000;
constexpr std::size_t kShades = 10;
constexpr double kFaintest = 0.02;  ///< θ edges below this probability are not drawn

constexpr Colour kTourColour{23, 55, 94};
constexpr Colour kStartColour{200, 30, 60};
constexpr Colour kShadeLow{255, 240, 222};
constexpr Colour kShadeHigh{240, 120, 10};
constexpr Colour kEdgeColour{110, 120, 138};
constexpr Colour kSetLow{198, 232, 219};
constexpr Colour kSetHigh{5, 110, 82};
constexpr Colour kRestLow{236, 238, 242};
constexpr Colour kRestHigh{232, 112, 20};

std::size_t at(Index index) {
  return static_cast<std::size_t>(index);
}

std::vector<Place> circle_layout(std::size_t n, Place centre, double radius) {
  std::vector<Place> places(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double angle =
        2.0 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n) - std::numbers::pi / 2.0;
    places[i] = {centre.x + radius * std::cos(angle), centre.y + radius * std::sin(angle)};
  }
  return places;
}

/// The cities and the height of the area they were fitted into.
struct CityLayout {
  std::vector<Place> places;
  double height = kInnerWidth;
};

CityLayout city_layout(const TspInstance& instance) {
  const auto points = instance.points();
  if (points.empty()) {
    const Place centre{kSheetWidth / 2.0, kHeader + kInnerWidth / 2.0};
    return {circle_layout(at(instance.size()), centre, kInnerWidth / 2.0), kInnerWidth};
  }
  // Geographical instances give latitude first; all others x first. North and y point up.
  const bool geographical = instance.metric() == Metric::geo;
  const auto across = [&](const TspInstance::Point& p) { return geographical ? p.y : p.x; };
  const auto up = [&](const TspInstance::Point& p) { return geographical ? p.x : p.y; };
  double left = across(points[0]);
  double right = left;
  double bottom = up(points[0]);
  double top = bottom;
  for (const auto& point : points) {
    left = std::min(left, across(point));
    right = std::max(right, across(point));
    bottom = std::min(bottom, up(point));
    top = std::max(top, up(point));
  }
  const double span = std::max(right - left, top - bottom);
  const double unit = span > 0.0 && std::isfinite(span) ? kInnerWidth / span : 0.0;
  CityLayout layout;
  layout.height = std::clamp((top - bottom) * unit, kInnerWidth / 4.0, kInnerWidth);
  const Place centre{kSheetWidth / 2.0, kHeader + layout.height / 2.0};
  for (const auto& point : points) {
    layout.places.push_back({centre.x + (across(point) - (left + right) / 2.0) * unit,
                             centre.y - (up(point) - (bottom + top) / 2.0) * unit});
  }
  return layout;
}

void draw_header(SvgSheet& sheet, const Instance& instance, const SolveResult& result, std::string_view remark = "") {
  sheet.text({kMargin, 44.0}, 26.0, instance.name(), true);
  sheet.text({kMargin, 72.0}, 17.0,
             fmt::format("{} · n {} · {} steps · {:.2f} s{}", format_objective(instance.problem(), result.cost),
                         instance.size(), result.steps, result.seconds, remark),
             false, true);
}

/// The legend of a shade: a bar with what its ends mean.
void draw_shade(SvgSheet& sheet, double x, Colour low, Colour high, std::string_view id, std::string_view meaning) {
  const double y = sheet.height() - 40.0;
  sheet.gradient_bar({x, y - 11.0}, 110.0, 12.0, low, high, id);
  sheet.text({x + 120.0, y}, 15.0, meaning, false, true);
}

/// θ as wide strokes behind the tour, the strongest on top.
void draw_edge_shades(SvgSheet& sheet, const Heatmap& heatmap, const std::vector<Place>& places, double stroke_width) {
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
    sheet.lines(shades[shade], mix(kShadeLow, kShadeHigh, share), stroke_width * (0.3 + 0.7 * std::sqrt(share)), 1.0);
  }
}

std::string plot_tour(const TspInstance& instance, const SolveResult& result) {
  const CityLayout layout = city_layout(instance);
  SvgSheet sheet(kSheetWidth, kHeader + layout.height + kFooter);
  const double crowding = std::sqrt(std::max(1.0, static_cast<double>(instance.size())));
  const double dot = std::clamp(60.0 / crowding, 0.8, 6.0);
  const double line = std::clamp(30.0 / crowding, 0.5, 2.4);
  draw_header(sheet, instance, result);
  if (result.heatmap) {
    draw_edge_shades(sheet, *result.heatmap, layout.places, 3.2 * line);
    draw_shade(sheet, kMargin, kShadeLow, kShadeHigh, "theta", "θ: probability of an edge, 0 to 1");
  }
  std::vector<Place> corners;
  for (const Index city : result.solution.items) {
    corners.push_back(layout.places[at(city)]);
  }
  sheet.closed_line(corners, kTourColour, line);
  for (const Place& place : layout.places) {
    sheet.circle(place, dot, kTourColour);
  }
  if (!corners.empty()) {
    sheet.circle(corners.front(), std::max(dot * 1.5, 5.0), kStartColour, "stroke=\"#ffffff\" stroke-width=\"1.5\"");
  }
  const double y = sheet.height() - 40.0;
  sheet.lines({{{kMargin + 430.0, y - 5.0}, {kMargin + 480.0, y - 5.0}}}, kTourColour, 2.4, 1.0);
  sheet.text({kMargin + 490.0, y}, 15.0, "tour", false, true);
  sheet.circle({kMargin + 570.0, y - 5.0}, 7.0, kStartColour);
  sheet.text({kMargin + 585.0, y}, 15.0, "start", false, true);
  return sheet.document(fmt::format("{}: {}", instance.name(), format_objective("tsp", result.cost)));
}

/// Members of the set on a ring, the other nodes spread evenly over the disk inside (a sunflower's pattern).
struct NodeLayout {
  std::vector<Place> places;
  std::vector<char> member;
  double ring_dot = 0.0;
  double disk_dot = 0.0;
};

NodeLayout node_layout(const MisInstance& instance, const Solution& set) {
  const Place centre{kSheetWidth / 2.0, kHeader + kInnerWidth / 2.0};
  const double ring_radius = kInnerWidth / 2.0 - 10.0;
  const double disk_radius = 0.84 * ring_radius;
  const double golden_angle = std::numbers::pi * (3.0 - std::sqrt(5.0));
  NodeLayout layout;
  layout.places.resize(at(instance.size()));
  layout.member.assign(at(instance.size()), 0);
  for (const Index node : set.items) {
    layout.member[at(node)] = 1;
  }
  const auto chosen = static_cast<double>(set.items.size());
  const double others = static_cast<double>(instance.size()) - chosen;
  layout.ring_dot = std::clamp(0.38 * 2.0 * std::numbers::pi * ring_radius / std::max(chosen, 1.0), 1.0, 11.0);
  layout.disk_dot = std::clamp(0.55 * disk_radius / std::sqrt(std::max(others, 1.0)), 1.0, 10.0);
  const auto ring = circle_layout(set.items.size(), centre, ring_radius);
  std::size_t on_ring = 0;
  double in_disk = 0.0;
  for (std::size_t node = 0; node < layout.places.size(); ++node) {
    if (layout.member[node] != 0) {
      layout.places[node] = ring[on_ring++];
      continue;
    }
    const double radius = disk_radius * std::sqrt((in_disk + 0.5) / others);
    const double angle = golden_angle * in_disk;
    layout.places[node] = {centre.x + radius * std::cos(angle), centre.y + radius * std::sin(angle)};
    in_disk += 1.0;
  }
  return layout;
}

/// Shades of 0 … 1 that are linear in θ (the logarithm of the probability) between its 2 % and 98 % quantiles; without
/// a heatmap the set is dark and the rest light.
std::vector<double> node_shades(const SolveResult& result, const NodeLayout& layout) {
  std::vector<double> shade(layout.member.begin(), layout.member.end());
  if (!result.heatmap || result.heatmap->probability.empty()) {
    return shade;
  }
  constexpr float kTiniest = 1e-30F;
  const auto& probability = result.heatmap->probability;
  std::vector<double> theta;
  for (const float p : probability) {
    theta.push_back(std::log(static_cast<double>(std::max(p, kTiniest))));
  }
  std::vector<double> sorted = theta;
  std::ranges::sort(sorted);
  const double low = sorted[(sorted.size() - 1) * 2 / 100];
  const double high = sorted[(sorted.size() - 1) * 98 / 100];
  for (std::size_t i = 0; i < theta.size(); ++i) {
    shade[at(result.heatmap->from[i])] = high > low ? std::clamp((theta[i] - low) / (high - low), 0.0, 1.0) : 0.5;
  }
  return shade;
}

std::string plot_set(const MisInstance& instance, const SolveResult& result) {
  const NodeLayout layout = node_layout(instance, result.solution);
  SvgSheet sheet(kSheetWidth, kHeader + kInnerWidth + kFooter);
  const auto edge_count = static_cast<std::size_t>(instance.edges());
  const std::size_t stride = std::max<std::size_t>(1, (edge_count + kMostEdges - 1) / kMostEdges);
  Segments edges;
  std::size_t seen = 0;
  for (Index node = 0; node < instance.size(); ++node) {
    for (const Index neighbour : instance.neighbours(node)) {
      if (node < neighbour && seen++ % stride == 0) {
        edges.emplace_back(layout.places[at(node)], layout.places[at(neighbour)]);
      }
    }
  }
  draw_header(sheet, instance, result,
              stride > 1 ? fmt::format(" · {} of {} edges drawn", edges.size(), edge_count) : "");
  const double opacity = std::clamp(8.0 / std::sqrt(static_cast<double>(edges.size()) + 1.0), 0.10, 0.6);
  sheet.lines(edges, kEdgeColour, 0.8, opacity);
  const std::vector<double> shade = node_shades(result, layout);
  for (std::size_t node = 0; node < layout.places.size(); ++node) {
    const bool member = layout.member[node] != 0;
    const Colour fill = member ? mix(kSetLow, kSetHigh, shade[node]) : mix(kRestLow, kRestHigh, shade[node]);
    sheet.circle(layout.places[node], member ? layout.ring_dot : layout.disk_dot, fill,
                 member ? "stroke=\"#04543f\" stroke-width=\"0.8\"" : "stroke=\"#8b93a3\" stroke-width=\"0.5\"");
  }
  const std::string_view scale = result.heatmap ? " (θ low to high)" : "";
  draw_shade(sheet, kMargin, kSetLow, kSetHigh, "inside", fmt::format("in the set{}", scale));
  draw_shade(sheet, kMargin + 380.0, kRestLow, kRestHigh, "outside", fmt::format("not in the set{}", scale));
  return sheet.document(fmt::format("{}: {}", instance.name(), format_objective("mis", result.cost)));
}

}  // namespace

std::string plot_svg(const Instance& instance, const SolveResult& result) {
  if (const auto* tsp = dynamic_cast<const TspInstance*>(&instance)) {
    return plot_tour(*tsp, result);
  }
  return plot_set(dynamic_cast<const MisInstance&>(instance), result);
}

}  // namespace moco::cli
