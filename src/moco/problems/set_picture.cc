// Sets of nodes within their graph.
#include "moco/problems/set_picture.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "moco/drawing/graph_layout.h"
#include "moco/heatmap.h"

namespace moco {

namespace {

using namespace drawing;

constexpr double kMostEdges = 40'000;  ///< that are drawn
constexpr double kMostInk = 6e6;       ///< length of all edges that are drawn

constexpr Colour kEdgeColour{80, 92, 112};
constexpr Colour kSetLow{150, 214, 188};
constexpr Colour kSetHigh{5, 110, 82};
constexpr Colour kRestLow{236, 238, 242};
constexpr Colour kRestHigh{232, 112, 20};
constexpr Colour kSetOutline{4, 84, 63};
constexpr Colour kRestOutline{139, 147, 163};

std::size_t at(Index index) {
  return static_cast<std::size_t>(index);
}

std::vector<char> members_of(const GraphInstance& instance, const Solution& set) {
  std::vector<char> member(at(instance.size()), 0);
  for (const Index node : set.items) {
    member[at(node)] = 1;
  }
  return member;
}

/// Shades of 0 … 1 that are linear in θ (the logarithm of the probability) between its 2 % and 98 % quantiles; without
/// a heatmap the set is dark and the rest light.
std::vector<double> node_shades(const Heatmap* heatmap, const std::vector<char>& member) {
  std::vector<double> shade(member.begin(), member.end());
  if (heatmap == nullptr || heatmap->probability.empty()) {
    return shade;
  }
  constexpr float kTiniest = 1e-30F;
  const auto& probability = heatmap->probability;
  std::vector<double> theta;
  for (const float p : probability) {
    theta.push_back(std::log(static_cast<double>(std::max(p, kTiniest))));
  }
  std::vector<double> sorted = theta;
  std::ranges::sort(sorted);
  const double low = sorted[(sorted.size() - 1) * 2 / 100];
  const double high = sorted[(sorted.size() - 1) * 98 / 100];
  for (std::size_t i = 0; i < theta.size(); ++i) {
    shade[at(heatmap->from[i])] = high > low ? std::clamp((theta[i] - low) / (high - low), 0.0, 1.0) : 0.5;
  }
  return shade;
}

double length(const std::pair<Place, Place>& edge) {
  return std::hypot(edge.second.x - edge.first.x, edge.second.y - edge.first.y);
}

/// The edges, or an even sample of what viewers can show at once.
Segments edges_to_draw(const GraphInstance& instance, const std::vector<Place>& places) {
  Segments edges;
  double ink = 0.0;
  for (Index node = 0; node < instance.size(); ++node) {
    for (const Index neighbour : instance.neighbours(node)) {
      if (node < neighbour) {
        edges.emplace_back(places[at(node)], places[at(neighbour)]);
        ink += length(edges.back());
      }
    }
  }
  const double share =
      std::min(kMostEdges / std::max(1.0, static_cast<double>(edges.size())), kMostInk / std::max(1.0, ink));
  if (share < 1.0) {
    const auto kept = static_cast<std::size_t>(share * static_cast<double>(edges.size()));
    for (std::size_t i = 0; i < kept; ++i) {
      edges[i] = edges[i * edges.size() / kept];
    }
    edges.resize(kept);
  }
  return edges;
}

/// Faint where edges are so many or so long that together they would cover the picture.
double edge_opacity(const Segments& edges, double width, double area) {
  double ink = 0.0;
  for (const auto& edge : edges) {
    ink += width * length(edge);
  }
  return std::clamp(0.4 * area / std::max(ink, 1.0), 0.03, 0.6);
}

}  // namespace

Sheet draw_set(const GraphInstance& instance, const Solution& set, const Heatmap* heatmap,
               const PictureCaption& caption) {
  std::vector<Place> places = layout_graph({instance.offsets(), instance.targets()});
  Sheet sheet = sheet_around(places, caption);
  const double area = kInnerWidth * (sheet.height() - kHeader - kFooter);
  const std::vector<char> member = members_of(instance, set);
  const std::vector<double> shade = node_shades(heatmap, member);
  Segments edges = edges_to_draw(instance, places);
  const auto edge_count = static_cast<std::size_t>(instance.edges());
  draw_header(sheet, caption,
              edges.size() < edge_count ? fmt::format(" · {} of {} edges drawn", edges.size(), edge_count) : "");
  const double crowding = std::sqrt(area / std::max(1.0, static_cast<double>(instance.size())));
  const double line = std::clamp(0.05 * crowding, 0.4, 1.2);
  const double opacity = edge_opacity(edges, line, area);
  sheet.lines(std::move(edges), {kEdgeColour, line, opacity});
  const double dot = std::clamp(0.22 * crowding, 0.9, 9.0);
  for (const bool inside : {false, true}) {  // the set on top
    for (std::size_t node = 0; node < places.size(); ++node) {
      if ((member[node] != 0) == inside) {
        sheet.circle(places[node], inside ? 1.3 * dot : dot,
                     inside ? mix(kSetLow, kSetHigh, shade[node]) : mix(kRestLow, kRestHigh, shade[node]),
                     Stroke{inside ? kSetOutline : kRestOutline, 0.12 * dot});
      }
    }
  }
  const std::string_view scale = heatmap != nullptr ? " (θ low to high)" : "";
  draw_shade(sheet, kMargin, kSetLow, kSetHigh, fmt::format("in the set{}", scale));
  draw_shade(sheet, kMargin + 380.0, kRestLow, kRestHigh, fmt::format("not in the set{}", scale));
  return sheet;
}

}  // namespace moco
