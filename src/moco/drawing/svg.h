// Drawings as SVG files.
#pragma once

#include <string>

#include "moco/drawing/sheet.h"

namespace moco::drawing {

/// The sheet as a complete SVG document.
std::string svg_document(const Sheet& sheet);

}  // namespace moco::drawing
