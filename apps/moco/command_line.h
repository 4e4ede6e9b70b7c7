// Parsing of a command's arguments after its table, and typed access to the values.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "moco/error.h"
#include "option_table.h"

namespace moco::cli {

/// The parts of a text between commas; an empty text has one empty part.
std::vector<std::string_view> comma_separated(std::string_view text);

/// The command line cannot be understood or asks for something that is not there: one line, exit status 2.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// The arguments of one command. Values were checked against the table, so that reading them cannot fail; asking for a
/// name or type that the table does not have is a programming error (std::logic_error).
class Arguments {
 public:
  Arguments(const CommandSpec& command, std::map<std::string, std::vector<std::string>, std::less<>> values);

  /// Whether the user gave the option.
  bool given(std::string_view name) const;
  bool flag(std::string_view name) const { return given(name); }
  std::int64_t integer(std::string_view name) const;
  std::vector<std::int64_t> integers(std::string_view name) const;
  double real(std::string_view name) const;
  /// Value of a text or choice option, or its default; empty when there is neither. For an option of type
  /// optional_file: "-" for standard output.
  std::string text(std::string_view name) const;
  const std::string& positional(std::string_view name) const { return positionals(name).front(); }
  const std::vector<std::string>& positionals(std::string_view name) const;

 private:
  std::string value_of(std::string_view name) const;

  const CommandSpec* command_;
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

/// Whether `words` ask for the help of their command.
bool asks_for_help(const std::vector<std::string>& words);

/// Parses the words after the command's name. Throws UsageError.
Arguments parse_arguments(const CommandSpec& command, std::vector<std::string> words);

/// " (did you mean 'x'?)" with the candidate closest to `word`, or nothing when none is close.
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

/// The range of a number as words, such as "from 1 to 10" or "of at least 0"; empty when there is none.
std::string range_in_words(const OptionSpec& option);

}  // namespace moco::cli
