// The program: finds the command, runs it, and turns every error into one line and an exit status.
#include <array>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "command_line.h"
#include "commands.h"
#include "messages.h"
#include "moco/version.h"
#include "output_files.h"

namespace {

using namespace moco::cli;

struct Handler {
  std::string_view command;
  int (*run)(const Arguments&);
};

constexpr std::array kHandlers = {
    Handler{"solve", run_solve},       Handler{"eval", run_eval},       Handler{"models", run_models},
    Handler{"generate", run_generate}, Handler{"improve", run_improve}, Handler{"check", run_check},
    Handler{"convert", run_convert},   Handler{"info", run_info},       Handler{"train", run_train},
    Handler{"plot", run_plot},         Handler{"help", run_help}};

int dispatch(const std::vector<std::string>& words) {
  if (words.empty()) {
    throw UsageError("which command? (see 'moco --help')");
  }
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  const std::string name = words.front() == "-h" || words.front() == "--help" ? "help" : words.front();
  if (name == "--version") {
    write_text("-", fmt::format("moco {}\n", moco::version()));
    return kExitSuccess;
  }
  for (const Handler& handler : kHandlers) {
    if (handler.command == name) {
      const CommandSpec& command = *find_command(name);
      return asks_for_help(rest) ? show_help(command) : handler.run(parse_arguments(command, rest));
    }
  }
  refuse_command(name);
}

int report(std::string_view message, const std::exception& error) {
  say(message);
  return exit_status_of(error);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return dispatch(argc > 1 ? std::vector<std::string>(argv + 1, argv + argc) : std::vector<std::string>());
  } catch (const std::bad_alloc& error) {
    return report("out of memory", error);
  } catch (const std::exception& error) {
    return report(error.what(), error);
  }
}
