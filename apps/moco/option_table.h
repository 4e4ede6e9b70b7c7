// The declarative description of every command: the one place where arguments and options, their types, ranges,
// defaults and help texts live. The parser, `--help`, docs/cli.md, the man page and the completions are all made from
// it.
#pragma once

#include <limits>
#include <string_view>
#include <vector>

namespace moco::cli {

/// What the value of an option is.
enum class OptionType {
  flag,           ///< no value
  integer,        ///< whole number within [low, high]
  integers,       ///< such numbers, separated by commas
  real,           ///< finite number within [low, high]
  choice,         ///< one of `choices`
  text,           ///< anything
  optional_file,  ///< `--name` alone means standard output, `--name FILE` a file
};

/// Names that a value may be, beside what its placeholder says; for completions.
enum class NameKind { none, models, local_searches, generators, commands };

struct OptionSpec {
  std::string_view name;             ///< long name without the dashes
  std::string_view short_name = "";  ///< one letter, or empty
  OptionType type = OptionType::text;
  /// Placeholder of the value in help texts. What it may be, separated by |: words in small letters as they are typed,
  /// FILE, FOLDER, and others that only the help text explains.
  std::string_view value = "";
  NameKind names = NameKind::none;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  std::vector<std::string_view> choices = {};
  std::string_view fallback = "";  ///< the default as it would be typed; empty: none
  std::string_view group = "";     ///< heading in help texts; empty: same as the option before
  /// Generator kinds the option applies to, separated by spaces; empty: it always applies.
  std::string_view kinds = "";
  std::string_view help = "";
};

struct PositionalSpec {
  std::string_view name;
  bool repeated = false;  ///< one or more values instead of exactly one
  bool required = true;
  NameKind names = NameKind::none;
  std::vector<std::string_view> choices = {};
  std::string_view help = "";
};

struct ExampleSpec {
  std::string_view command;
  std::string_view explanation;
};

struct CommandSpec {
  std::string_view name;
  std::string_view summary;      ///< half a sentence for the list of commands
  std::string_view description;  ///< a paragraph for the command's own help
  std::vector<PositionalSpec> positionals = {};
  std::vector<OptionSpec> options = {};
  std::vector<ExampleSpec> examples = {};
};

/// All commands in the order in which help lists them.
const std::vector<CommandSpec>& command_table();

/// Their names, in this order.
std::vector<std::string_view> command_names();

/// The command of that name, or null.
const CommandSpec* find_command(std::string_view name);

}  // namespace moco::cli
