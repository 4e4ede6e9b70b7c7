// Whole lines, written at once.
#include "messages.h"

#include <cstdio>

#include <fmt/format.h>

#include "moco/core/printable.h"

namespace moco::cli {

namespace {

bool warns = true;

}  // namespace

void say(std::string_view text) {
  draw(fmt::format("moco: {}\n", printable(text)));
}

void warn(std::string_view text) {
  if (warns) {
    say(fmt::format("warning: {}", text));
  }
}

void leave_warnings_to_others() {
  warns = false;
}

void draw(std::string_view bytes) {
  std::fwrite(bytes.data(), 1, bytes.size(), stderr);
  std::fflush(stderr);
}

}  // namespace moco::cli
