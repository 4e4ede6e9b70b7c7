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
#include "help.h"
#include "messages.h"
#include "output_files.h"

namespace {

using namespace moco::cli;

struct Handler {
  std::string_view command;
  int (*run)(const Arguments&);
};

constexpr std::array kHandlers = {Handler{"solve", run_solve},     Handler{"eval", run_eval},
                                  Handler{"models", run_models},   Handler{"generate", run_generate},
                                  Handler{"improve", run_improve}, Handler{"check", run_check},
                                  Handler{"convert", run_convert}, Handler{"info", run_info},
                                  Handler{"train", run_train},     Handler{"plot", run_plot}};

[[noreturn]] void refuse_command(const std::string& word) {
  std::vector<std::string> names = {"help", "--help", "--version"};
  for (const CommandSpec& command : command_table()) {
    names.emplace_back(command.name);
  }
  std::string hint = suggestion(word, names);
  if (hint.empty()) {
    hint = " (see 'moco --help')";
  }
  throw UsageError(fmt::format("unknown {} '{}'{}", word.starts_with('-') ? "option" : "command", word, hint));
}

int run_help(const std::vector<std::string>& words) {
  std::string text = overview_help();
  if (!words.empty() && words.front() == "--options-markdown") {
    text = markdown_reference();
  } else if (!words.empty()) {
    const CommandSpec* command = find_command(words.front());
    if (command == nullptr) {
      refuse_command(words.front());
    }
    text = command_help(*command);
  }
  write_text("-", text);
  return kExitSuccess;
}

int dispatch(const std::vector<std::string>& words) {
  if (words.empty()) {
    throw UsageError("which command? (see 'moco --help')");
  }
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  const std::string& name = words.front();
  if (name == "-h" || name == "--help" || name == "help") {
    return run_help(rest);
  }
  if (name == "--version") {
    write_text("-", fmt::format("moco {}\n", MOCO_VERSION));
    return kExitSuccess;
  }
  for (const Handler& handler : kHandlers) {
    if (handler.command == name) {
      const CommandSpec& command = *find_command(name);
      return asks_for_help(rest) ? run_help({name}) : handler.run(parse_arguments(command, rest));
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
