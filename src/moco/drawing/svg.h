// A small writer of SVG drawings: a titled sheet with shapes and a legend.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace moco::drawing {

/// A place on the sheet, in SVG user units with y downwards.
struct Place {
  double x = 0.0;
  double y = 0.0;
};

/// An RGB colour with channels of 0 … 255.
struct Colour {
  double red = 0.0;
  double green = 0.0;
  double blue = 0.0;
};

/// The colour a share `t` (0 … 1) of the way between two colours.
Colour mix(Colour from, Colour to, double t);

/// Text with the characters XML reserves (and control characters it forbids) replaced.
std::string escape_xml(std::string_view text);

/// Collects the elements of one drawing.
class SvgSheet {
 public:
  SvgSheet(double width, double height) : width_(width), height_(height) {}

  double width() const { return width_; }
  double height() const { return height_; }

  void text(Place at, double size, std::string_view content, bool bold = false, bool muted = false);
  void circle(Place centre, double radius, Colour fill, std::string_view attributes = "");
  /// Separate straight lines as one element.
  void lines(const std::vector<std::pair<Place, Place>>& segments, Colour stroke, double stroke_width, double opacity);
  /// A closed line through the places, in order.
  void closed_line(const std::vector<Place>& corners, Colour stroke, double stroke_width);
  /// A bar from one colour to another, for legends.
  void gradient_bar(Place corner, double bar_width, double bar_height, Colour from, Colour to, std::string_view id);

  /// The complete document.
  std::string document(std::string_view title) const;

 private:
  double width_;
  double height_;
  std::string body_;
};

}  // namespace moco::drawing
