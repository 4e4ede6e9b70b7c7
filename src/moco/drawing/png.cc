// Shapes as cairo draws them.
#include "moco/drawing/png.h"

#include "moco/error.h"

#if defined(MOCO_HAVE_CAIRO)
#include <cmath>
#include <memory>
#include <numbers>

#include <cairo/cairo.h>
#include <fmt/format.h>
#endif

namespace moco::drawing {

#if defined(MOCO_HAVE_CAIRO)

namespace {

constexpr double kPixelsPerUnit = 2.0;

template <auto release>
struct Release {
  template <typename T>
  void operator()(T* object) const {
    release(object);
  }
};
using Surface = std::unique_ptr<cairo_surface_t, Release<cairo_surface_destroy>>;
using Context = std::unique_ptr<cairo_t, Release<cairo_destroy>>;
using Pattern = std::unique_ptr<cairo_pattern_t, Release<cairo_pattern_destroy>>;

void require_success(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS) {
    throw ResourceError(fmt::format("cannot draw the PNG: {}", cairo_status_to_string(status)));
  }
}

class CairoPainter {
 public:
  explicit CairoPainter(cairo_t* context) : context_(context) {}

  void background() {
    use(kPaper, 1.0);
    cairo_paint(context_);
  }

  void operator()(const TextShape& text) {
    cairo_select_font_face(context_, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                           text.style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(context_, text.style.size);
    cairo_text_extents_t extents;
    cairo_text_extents(context_, text.content.c_str(), &extents);
    const double share = text.style.anchor == Anchor::start ? 0.0 : text.style.anchor == Anchor::middle ? 0.5 : 1.0;
    use(text.style.muted ? kMutedInk : kInk, 1.0);
    cairo_save(context_);
    cairo_translate(context_, text.at.x, text.at.y);
    if (text.style.upwards) {
      cairo_rotate(context_, -std::numbers::pi / 2.0);
    }
    cairo_move_to(context_, -share * extents.x_advance, 0.0);
    cairo_show_text(context_, text.content.c_str());
    cairo_restore(context_);
  }

  void operator()(const CircleShape& circle) {
    cairo_new_path(context_);
    cairo_arc(context_, circle.centre.x, circle.centre.y, circle.radius, 0.0, 2.0 * std::numbers::pi);
    use(circle.fill, 1.0);
    cairo_fill_preserve(context_);
    if (circle.outline) {
      use(*circle.outline);
      cairo_stroke_preserve(context_);
    }
    cairo_new_path(context_);
  }

  void operator()(const LinesShape& lines) {
    use(lines.stroke);
    cairo_set_line_cap(context_, CAIRO_LINE_CAP_ROUND);
    for (const auto& [from, to] : lines.segments) {
      cairo_move_to(context_, from.x, from.y);
      cairo_line_to(context_, to.x, to.y);
      cairo_stroke(context_);
    }
  }

  void operator()(const PolygonShape& polygon) {
    use(polygon.stroke);
    cairo_set_line_join(context_, CAIRO_LINE_JOIN_ROUND);
    cairo_new_path(context_);  // a text before it has left its end there
    for (const Place& corner : polygon.corners) {
      cairo_line_to(context_, corner.x, corner.y);
    }
    cairo_close_path(context_);
    cairo_stroke(context_);
  }

  void operator()(const GradientShape& bar) {
    const Pattern pattern(cairo_pattern_create_linear(bar.corner.x, 0.0, bar.corner.x + bar.width, 0.0));
    const auto stop = [&](double offset, Colour colour) {
      cairo_pattern_add_color_stop_rgb(pattern.get(), offset, colour.red / 255.0, colour.green / 255.0,
                                       colour.blue / 255.0);
    };
    stop(0.0, bar.from);
    stop(1.0, bar.to);
    cairo_set_source(context_, pattern.get());
    cairo_rectangle(context_, bar.corner.x, bar.corner.y, bar.width, bar.height);
    cairo_fill(context_);
  }

 private:
  void use(Colour colour, double opacity) {
    cairo_set_source_rgba(context_, colour.red / 255.0, colour.green / 255.0, colour.blue / 255.0, opacity);
  }
  void use(const Stroke& stroke) {
    use(stroke.colour, stroke.opacity);
    cairo_set_line_width(context_, stroke.width);
  }

  cairo_t* context_;
};

cairo_status_t append(void* content, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(content)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

bool can_draw_png() {
  return true;
}

std::string png_document(const Sheet& sheet) {
  const auto pixels = [](double units) { return static_cast<int>(std::lround(units * kPixelsPerUnit)); };
  const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, pixels(sheet.width()), pixels(sheet.height())));
  require_success(cairo_surface_status(surface.get()));
  const Context context(cairo_create(surface.get()));
  cairo_scale(context.get(), kPixelsPerUnit, kPixelsPerUnit);
  CairoPainter painter(context.get());
  painter.background();
  for (const Shape& shape : sheet.shapes()) {
    std::visit(painter, shape);
  }
  require_success(cairo_status(context.get()));
  std::string content;
  require_success(cairo_surface_write_to_png_stream(surface.get(), append, &content));
  return content;
}

#else

bool can_draw_png() {
  return false;
}

std::string png_document(const Sheet& /*sheet*/) {
  throw OptionError("this build cannot draw PNG");
}

#endif

}  // namespace moco::drawing
