// UTF-8 as RFC 3629 has it: no surrogates, no longer forms than necessary, nothing above U+10FFFF.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace moco {

struct Utf8Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  ///< 0: the text does not begin with a character
};

/// The character at the beginning of a text that is not empty.
Utf8Character first_character(std::string_view text);

}  // namespace moco
