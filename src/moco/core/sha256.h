// SHA-256, by which a manifest tells whether a file is the one it describes.
#pragma once

#include <string>
#include <string_view>

namespace moco {

/// The digest in 64 lower-case hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace moco
