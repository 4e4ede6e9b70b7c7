// Text from files and file names on its way to a terminal.
#pragma once

#include <string>
#include <string_view>

namespace moco {

/// The text with everything written out that would move the cursor, change colours, hide what follows or garble the
/// line: control characters and bytes that are no UTF-8 as "\x1b", invisible characters that turn the direction of
/// writing or end a line as "\u202e". Other text stays as it is, of any script.
std::string printable(std::string_view text);

/// At most this many characters of a text: whole ones, where it is UTF-8.
std::string_view first_characters(std::string_view text, std::size_t count);

}  // namespace moco
