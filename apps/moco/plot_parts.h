// Pieces that drawings of all problems share: the sheet, its heading and legends.
#pragma once

#include <string_view>
#include <vector>

#include "moco/drawing/sheet.h"
#include "moco/solve.h"

namespace moco::cli {

inline constexpr double kSheetWidth = 1000.0;
inline constexpr double kMargin = 50.0;
inline constexpr double kHeader = 100.0;
inline constexpr double kFooter = 80.0;
inline constexpr double kInnerWidth = kSheetWidth - 2.0 * kMargin;

/// Brings the places into the area between header and footer and returns a sheet as high as that takes.
drawing::Sheet sheet_around(std::vector<drawing::Place>& places, const Instance& instance, const SolveResult& result);

/// Name, result and `remark` above the drawing.
void draw_header(drawing::Sheet& sheet, const Instance& instance, const SolveResult& result,
                 std::string_view remark = "");

/// The legend of a shade: a bar with what its ends mean.
void draw_shade(drawing::Sheet& sheet, double x, drawing::Colour low, drawing::Colour high, std::string_view meaning);

drawing::Sheet draw_tour(const TspInstance& instance, const SolveResult& result);
drawing::Sheet draw_set(const GraphInstance& instance, const SolveResult& result);

}  // namespace moco::cli
