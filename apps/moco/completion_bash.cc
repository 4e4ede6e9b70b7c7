// Completions for bash: one function that looks at the command, the option before the word and the word.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "completion.h"

namespace moco::cli {

namespace {

constexpr std::string_view kBegin = R"sh(# Completions of moco for bash, made by `moco help --completion bash`.

_moco() {
  local command=${COMP_WORDS[1]} current=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]}
  local words='' kinds='' found
  # The = of --option=value is a word of its own.
  if [[ $current == = ]]; then
    current=''
  elif [[ $option == = ]]; then
    option=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  if ((COMP_CWORD == 1)); then
    words='{COMMANDS}'
  else
    case "$command $option" in
)sh";

constexpr std::string_view kMiddle = R"sh(      *)
        case $command in
)sh";

constexpr std::string_view kEnd = R"sh(        esac
        ;;
    esac
  fi
  [[ $kinds != *models* ]] || words+=" $("${COMP_WORDS[0]}" models --names 2>/dev/null)"
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  if [[ $kinds == *files* || $kinds == *folders* ]]; then
    compopt -o filenames 2>/dev/null
    [[ $kinds == *files* ]] && found=-f || found=-d
    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen "$found" -- "$current")
  fi
}

complete -F _moco moco
)sh";

/// " words='auto cpu' kinds='models files'", or the command that does nothing.
std::string assignments(const Candidates& candidates) {
  std::vector<std::string_view> kinds;
  if (candidates.models) {
    kinds.push_back("models");
  }
  if (candidates.files) {
    kinds.push_back("files");
  }
  if (candidates.folders) {
    kinds.push_back("folders");
  }
  const std::string words =
      candidates.words.empty() ? "" : fmt::format(" words='{}'", fmt::join(candidates.words, " "));
  return candidates.none() ? " :" : words + (kinds.empty() ? "" : fmt::format(" kinds='{}'", fmt::join(kinds, " ")));
}

/// The line of an option's value. One without candidates has it too, so that nothing is offered.
std::string value_case(const CommandSpec& command, const OptionSpec& option) {
  std::string pattern = fmt::format("'{} --{}'", command.name, option.name);
  if (!option.short_name.empty()) {
    pattern += fmt::format(" | '{} -{}'", command.name, option.short_name);
  }
  return fmt::format("      {}){} ;;\n", pattern, assignments(candidates_of(option)));
}

std::string command_case(const CommandSpec& command) {
  std::string options = "--help";
  for (const OptionSpec& option : command.options) {
    options += fmt::format(" --{}", option.name);
  }
  const Candidates arguments = argument_candidates(command);
  return fmt::format("          {}){}\n            {} words='{}' kinds='' ;;\n", command.name, assignments(arguments),
                     arguments.none() ? "" : "[[ $current != -* ]] ||", options);
}

}  // namespace

std::string bash_completion() {
  std::string text(kBegin);
  const std::string_view mark = "{COMMANDS}";
  text.replace(text.find(mark), mark.size(), fmt::format("{} --help --version", fmt::join(command_names(), " ")));
  for (const CommandSpec& command : command_table()) {
    for (const OptionSpec& option : command.options) {
      if (option.type != OptionType::flag && option.type != OptionType::optional_file) {
        text += value_case(command, option);
      }
    }
  }
  text += kMiddle;
  for (const CommandSpec& command : command_table()) {
    text += command_case(command);
  }
  return text.append(kEnd);
}

}  // namespace moco::cli
