// What a terminal must not see is written out byte by byte.
#include "moco/core/printable.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "moco/core/utf8.h"

namespace moco {

namespace {

bool is_control(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

/// Marks, overrides and isolates of the direction of writing, and the separators of lines and paragraphs.
bool is_invisible(std::uint32_t code) {
  return code == 0x200E || code == 0x200F || (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Utf8Character character = first_character(text);
    const std::string_view bytes = text.substr(0, std::max<std::size_t>(1, character.bytes));
    if (character.bytes == 0 || is_control(character.code)) {
      for (const char byte : bytes) {
        result += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
      }
    } else if (is_invisible(character.code)) {
      result += fmt::format("\\u{:04x}", character.code);
    } else {
      result += bytes;
    }
    text.remove_prefix(bytes.size());
  }
  return result;
}

std::string_view first_characters(std::string_view text, std::size_t count) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < count && end < text.size(); ++i) {
    end += std::max<std::size_t>(1, first_character(text.substr(end)).bytes);
  }
  return text.substr(0, end);
}

}  // namespace moco
