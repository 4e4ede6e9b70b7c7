// Fields of CSV files and lines of tables on a terminal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace moco::cli {

/// A field as RFC 4180 wants it.
std::string csv_field(std::string_view text);

/// Characters a text takes on a terminal: bytes less the UTF-8 continuation bytes.
std::size_t display_width(std::string_view text);

/// The cells right-aligned in columns of ten characters, or as wide as they are, with the line's end.
std::string table_line(const std::vector<std::string>& cells);

}  // namespace moco::cli
