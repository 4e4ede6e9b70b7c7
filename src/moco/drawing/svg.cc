// Elements of SVG documents; coordinates are printed with two decimals.
#include "moco/drawing/svg.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

namespace moco::drawing {

namespace {

std::string hex(Colour colour) {
  const auto channel = [](double value) { return static_cast<int>(std::lround(std::clamp(value, 0.0, 255.0))); };
  return fmt::format("#{:02x}{:02x}{:02x}", channel(colour.red), channel(colour.green), channel(colour.blue));
}

/// Readable text with the characters that XML reserves replaced.
std::string escape(std::string_view text) {
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
        result += c;
    }
  }
  return result;
}

class SvgWriter {
 public:
  std::string body() && { return std::move(body_); }

  void operator()(const TextShape& text) {
    constexpr std::array anchors = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    print("<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{:.0f}\" fill=\"{}\"{}{}{}>{}</text>\n", text.at.x, text.at.y,
          text.style.size, hex(text.style.muted ? kMutedInk : kInk), text.style.bold ? " font-weight=\"600\"" : "",
          anchors[static_cast<std::size_t>(text.style.anchor)],
          text.style.upwards ? fmt::format(" transform=\"rotate(-90 {:.2f} {:.2f})\"", text.at.x, text.at.y) : "",
          escape(text.content));
  }

  void operator()(const CircleShape& circle) {
    print("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\" fill=\"{}\"{}/>\n", circle.centre.x, circle.centre.y,
          circle.radius, hex(circle.fill),
          circle.outline ? fmt::format(" stroke=\"{}\" stroke-width=\"{:.2f}\"", hex(circle.outline->colour),
                                       circle.outline->width)
                         : "");
  }

  void operator()(const LinesShape& lines) {
    const bool one_by_one = lines.stroke.opacity < 1.0;
    print("<g {} stroke-linecap=\"round\">\n{}", stroke(lines.stroke), one_by_one ? "" : "<path d=\"");
    for (const auto& [from, to] : lines.segments) {
      print("{}M{:.2f} {:.2f}L{:.2f} {:.2f}{}", one_by_one ? "<path d=\"" : "", from.x, from.y, to.x, to.y,
            one_by_one ? "\"/>\n" : "");
    }
    print("{}</g>\n", one_by_one ? "" : "\"/>\n");
  }

  void operator()(const PolygonShape& polygon) {
    print("<polygon {} stroke-linejoin=\"round\" points=\"", stroke(polygon.stroke));
    for (const Place& corner : polygon.corners) {
      print("{:.2f},{:.2f} ", corner.x, corner.y);
    }
    body_.back() = '"';
    body_ += "/>\n";
  }

  void operator()(const GradientShape& bar) {
    ++gradients_;
    print(
        "<defs><linearGradient id=\"gradient{0}\"><stop offset=\"0\" stop-color=\"{1}\"/><stop offset=\"1\" "
        "stop-color=\"{2}\"/></linearGradient></defs>\n<rect x=\"{3:.2f}\" y=\"{4:.2f}\" width=\"{5:.2f}\" "
        "height=\"{6:.2f}\" fill=\"url(#gradient{0})\"/>\n",
        gradients_, hex(bar.from), hex(bar.to), bar.corner.x, bar.corner.y, bar.width, bar.height);
  }

 private:
  template <typename... Arguments>
  void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(body_), format, std::forward<Arguments>(arguments)...);
  }

  static std::string stroke(const Stroke& line) {
    return fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"{:.2f}\"{}", hex(line.colour), line.width,
                       line.opacity < 1.0 ? fmt::format(" stroke-opacity=\"{:.3f}\"", line.opacity) : "");
  }

  std::string body_;
  int gradients_ = 0;
};

}  // namespace

std::string svg_document(const Sheet& sheet) {
  SvgWriter writer;
  for (const Shape& shape : sheet.shapes()) {
    std::visit(writer, shape);
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "font-family=\"system-ui, 'DejaVu Sans', Helvetica, Arial, sans-serif\">\n"
      "<title>{2}</title>\n<rect width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"{3}\"/>\n{4}</svg>\n",
      sheet.width(), sheet.height(), escape(sheet.title()), hex(kPaper), std::move(writer).body());
}

}  // namespace moco::drawing
