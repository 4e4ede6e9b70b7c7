// Whole lines, written at once.
#include "messages.h"

#include <cstdio>

#include <fmt/format.h>

#include "moco/core/printable.h"

namespace moco::cli {

void say(std::string_view text) {
  draw(fmt::format("moco: {}\n", printable(text)));
}

void warn(std::string_view text) {
  say(fmt::format("warning: {}", text));
}

void draw(std::string_view bytes) {
  std::fwrite(bytes.data(), 1, bytes.size(), stderr);
  std::fflush(stderr);
}

}  // namespace moco::cli
