// Drawings as PNG files, through cairo where the build has it (CMake option MOCO_PNG).
#pragma once

#include <string>

#include "moco/drawing/sheet.h"

namespace moco::drawing {

/// Whether this build can.
bool can_draw_png();

/// The sheet as a complete PNG file with two pixels per unit. Throws OptionError where the build cannot.
std::string png_document(const Sheet& sheet);

}  // namespace moco::drawing
