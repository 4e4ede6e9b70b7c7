// Formatting of the typed errors.
#include "moco/error.h"

#include <fmt/format.h>

namespace moco {

namespace {

std::string locate(std::string_view file, std::int64_t line, std::string_view what) {
  return line > 0 ? fmt::format("{}:{}: {}", file, line, what) : fmt::format("{}: {}", file, what);
}

}  // namespace

InputError::InputError(std::string_view file, std::int64_t line, std::string_view what)
    : Error(locate(file, line, what)) {}

}  // namespace moco
