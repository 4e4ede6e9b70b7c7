// Lines on standard error. They never fail: a search must not end because nobody reads them any more.
#pragma once

#include <string_view>

namespace moco::cli {

/// One line "moco: TEXT". Control characters in it, which may come from a file, are written out.
void say(std::string_view text);

/// "moco: warning: TEXT".
void warn(std::string_view text);
/// No warnings from here on: another process gives them.
void leave_warnings_to_others();

/// Bytes as they are: for lines that are rewritten on a terminal.
void draw(std::string_view bytes);

}  // namespace moco::cli
