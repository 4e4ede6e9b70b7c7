// One list of shapes, drawn as SVG and as PNG.
#include <gtest/gtest.h>

#include "moco/drawing/png.h"
#include "moco/drawing/svg.h"
#include "moco/error.h"

#if defined(MOCO_HAVE_CAIRO)
#include <cairo/cairo.h>
#endif

namespace moco::drawing {
namespace {

/// One shape of each kind.
Sheet all_shapes() {
  Sheet sheet(100.0, 50.0, "shapes");
  sheet.text({10.0, 20.0}, "θ · –", {.size = 12.0, .bold = true});
  sheet.text({10.0, 40.0}, "up", {.size = 12.0, .muted = true, .anchor = Anchor::middle, .upwards = true});
  sheet.polygon({{60.0, 10.0}, {60.0, 40.0}, {80.0, 40.0}}, {Colour{0, 0, 255}, 2.0});
  sheet.circle({90.0, 10.0}, 5.0, Colour{255, 0, 0}, Stroke{Colour{0, 255, 0}, 1.0});
  sheet.lines({{{40.0, 5.0}, {40.0, 45.0}}}, {Colour{0, 0, 0}, 2.0});
  sheet.lines({{{30.0, 25.0}, {50.0, 25.0}}, {{30.0, 25.0}, {50.0, 25.0}}}, {Colour{0, 0, 0}, 2.0, 0.5});
  sheet.gradient({85.0, 30.0}, 10.0, 10.0, Colour{0, 0, 0}, Colour{255, 255, 255});
  return sheet;
}

TEST(Svg, HasAnElementForEachShape) {
  const std::string svg = svg_document(all_shapes());
  for (const char* part :
       {"viewBox=\"0 0 100 50\"", "font-weight=\"600\">θ · –</text>",
        "text-anchor=\"middle\" transform=\"rotate(-90 10.00 40.00)\">up</text>",
        "points=\"60.00,10.00 60.00,40.00 80.00,40.00\"/>",
        "<circle cx=\"90.00\" cy=\"10.00\" r=\"5.00\" fill=\"#ff0000\" stroke=\"#00ff00\" stroke-width=\"1.00\"/>",
        "<path d=\"M40.00 5.00L40.00 45.00\"/>", "stroke-opacity=\"0.500\"", "fill=\"url(#gradient1)\""}) {
    EXPECT_NE(svg.find(part), std::string::npos) << part << "\n" << svg;
  }
}

TEST(Svg, LinesThatLetSomethingThroughAreElementsOfTheirOwn) {
  const std::string svg = svg_document(all_shapes());
  const std::string line = "<path d=\"M30.00 25.00L50.00 25.00\"/>\n";
  EXPECT_NE(svg.find(line + line), std::string::npos) << svg;
}

TEST(Sheet, ShapesWithoutExtentAreLeftOut) {
  Sheet sheet(10.0, 10.0, "");
  sheet.lines({}, {});
  sheet.polygon({{1.0, 1.0}}, {});
  EXPECT_TRUE(sheet.shapes().empty());
}

#if defined(MOCO_HAVE_CAIRO)

/// Pixels of a PNG file.
class Image {
 public:
  explicit Image(const std::string& png) : rest_(png) {
    surface_ = cairo_image_surface_create_from_png_stream(read, &rest_);
  }
  ~Image() { cairo_surface_destroy(surface_); }
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  bool good() const { return cairo_surface_status(surface_) == CAIRO_STATUS_SUCCESS; }
  int width() const { return cairo_image_surface_get_width(surface_); }
  int height() const { return cairo_image_surface_get_height(surface_); }
  /// 0xRRGGBB.
  unsigned pixel(int x, int y) const {
    const unsigned char* row = cairo_image_surface_get_data(surface_) + y * cairo_image_surface_get_stride(surface_);
    return reinterpret_cast<const unsigned*>(row)[x] & 0xFFFFFFu;
  }
  /// Pixels within a box that are not white.
  int ink(int left, int top, int right, int bottom) const {
    int count = 0;
    for (int y = top; y < bottom; ++y) {
      for (int x = left; x < right; ++x) {
        count += pixel(x, y) != 0xFFFFFFu ? 1 : 0;
      }
    }
    return count;
  }

 private:
  static cairo_status_t read(void* closure, unsigned char* data, unsigned length) {
    auto& rest = *static_cast<std::string*>(closure);
    if (rest.size() < length) {
      return CAIRO_STATUS_READ_ERROR;
    }
    rest.copy(reinterpret_cast<char*>(data), length);
    rest.erase(0, length);
    return CAIRO_STATUS_SUCCESS;
  }

  std::string rest_;
  cairo_surface_t* surface_ = nullptr;
};

TEST(Png, DrawsEachShapeInItsPlace) {
  const std::string png = png_document(all_shapes());
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1A\n");
  const Image image(png);
  ASSERT_TRUE(image.good());
  EXPECT_EQ(image.width(), 200);
  EXPECT_EQ(image.height(), 100);
  EXPECT_EQ(image.pixel(1, 1), 0xFFFFFFu);
  EXPECT_EQ(image.pixel(180, 20), 0xFF0000u) << "circle";
  EXPECT_EQ(image.pixel(80, 20), 0x000000u) << "line";
  EXPECT_EQ(image.pixel(120, 50), 0x0000FFu) << "side of the polygon";
  EXPECT_NEAR(image.pixel(70, 50) & 0xFFu, 0x40u, 2) << "two half-transparent lines, one over the other";
  EXPECT_LT(image.pixel(171, 70), image.pixel(188, 70)) << "gradient";
  EXPECT_EQ(image.ink(85, 60, 115, 100), 0) << "between line and polygon";
}

TEST(Png, EqualSheetsGiveEqualBytes) {
  EXPECT_EQ(png_document(all_shapes()), png_document(all_shapes()));
}

TEST(Png, APolygonDoesNotBeginWhereATextEnded) {
  Sheet sheet(100.0, 50.0, "");
  sheet.text({2.0, 10.0}, "text", {.size = 10.0});
  sheet.polygon({{60.0, 30.0}, {60.0, 40.0}, {80.0, 40.0}}, {Colour{0, 0, 255}, 2.0});
  const Image image(png_document(sheet));
  EXPECT_EQ(image.ink(60, 0, 115, 100), 0);
}

TEST(Png, GreekAndDashesAreInTheFont) {
  // Characters that a font does not have are drawn alike, as one box.
  const auto drawn = [](const char* text) {
    Sheet sheet(20.0, 20.0, "");
    sheet.text({2.0, 15.0}, text, {.size = 15.0});
    return png_document(sheet);
  };
  const std::string missing = drawn("\xF3\xB0\x80\x80");  // for private use
  for (const char* text : {"θ", "·", "–", "≤", "±"}) {
    EXPECT_NE(drawn(text), missing) << text;
    EXPECT_NE(drawn(text), drawn("")) << text;
  }
}

#else

TEST(Png, IsRefusedWithoutCairo) {
  EXPECT_FALSE(can_draw_png());
  EXPECT_THROW(png_document(all_shapes()), OptionError);
}

#endif

}  // namespace
}  // namespace moco::drawing
