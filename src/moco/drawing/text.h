// Texts of drawings: names of instances and files may hold any bytes.
#pragma once

#include <string>
#include <string_view>

namespace moco::drawing {

/// The text as well-formed UTF-8 of characters that XML 1.0 allows: a blank for each control character, U+FFFD for each
/// byte that belongs to no character and for each character that is none.
std::string readable_text(std::string_view text);

}  // namespace moco::drawing
