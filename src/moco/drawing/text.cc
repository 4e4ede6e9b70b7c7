// Replacement of what cannot be shown.
#include "moco/drawing/text.h"

#include "moco/core/utf8.h"

namespace moco::drawing {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

}  // namespace

std::string readable_text(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const Utf8Character character = first_character(text);
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
