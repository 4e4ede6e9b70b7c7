// Completions for fish: a line for each command, option and argument.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "completion.h"

namespace moco::cli {

namespace {

constexpr std::string_view kBegin = R"sh(# Completions of moco for fish, made by `moco help --completion fish`.

function __moco_models
    command moco models --names 2>/dev/null
end

complete -c moco -f
complete -c moco -n __fish_use_subcommand -s h -l help -d 'list the commands'
complete -c moco -n __fish_use_subcommand -l version -d 'print the version'
)sh";

std::string in_quotes(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') {
      result += '\\';
    }
    result += c;
  }
  return result + "'";
}

/// " -x -a 'auto (__moco_models)'": that a value is needed, and which are offered.
std::string value_of(const Candidates& candidates, bool needed) {
  std::string offered = fmt::format("{}", fmt::join(candidates.words, " "));
  if (candidates.models) {
    offered += " (__moco_models)";
  }
  if (candidates.folders) {
    offered += " (__fish_complete_directories)";
  }
  std::string text = candidates.files ? (needed ? " -r -F" : " -F") : (needed ? " -x" : "");
  return offered.empty() ? text : fmt::format("{} -a {}", text, in_quotes(offered));
}

std::string option_line(std::string_view start, const OptionSpec& option) {
  std::string text = fmt::format("{} -l {}", start, option.name);
  if (!option.short_name.empty()) {
    text += fmt::format(" -s {}", option.short_name);
  }
  if (option.type != OptionType::flag) {
    text += value_of(candidates_of(option), option.type != OptionType::optional_file);
  }
  return fmt::format("{} -d {}\n", text, in_quotes(brief(option.help)));
}

}  // namespace

std::string fish_completion() {
  std::string text(kBegin);
  for (const CommandSpec& command : command_table()) {
    text += fmt::format("complete -c moco -n __fish_use_subcommand -a {} -d {}\n", command.name,
                        in_quotes(command.summary));
  }
  for (const CommandSpec& command : command_table()) {
    const std::string start = fmt::format("complete -c moco -n '__fish_seen_subcommand_from {}'", command.name);
    text += "\n";
    if (const Candidates arguments = argument_candidates(command); !arguments.none()) {
      text += fmt::format("{}{}\n", start, value_of(arguments, false));
    }
    for (const OptionSpec& option : command.options) {
      text += option_line(start, option);
    }
    text += fmt::format("{} -s h -l help -d 'explain the command'\n", start);
  }
  return text;
}

}  // namespace moco::cli
