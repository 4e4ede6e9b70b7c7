// Elements of the drawings; coordinates are printed with two decimals.
#include "moco/drawing/svg.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace moco::drawing {

namespace {

std::string hex(Colour colour) {
  const auto channel = [](double value) { return static_cast<int>(std::lround(std::clamp(value, 0.0, 255.0))); };
  return fmt::format("#{:02x}{:02x}{:02x}", channel(colour.red), channel(colour.green), channel(colour.blue));
}

}  // namespace

Colour mix(Colour from, Colour to, double t) {
  const double share = std::clamp(t, 0.0, 1.0);
  const auto between = [share](double a, double b) { return a + share * (b - a); };
  return {between(from.red, to.red), between(from.green, to.green), between(from.blue, to.blue)};
}

std::string escape_xml(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return result;
}

void SvgSheet::text(Place at, double size, std::string_view content, bool bold, bool muted) {
  fmt::format_to(std::back_inserter(body_),
                 "<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{:.0f}\" fill=\"{}\"{}>{}</text>\n", at.x, at.y, size,
                 muted ? "#5b6472" : "#1b2430", bold ? " font-weight=\"600\"" : "", escape_xml(content));
}

void SvgSheet::circle(Place centre, double radius, Colour fill, std::string_view attributes) {
  fmt::format_to(std::back_inserter(body_), "<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\" fill=\"{}\"{}{}/>\n",
                 centre.x, centre.y, radius, hex(fill), attributes.empty() ? "" : " ", attributes);
}

void SvgSheet::lines(const std::vector<std::pair<Place, Place>>& segments, Colour stroke, double stroke_width,
                     double opacity) {
  if (segments.empty()) {
    return;
  }
  fmt::format_to(std::back_inserter(body_),
                 "<path fill=\"none\" stroke=\"{}\" stroke-width=\"{:.2f}\" stroke-opacity=\"{:.2f}\" "
                 "stroke-linecap=\"round\" d=\"",
                 hex(stroke), stroke_width, opacity);
  for (const auto& [from, to] : segments) {
    fmt::format_to(std::back_inserter(body_), "M{:.2f} {:.2f}L{:.2f} {:.2f}", from.x, from.y, to.x, to.y);
  }
  body_ += "\"/>\n";
}

void SvgSheet::closed_line(const std::vector<Place>& corners, Colour stroke, double stroke_width) {
  if (corners.size() < 2) {
    return;
  }
  fmt::format_to(std::back_inserter(body_),
                 "<polygon fill=\"none\" stroke=\"{}\" stroke-width=\"{:.2f}\" stroke-linejoin=\"round\" points=\"",
                 hex(stroke), stroke_width);
  for (const Place& corner : corners) {
    fmt::format_to(std::back_inserter(body_), "{:.2f},{:.2f} ", corner.x, corner.y);
  }
  body_.back() = '"';
  body_ += "/>\n";
}

void SvgSheet::gradient_bar(Place corner, double bar_width, double bar_height, Colour from, Colour to,
                            std::string_view id) {
  fmt::format_to(std::back_inserter(body_),
                 "<defs><linearGradient id=\"{0}\"><stop offset=\"0\" stop-color=\"{1}\"/><stop offset=\"1\" "
                 "stop-color=\"{2}\"/></linearGradient></defs>\n<rect x=\"{3:.2f}\" y=\"{4:.2f}\" width=\"{5:.2f}\" "
                 "height=\"{6:.2f}\" rx=\"3\" fill=\"url(#{0})\"/>\n",
                 id, hex(from), hex(to), corner.x, corner.y, bar_width, bar_height);
}

std::string SvgSheet::document(std::string_view title) const {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "font-family=\"system-ui, 'DejaVu Sans', Helvetica, Arial, sans-serif\">\n"
      "<title>{2}</title>\n<rect width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"#ffffff\"/>\n{3}</svg>\n",
      width_, height_, escape_xml(title), body_);
}

}  // namespace moco::drawing
