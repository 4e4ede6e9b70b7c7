// Margins, header and footer of a sheet around whatever a problem draws.
#include "moco/problems/picture.h"

#include <algorithm>

#include <fmt/format.h>

#include "moco/drawing/box.h"

namespace moco {

using namespace drawing;

Sheet sheet_around(std::vector<Place>& places, const PictureCaption& caption) {
  fit_into(places, kInnerWidth);
  const Box box = box_of(places);
  const double height = std::clamp(box.height(), kInnerWidth / 4.0, kInnerWidth);
  const Place corner{kMargin + (kInnerWidth - box.width()) / 2.0, kHeader + (height - box.height()) / 2.0};
  for (Place& place : places) {
    place = {corner.x + place.x, corner.y + place.y};
  }
  return Sheet(kSheetWidth, kHeader + height + kFooter, fmt::format("{}: {}", caption.title, caption.result));
}

void draw_header(Sheet& sheet, const PictureCaption& caption, std::string_view remark) {
  sheet.text({kMargin, 44.0}, caption.title, {.size = 26.0, .bold = true});
  sheet.text({kMargin, 72.0}, fmt::format("{}{}", caption.subtitle, remark), {.size = 17.0, .muted = true});
}

void draw_shade(Sheet& sheet, double x, Colour low, Colour high, std::string_view meaning) {
  const double y = sheet.height() - 40.0;
  sheet.gradient({x, y - 11.0}, 110.0, 12.0, low, high);
  sheet.text({x + 120.0, y}, meaning, {.size = 15.0, .muted = true});
}

}  // namespace moco
