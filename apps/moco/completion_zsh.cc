// Completions for zsh: the specifications that _arguments reads, for each command.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "completion.h"
#include "help_text.h"

namespace moco::cli {

namespace {

constexpr std::string_view kBegin = R"sh(#compdef moco
# Completions of moco for zsh, made by `moco help --completion zsh`.

# What may be typed: words, and what the kinds named behind them stand for.
_moco_value() {
  local -a offered=(${=1})
  local kind
  (( $#offered == 0 )) || compadd -a offered
  for kind in ${argv[2,-1]}; do
    case $kind in
      models) compadd -- ${(f)"$(_call_program models moco models --names 2>/dev/null)"} ;;
      files) _files ;;
      folders) _files -/ ;;
    esac
  done
}

_moco() {
  local curcontext=$curcontext state line
  local -A opt_args
  local -a commands=(
)sh";

constexpr std::string_view kMiddle = R"sh(  )
  _arguments -C \
    '(- *)'{-h,--help}'[list the commands]' \
    '(- *)--version[print the version]' \
    '1: :->command' \
    '*:: :->argument'
  case $state in
    command) _describe command commands ;;
    argument)
      case $words[1] in
)sh";

constexpr std::string_view kEnd = R"sh(      esac
      ;;
  esac
}

_moco "$@"
)sh";

/// Between single quotes, with those characters escaped that mean something to the reader of the text.
std::string escaped(std::string_view text, std::string_view special) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
      continue;
    }
    if (special.find(c) != std::string_view::npos) {
      result += '\\';
    }
    result += c;
  }
  return result;
}

/// The space in front makes zsh call the function with these words and no others.
std::string action_of(const Candidates& candidates) {
  if (candidates.none()) {
    return " ";
  }
  return fmt::format(" _moco_value \"{}\"{}{}{}", fmt::join(candidates.words, " "), candidates.models ? " models" : "",
                     candidates.files ? " files" : "", candidates.folders ? " folders" : "");
}

/// "'(-o --output)'{-o+,--output=}'[help]:FILE:action'".
std::string option_spec(const OptionSpec& option) {
  const bool flag = option.type == OptionType::flag;
  const bool optional = option.type == OptionType::optional_file;
  const std::string long_name = fmt::format("--{}{}", option.name, flag ? "" : optional ? "=-" : "=");
  std::string rest = fmt::format("[{}]", escaped(brief(option.help), "[]\\:"));
  if (!flag) {
    const std::string value = option.value.empty() ? std::string(option.name) : std::string(option.value);
    rest += fmt::format("{}{}:{}", optional ? "::" : ":", escaped(value, "\\:"), action_of(candidates_of(option)));
  }
  if (option.short_name.empty()) {
    return fmt::format("'{}{}'", long_name, rest);
  }
  return fmt::format("'(-{0} --{1})'{{-{0}{2},{3}}}'{4}'", option.short_name, option.name, flag ? "" : "+", long_name,
                     rest);
}

std::string command_case(const CommandSpec& command) {
  std::string text = fmt::format("        {})\n          _arguments \\\n", command.name);
  for (const OptionSpec& option : command.options) {
    text += fmt::format("            {} \\\n", option_spec(option));
  }
  if (const Candidates arguments = argument_candidates(command); !arguments.none()) {
    text += fmt::format("            '*: :{}' \\\n", action_of(arguments));
  }
  return text + "            '(- *)'{-h,--help}'[explain the command]'\n          ;;\n";
}

}  // namespace

std::string zsh_completion() {
  std::string text(kBegin);
  for (const CommandSpec& command : command_table()) {
    text += fmt::format("    '{}:{}'\n", command.name, escaped(command.summary, ":\\"));
  }
  text += kMiddle;
  for (const CommandSpec& command : command_table()) {
    text += command_case(command);
  }
  return text.append(kEnd);
}

}  // namespace moco::cli
