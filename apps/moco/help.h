// Help texts, the option reference and the man page, all made from the option table.
#pragma once

#include <string>

#include "option_table.h"

namespace moco::cli {

/// What `moco --help` prints.
std::string overview_help();
/// What `moco COMMAND --help` prints.
std::string command_help(const CommandSpec& command);
/// The whole of docs/cli.md.
std::string markdown_reference();
/// The man page moco(1), as roff.
std::string man_page();

}  // namespace moco::cli
