// The version of the library: of the headers as macros, of what is linked as a function. CMake reads it from here.
#pragma once

#include <string_view>

#define MOCO_VERSION_MAJOR 0
#define MOCO_VERSION_MINOR 1
#define MOCO_VERSION_PATCH 0

namespace moco {

/// "0.1.0", of the library that the program is linked with.
std::string_view version();

}  // namespace moco
