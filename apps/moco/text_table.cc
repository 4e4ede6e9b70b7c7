// Quoting and alignment.
#include "text_table.h"

#include <algorithm>

namespace moco::cli {

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    return std::string(text);
  }
  std::string quoted = "\"";
  for (const char c : text) {
    quoted.append(c == '"' ? 2 : 1, c);
  }
  return quoted + "\"";
}

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string table_line(const std::vector<std::string>& cells, std::span<const std::size_t> widths) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::size_t width = display_width(cells[i]);
    line += i > 0 ? " " : "";
    line.append(width < widths[i] ? widths[i] - width : 0, ' ');
    line += cells[i];
  }
  return line + "\n";
}

}  // namespace moco::cli
