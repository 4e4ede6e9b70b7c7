// Lines, tokens and numbers of text files.
#include "moco/formats/text.h"

#include <charconv>
#include <cmath>
#include <system_error>

#include <fmt/format.h>

#include "moco/error.h"

namespace moco {

namespace {

template <typename Number>
std::errc convert(std::string_view token, Number& value) {
  if (token.starts_with('+') && token.size() > 1 && token[1] != '-') {
    token.remove_prefix(1);
  }
  const char* end = token.data() + token.size();
  const auto [stop, code] = std::from_chars(token.data(), end, value);
  return code == std::errc() && stop != end ? std::errc::invalid_argument : code;
}

template <typename Convert>
std::string map_characters(std::string_view text, Convert convert_character) {
  std::string result(text);
  for (char& c : result) {
    c = convert_character(c);
  }
  return result;
}

}  // namespace

LineReader::LineReader(std::string_view text) : rest_(text) {
  if (rest_.starts_with("\xEF\xBB\xBF")) {
    rest_.remove_prefix(3);
  }
}

bool LineReader::next() {
  if (rest_.empty()) {
    return false;
  }
  const std::size_t end = rest_.find('\n');
  line_ = rest_.substr(0, end);
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  if (line_.ends_with('\r')) {
    line_.remove_suffix(1);
  }
  ++number_;
  return true;
}

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && is_blank(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

std::string_view next_token(std::string_view& rest) {
  std::size_t begin = 0;
  while (begin < rest.size() && is_blank(rest[begin])) {
    ++begin;
  }
  std::size_t end = begin;
  while (end < rest.size() && !is_blank(rest[end])) {
    ++end;
  }
  const std::string_view token = rest.substr(begin, end - begin);
  rest.remove_prefix(end);
  return token;
}

std::vector<std::string_view> tokens_of(std::string_view text) {
  std::vector<std::string_view> tokens;
  for (std::string_view token = next_token(text); !token.empty(); token = next_token(text)) {
    tokens.push_back(token);
  }
  return tokens;
}

std::string to_upper(std::string_view text) {
  return map_characters(text, [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
}

std::string to_lower(std::string_view text) {
  return map_characters(text, [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
}

std::string in_quotes(std::string_view token) {
  constexpr std::size_t longest = 40;
  const bool cut = token.size() > longest;
  std::string printable =
      map_characters(token.substr(0, longest), [](char c) { return c >= ' ' && c <= '~' ? c : '?'; });
  return fmt::format("'{}{}'", printable, cut ? "..." : "");
}

std::optional<double> parse_real(std::string_view token) {
  double value = 0.0;
  if (convert(token, value) != std::errc() || !std::isfinite(value)) {
    return std::nullopt;
  }
  return value;
}

std::optional<std::int64_t> parse_integer(std::string_view token) {
  std::int64_t value = 0;
  if (convert(token, value) != std::errc()) {
    return std::nullopt;
  }
  return value;
}

void SourceLine::fail(std::string_view what) const {
  throw InputError(file, line, what);
}

double SourceLine::real(std::string_view token, std::string_view what) const {
  double value = 0.0;
  const std::errc code = convert(token, value);
  if (code == std::errc::result_out_of_range) {
    fail(fmt::format("{} {} is out of range", what, in_quotes(token)));
  }
  if (code != std::errc()) {
    fail(fmt::format("{} {} is not a number", what, in_quotes(token)));
  }
  if (!std::isfinite(value)) {
    fail(fmt::format("{} {} is not finite", what, in_quotes(token)));
  }
  return value;
}

std::int64_t SourceLine::integer(std::string_view token, std::string_view what) const {
  std::int64_t value = 0;
  const std::errc code = convert(token, value);
  if (code == std::errc::result_out_of_range) {
    fail(fmt::format("{} {} is out of range", what, in_quotes(token)));
  }
  if (code != std::errc()) {
    fail(fmt::format("{} {} is not an integer", what, in_quotes(token)));
  }
  return value;
}

}  // namespace moco
