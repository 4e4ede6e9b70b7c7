// Pieces of text readers: lines with numbers, tokens, and locale-free number parsing with errors that name the place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace moco {

/// Walks over the lines of a text. Accepts LF and CRLF and skips a UTF-8 byte order mark.
class LineReader {
 public:
  explicit LineReader(std::string_view text);

  /// Moves to the next line; false at the end of the text. A final line break does not start another line.
  bool next();
  /// The current line without its line break.
  std::string_view line() const { return line_; }
  /// 1-based number of the current line.
  std::int64_t number() const { return number_; }

 private:
  std::string_view rest_;
  std::string_view line_;
  std::int64_t number_ = 0;
};

bool is_blank(char c);
/// The text without blanks at both ends.
std::string_view trim(std::string_view text);
/// Takes the next blank-separated token off `rest`; empty when only blanks are left.
std::string_view next_token(std::string_view& rest);
/// All tokens between blanks.
std::vector<std::string_view> tokens_of(std::string_view text);
std::string to_upper(std::string_view text);
std::string to_lower(std::string_view text);
/// A token in quotes for a message: shortened when long, with unprintable bytes replaced.
std::string in_quotes(std::string_view token);

/// The token as a number. Nothing when it is not one, or not finite, or does not fit.
std::optional<double> parse_real(std::string_view token);
std::optional<std::int64_t> parse_integer(std::string_view token);

/// A line of a file, to blame in messages.
struct SourceLine {
  std::string_view file;
  std::int64_t line = 0;

  [[noreturn]] void fail(std::string_view what) const;
  /// The token as a finite number or integer; otherwise an error such as "x coordinate 'abc' is not a number".
  double real(std::string_view token, std::string_view what) const;
  std::int64_t integer(std::string_view token, std::string_view what) const;
};

}  // namespace moco
