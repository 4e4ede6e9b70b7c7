// Choice of the format by name.
#include "picture_output.h"

#include <filesystem>

#include <fmt/format.h>

#include "command_line.h"
#include "moco/drawing/png.h"
#include "moco/drawing/svg.h"
#include "moco/formats/text.h"
#include "output_files.h"

namespace moco::cli {

PictureFormat picture_format(const std::string& file) {
  std::error_code error;
  std::filesystem::path name(to_lower(file));
  if (name.extension() == ".gz") {
    name = name.stem();
  }
  if (name.extension() == ".png") {
    if (!drawing::can_draw_png()) {
      throw UsageError(
          fmt::format("cannot write '{}': this build draws no PNG; a name ending in .svg gives SVG", file));
    }
    return PictureFormat::png;
  }
  const bool stream = file == "-" || file.starts_with("/dev/") || std::filesystem::is_other(file, error);
  if (stream || name.extension() == ".svg") {
    return PictureFormat::svg;
  }
  throw UsageError(fmt::format("cannot write '{}': pictures are .svg or .png", file));
}

void write_picture(const std::string& file, const drawing::Sheet& sheet) {
  write_text(file, picture_format(file) == PictureFormat::png ? png_document(sheet) : svg_document(sheet));
}

}  // namespace moco::cli
