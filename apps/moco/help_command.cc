// `moco help`: texts made from the option table.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "commands.h"
#include "completion.h"
#include "help.h"
#include "output_files.h"

namespace moco::cli {

void refuse_command(const std::string& word) {
  std::vector<std::string> names = {"--help", "--version"};
  for (const std::string_view name : command_names()) {
    names.emplace_back(name);
  }
  std::string hint = suggestion(word, names);
  if (hint.empty()) {
    hint = " (see 'moco --help')";
  }
  throw UsageError(fmt::format("unknown {} '{}'{}", word.starts_with('-') ? "option" : "command", word, hint));
}

int show_help(const CommandSpec& command) {
  write_text("-", command_help(command));
  return kExitSuccess;
}

int run_help(const Arguments& arguments) {
  const std::vector<std::string>& command = arguments.positionals("COMMAND");
  const std::string shell = arguments.text("completion");
  const std::array asked = {arguments.flag("man"), arguments.flag("options-markdown"), !shell.empty(),
                            !command.empty()};
  if (std::ranges::count(asked, true) > 1) {
    throw UsageError("help: one thing at a time (see 'moco help --help')");
  }
  if (arguments.flag("man")) {
    write_text("-", man_page());
  } else if (arguments.flag("options-markdown")) {
    write_text("-", markdown_reference());
  } else if (!shell.empty()) {
    write_text("-", completion_script(shell));
  } else if (command.empty()) {
    write_text("-", overview_help());
  } else if (const CommandSpec* spec = find_command(command.front()); spec != nullptr) {
    return show_help(*spec);
  } else {
    refuse_command(command.front());
  }
  return kExitSuccess;
}

}  // namespace moco::cli
