// Collecting of shapes; those that would show nothing are left out.
#include "moco/drawing/sheet.h"

#include <algorithm>

#include "moco/drawing/text.h"

namespace moco::drawing {

Colour mix(Colour from, Colour to, double t) {
  const double share = std::clamp(t, 0.0, 1.0);
  const auto between = [share](double a, double b) { return a + share * (b - a); };
  return {between(from.red, to.red), between(from.green, to.green), between(from.blue, to.blue)};
}

Sheet::Sheet(double width, double height, std::string_view title)
    : width_(width), height_(height), title_(readable_text(title)) {}

void Sheet::text(Place at, std::string_view content, const TextStyle& style) {
  shapes_.emplace_back(TextShape{at, readable_text(content), style});
}

void Sheet::circle(Place centre, double radius, Colour fill, std::optional<Stroke> outline) {
  shapes_.emplace_back(CircleShape{centre, radius, fill, outline});
}

void Sheet::lines(Segments segments, const Stroke& stroke) {
  if (!segments.empty()) {
    shapes_.emplace_back(LinesShape{std::move(segments), stroke});
  }
}

void Sheet::polygon(std::vector<Place> corners, const Stroke& stroke) {
  if (corners.size() >= 2) {
    shapes_.emplace_back(PolygonShape{std::move(corners), stroke});
  }
}

void Sheet::gradient(Place corner, double width, double height, Colour from, Colour to) {
  shapes_.emplace_back(GradientShape{corner, width, height, from, to});
}

}  // namespace moco::drawing
