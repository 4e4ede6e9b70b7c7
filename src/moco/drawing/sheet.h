// A drawing as a list of shapes, which svg.h and png.h turn into files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace moco::drawing {

/// A place on the sheet, with y downwards.
struct Place {
  double x = 0.0;
  double y = 0.0;

  friend bool operator==(const Place&, const Place&) = default;
};

using Segments = std::vector<std::pair<Place, Place>>;

/// An RGB colour with channels of 0 … 255.
struct Colour {
  double red = 0.0;
  double green = 0.0;
  double blue = 0.0;

  friend bool operator==(const Colour&, const Colour&) = default;
};

/// The colour a share `t` (0 … 1) of the way between two colours.
Colour mix(Colour from, Colour to, double t);

struct Stroke {
  Colour colour;
  double width = 1.0;
  double opacity = 1.0;
};

/// Which part of a text lies at its place.
enum class Anchor { start, middle, end };

struct TextStyle {
  double size = 15.0;
  bool bold = false;
  bool muted = false;
  Anchor anchor = Anchor::start;
  bool upwards = false;  ///< turned by a quarter, to be read from below
};

struct TextShape {
  Place at;
  std::string content;
  TextStyle style;
};

struct CircleShape {
  Place centre;
  double radius = 1.0;
  Colour fill;
  std::optional<Stroke> outline;
};

/// Separate straight lines. Those that let something through are drawn one by one: they darken where they cross.
struct LinesShape {
  Segments segments;
  Stroke stroke;
};

/// A closed line through the corners, in order.
struct PolygonShape {
  std::vector<Place> corners;
  Stroke stroke;
};

/// A bar from one colour to another, left to right.
struct GradientShape {
  Place corner;
  double width = 1.0;
  double height = 1.0;
  Colour from;
  Colour to;
};

using Shape = std::variant<TextShape, CircleShape, LinesShape, PolygonShape, GradientShape>;

/// Collects the shapes of one drawing, the lowest first. Texts are made readable (text.h) as they come in.
class Sheet {
 public:
  Sheet(double width, double height, std::string_view title);

  double width() const { return width_; }
  double height() const { return height_; }
  const std::string& title() const { return title_; }
  const std::vector<Shape>& shapes() const { return shapes_; }

  void text(Place at, std::string_view content, const TextStyle& style);
  void circle(Place centre, double radius, Colour fill, std::optional<Stroke> outline = std::nullopt);
  void lines(Segments segments, const Stroke& stroke);
  void polygon(std::vector<Place> corners, const Stroke& stroke);
  void gradient(Place corner, double width, double height, Colour from, Colour to);

 private:
  double width_;
  double height_;
  std::string title_;
  std::vector<Shape> shapes_;
};

/// Colours that both kinds of files share.
inline constexpr Colour kPaper{255.0, 255.0, 255.0};
inline constexpr Colour kInk{27.0, 36.0, 48.0};
inline constexpr Colour kMutedInk{91.0, 100.0, 114.0};

}  // namespace moco::drawing
