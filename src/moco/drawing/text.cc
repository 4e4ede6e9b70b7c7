// Decoding of UTF-8, strictly as RFC 3629 has it.
#include "moco/drawing/text.h"

#include <cstddef>
#include <cstdint>

namespace moco::drawing {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  ///< 0: no character begins here
};

Character first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) {
    return {lead, 1};
  }
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) {
    return {};
  }
  std::uint32_t code = lead & (0xFFu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0u) != 0x80u) {
      return {};
    }
    code = code << 6 | (next & 0x3Fu);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};  // shorter forms exist below
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code < least[bytes] || code > 0x10FFFF || surrogate ? Character{} : Character{code, bytes};
}

}  // namespace

std::string readable_text(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const Character character = first_character(text);
    if (character.bytes == 0) {
      result += kReplacement;
      text.remove_prefix(1);
      continue;
    }
    const bool control = character.code < 0x20 || (character.code >= 0x7F && character.code < 0xA0);
    const bool nothing = character.code == 0xFFFE || character.code == 0xFFFF;
    result += control ? " " : nothing ? kReplacement : text.substr(0, character.bytes);
    text.remove_prefix(character.bytes);
  }
  return result;
}

}  // namespace moco::drawing
