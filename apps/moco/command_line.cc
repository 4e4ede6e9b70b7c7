// Parsing: CLI11 splits the words into options and arguments, the table says what each value must be.
#include "command_line.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "moco/core/files.h"
#include "moco/options.h"

namespace moco::cli {

namespace {

using Values = std::map<std::string, std::vector<std::string>, std::less<>>;

template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
  }
  Number number{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc{} || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return number;
}

bool within(const OptionSpec& option, double value) {
  return std::isfinite(value) && value >= option.low && value <= option.high;
}

std::string quoted_list(const std::vector<std::string_view>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

/// Throws unless `value` is what the table asks for.
void check_value(const OptionSpec& option, const std::string& value) {
  if (option.type == OptionType::integer) {
    const auto number = parse_number<std::int64_t>(value);
    if (!number || !within(option, static_cast<double>(*number))) {
      throw UsageError(
          fmt::format("--{} must be a whole number {}, not '{}'", option.name, range_in_words(option), value));
    }
  } else if (option.type == OptionType::integers) {
    for (const std::string_view part : comma_separated(value)) {
      const auto number = parse_number<std::int64_t>(part);
      if (!number || !within(option, static_cast<double>(*number))) {
        throw UsageError(fmt::format("--{} must be whole numbers {}, separated by commas, not '{}'", option.name,
                                     range_in_words(option), value));
      }
    }
  } else if (option.type == OptionType::real) {
    const auto number = parse_number<double>(value);
    if (!number || !within(option, *number)) {
      const std::string range = range_in_words(option);
      throw UsageError(
          fmt::format("--{} must be a number{}{}, not '{}'", option.name, range.empty() ? "" : " ", range, value));
    }
  } else if (option.type == OptionType::choice) {
    if (std::ranges::find(option.choices, value) == option.choices.end()) {
      const std::vector<std::string> candidates(option.choices.begin(), option.choices.end());
      throw UsageError(fmt::format("--{} must be one of {}, not '{}'{}", option.name, quoted_list(option.choices),
                                   value, suggestion(value, candidates)));
    }
  } else if (option.type != OptionType::flag && value.empty()) {
    throw UsageError(fmt::format("--{} needs a value that is not empty", option.name));
  }
}

void check_positional(const CommandSpec& command, const PositionalSpec& positional,
                      const std::vector<std::string>& words) {
  if (words.empty() && positional.required) {
    throw UsageError(
        fmt::format("{}: {} is missing (see 'moco {} --help')", command.name, positional.name, command.name));
  }
  for (const std::string& word : words) {
    if (word.empty()) {
      throw UsageError(fmt::format("{}: {} must not be empty", command.name, positional.name));
    }
    if (!positional.choices.empty() && std::ranges::find(positional.choices, word) == positional.choices.end()) {
      const std::vector<std::string> candidates(positional.choices.begin(), positional.choices.end());
      throw UsageError(fmt::format("{}: {} must be one of {}, not '{}'{}", command.name, positional.name,
                                   quoted_list(positional.choices), word, suggestion(word, candidates)));
    }
  }
}

/// Gives every optional value its explicit form: `--json` becomes `--json=-` and `--json x.jsonl` `--json=x.jsonl`.
/// A following word is taken only when it looks like the output, so that `--json a.tsp` never overwrites an instance.
std::vector<std::string> with_explicit_values(const CommandSpec& command, const std::vector<std::string>& words) {
  const auto is_output_name = [](std::string_view word) {
    return word == "-" || name_ends_with(word, ".json") || name_ends_with(word, ".jsonl");
  };
  std::vector<std::string> result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--") {
      result.insert(result.end(), words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
      break;
    }
    const bool optional_value = std::ranges::any_of(command.options, [&](const OptionSpec& option) {
      return option.type == OptionType::optional_file && words[i] == fmt::format("--{}", option.name);
    });
    if (!optional_value) {
      result.push_back(words[i]);
    } else if (i + 1 < words.size() && is_output_name(words[i + 1])) {
      result.push_back(words[i] + "=" + words[i + 1]);
      ++i;
    } else {
      result.push_back(words[i] + "=-");
    }
  }
  return result;
}

[[noreturn]] void refuse_leftover(const CommandSpec& command, const std::string& word) {
  if (!word.starts_with('-')) {
    throw UsageError(
        fmt::format("{}: unexpected argument '{}' (see 'moco {} --help')", command.name, word, command.name));
  }
  std::vector<std::string> candidates;
  for (const OptionSpec& option : command.options) {
    candidates.push_back(fmt::format("--{}", option.name));
  }
  const std::string name = word.substr(0, word.find('='));
  std::string hint = suggestion(name.starts_with("--") ? name : "-" + name, candidates);
  if (hint.empty()) {
    hint = fmt::format(" (see 'moco {} --help')", command.name);
  }
  throw UsageError(fmt::format("{}: unknown option '{}'{}", command.name, name, hint));
}

/// Number of single-character edits between two words; swapping neighbours counts as one.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> current(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({last[j] + 1, current[j - 1] + 1, change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        current[j] = std::min(current[j], before_last[j - 2] + 1);
      }
    }
    std::swap(before_last, last);
    std::swap(last, current);
  }
  return last[b.size()];
}

const OptionSpec& option_spec(const CommandSpec& command, std::string_view name) {
  const auto found = std::ranges::find(command.options, name, &OptionSpec::name);
  if (found == command.options.end()) {
    throw std::logic_error(fmt::format("command {} has no option --{}", command.name, name));
  }
  return *found;
}

}  // namespace

std::vector<std::string_view> comma_separated(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t end = text.find(','); end != std::string_view::npos; end = text.find(',')) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.push_back(text);
  return parts;
}

Arguments::Arguments(const CommandSpec& command, Values values) : command_(&command), values_(std::move(values)) {}

bool Arguments::given(std::string_view name) const {
  option_spec(*command_, name);
  return values_.contains(name);
}

std::string Arguments::value_of(std::string_view name) const {
  const OptionSpec& option = option_spec(*command_, name);
  const auto found = values_.find(name);
  return found == values_.end() ? std::string(option.fallback) : found->second.front();
}

std::int64_t Arguments::integer(std::string_view name) const {
  return parse_number<std::int64_t>(value_of(name)).value();
}

std::vector<std::int64_t> Arguments::integers(std::string_view name) const {
  std::vector<std::int64_t> numbers;
  const std::string value = value_of(name);
  for (const std::string_view part : comma_separated(value)) {
    numbers.push_back(parse_number<std::int64_t>(part).value());
  }
  return numbers;
}

double Arguments::real(std::string_view name) const {
  return parse_number<double>(value_of(name)).value();
}

std::string Arguments::text(std::string_view name) const {
  return value_of(name);
}

const std::vector<std::string>& Arguments::positionals(std::string_view name) const {
  return values_.find(name)->second;
}

bool asks_for_help(const std::vector<std::string>& words) {
  const auto end = std::ranges::find(words, "--");
  return std::any_of(words.begin(), end, [](const std::string& word) { return word == "-h" || word == "--help"; });
}

Arguments parse_arguments(const CommandSpec& command, std::vector<std::string> words) {
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  Values values;
  for (const PositionalSpec& positional : command.positionals) {
    auto* option = app.add_option(std::string(positional.name), values[std::string(positional.name)]);
    option->expected(1, positional.repeated ? CLI::detail::expected_max_vector_size : 1);
    option->allow_extra_args(positional.repeated);
  }
  std::map<std::string_view, CLI::Option*> parsed;
  for (const OptionSpec& option : command.options) {
    const std::string names = option.short_name.empty() ? fmt::format("--{}", option.name)
                                                        : fmt::format("-{},--{}", option.short_name, option.name);
    if (option.type == OptionType::flag) {
      parsed[option.name] = app.add_flag(names)->disable_flag_override();
    } else {
      auto* added = app.add_option(names, values[std::string(option.name)]);
      added->expected(1)->allow_extra_args(false)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
      parsed[option.name] = added;
    }
  }

  words = with_explicit_values(command, words);
  std::ranges::reverse(words);
  try {
    app.parse(words);
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string_view message = error.what();
    if (!message.starts_with('-')) {  // a flag, named without its dashes
      throw UsageError(
          fmt::format("{}: --{} takes no value", command.name, message.substr(0, message.find_first_of(": "))));
    }
    throw UsageError(fmt::format("{}: {} needs a value", command.name, message.substr(0, message.find_first_of(": "))));
  } catch (const CLI::ParseError& error) {
    throw UsageError(fmt::format("{}: {}", command.name, error.what()));
  }
  for (const std::string& leftover : app.remaining()) {
    if (leftover != "--") {
      refuse_leftover(command, leftover);
    }
  }

  for (const OptionSpec& option : command.options) {
    if (parsed[option.name]->count() == 0) {
      values.erase(std::string(option.name));
      continue;
    }
    auto& given = values[std::string(option.name)];
    if (given.size() > 1) {
      throw UsageError(fmt::format("{}: --{} is given more than once", command.name, option.name));
    }
    for (const std::string& value : given) {
      check_value(option, value);
    }
  }
  for (const PositionalSpec& positional : command.positionals) {
    check_positional(command, positional, values[std::string(positional.name)]);
  }
  return {command, std::move(values)};
}

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
  std::size_t closest = std::max<std::size_t>(1, word.size() / 3) + 1;
  std::string_view best;
  for (const std::string& candidate : candidates) {
    if (const std::size_t distance = edit_distance(word, candidate); distance < closest) {
      closest = distance;
      best = candidate;
    }
  }
  return best.empty() ? "" : fmt::format(" (did you mean '{}'?)", best);
}

std::string range_in_words(const OptionSpec& option) {
  return moco::range_in_words(option.low, option.high);
}

}  // namespace moco::cli
