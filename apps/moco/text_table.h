// Fields of CSV files and lines of tables on a terminal.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace moco::cli {

/// A field as RFC 4180 wants it.
std::string csv_field(std::string_view text);

/// Characters a text takes on a terminal: bytes less the UTF-8 continuation bytes.
std::size_t display_width(std::string_view text);

/// The cells right-aligned in columns of these widths, with a blank before each but the first and the line's end.
/// A cell that is too wide pushes the others on.
std::string table_line(const std::vector<std::string>& cells, std::span<const std::size_t> widths);

}  // namespace moco::cli
