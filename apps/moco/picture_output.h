// Files that drawings are written to.
#pragma once

#include <string>

#include "moco/drawing/sheet.h"

namespace moco::cli {

enum class PictureFormat { svg, png };

/// SVG or PNG as the name's extension says, whatever its case and without a final ".gz"; SVG for standard output, pipes
/// and devices. Throws UsageError for other extensions, and for PNG where the build has no cairo.
PictureFormat picture_format(const std::string& file);

/// Writes the drawing whole or not at all; "-" is standard output.
void write_picture(const std::string& file, const drawing::Sheet& sheet);

}  // namespace moco::cli
