// From the option table to words.
#include "help_text.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command_line.h"

namespace moco::cli {

std::string exit_status_text() {
  std::vector<std::string> parts;
  std::ranges::transform(kExitStatuses, std::back_inserter(parts),
                         [](const ExitStatusSpec& spec) { return fmt::format("{} {}", spec.status, spec.meaning); });
  return fmt::format("{}.", fmt::join(parts, "; "));
}

std::string option_names(const OptionSpec& option) {
  return option.short_name.empty() ? fmt::format("--{}", option.name)
                                   : fmt::format("-{}, --{}", option.short_name, option.name);
}

std::string placeholder(const OptionSpec& option) {
  if (option.type == OptionType::flag) {
    return "";
  }
  if (option.type == OptionType::optional_file) {
    return fmt::format("[{}]", option.value);
  }
  return option.value.empty() ? fmt::format("{}", fmt::join(option.choices, "|")) : std::string(option.value);
}

std::string spelled_names(const OptionSpec& option) {
  const std::string value = placeholder(option);
  return fmt::format("{}{}{}", option_names(option), value.empty() ? "" : " ", value);
}

std::string short_range(const OptionSpec& option) {
  const std::string range = range_in_words(option);
  return range.starts_with("of ") ? range.substr(3) : range;
}

std::string full_meaning(const OptionSpec& option) {
  std::vector<std::string> facts;
  if (!option.kinds.empty()) {
    std::string kinds(option.kinds);
    std::ranges::replace(kinds, ' ', ',');
    facts.push_back(fmt::format("kind {}", kinds));
  }
  if (!option.choices.empty() && !option.value.empty()) {
    facts.push_back(fmt::format("{}", fmt::join(option.choices, ", ")));
  }
  if (const std::string range = short_range(option); !range.empty()) {
    facts.push_back(range);
  }
  if (!option.fallback.empty()) {
    facts.push_back(fmt::format("default {}", option.fallback));
  }
  return facts.empty() ? std::string(option.help) : fmt::format("{} ({})", option.help, fmt::join(facts, "; "));
}

std::string spelled_name(const PositionalSpec& positional) {
  return fmt::format("{}{}", positional.name, positional.repeated ? "…" : "");
}

std::string usage_of(const CommandSpec& command) {
  std::string text = fmt::format("moco {}", command.name);
  for (const PositionalSpec& positional : command.positionals) {
    const std::string name =
        positional.choices.empty() ? spelled_name(positional) : fmt::format("{}", fmt::join(positional.choices, "|"));
    text += positional.required ? fmt::format(" {}", name) : fmt::format(" [{}]", name);
  }
  return text + " [OPTIONS]";
}

}  // namespace moco::cli
