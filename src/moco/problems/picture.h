// Pieces that pictures of all problems share: the sheet, its heading and legends.
#pragma once

#include <string_view>
#include <vector>

#include "moco/drawing/sheet.h"
#include "moco/problem.h"

namespace moco {

inline constexpr double kSheetWidth = 1000.0;
inline constexpr double kMargin = 50.0;
inline constexpr double kHeader = 100.0;
inline constexpr double kFooter = 80.0;
inline constexpr double kInnerWidth = kSheetWidth - 2.0 * kMargin;

/// Brings the places into the area between header and footer and returns a sheet as high as that takes.
drawing::Sheet sheet_around(std::vector<drawing::Place>& places, const PictureCaption& caption);

/// Title and subtitle above the drawing, with a remark behind.
void draw_header(drawing::Sheet& sheet, const PictureCaption& caption, std::string_view remark = "");

/// The legend of a shade: a bar with what its ends mean.
void draw_shade(drawing::Sheet& sheet, double x, drawing::Colour low, drawing::Colour high, std::string_view meaning);

}  // namespace moco
