// Options that their owner declares — a problem, a generator — and their values. The command line, training
// configurations, help and docs show them from the declarations.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace moco {

enum class OptionKind { integer, real, choice };

/// What a problem's option has a say in.
enum class OptionUse { graph, construction, local_search, start };

struct OptionDeclaration {
  std::string_view key;  ///< as in files: "dead_end"; on the command line "--dead-end"
  OptionKind kind = OptionKind::integer;
  std::variant<double, std::string_view> fallback;  ///< a number, or for choices a word
  std::string_view help;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  std::vector<std::string_view> choices = {};
  OptionUse use = OptionUse::construction;
  std::string_view short_name = "";  ///< one letter on the command line, or empty

  /// "dead-end".
  std::string command_line_name() const;
  /// The default as it would be typed.
  std::string fallback_text() const;
};

/// Values of options by key. What is not there has its default.
class OptionValues {
 public:
  using Value = std::variant<double, std::string>;

  OptionValues& set(std::string_view key, double number);
  OptionValues& set(std::string_view key, std::string_view word);
  /// Takes over every value of the others.
  OptionValues& merge(const OptionValues& others);
  void erase(std::string_view key);

  bool has(std::string_view key) const { return values_.contains(key); }
  const std::map<std::string, Value, std::less<>>& all() const { return values_; }

  double number(const OptionDeclaration& option) const;
  int integer(const OptionDeclaration& option) const { return static_cast<int>(number(option)); }
  std::string_view word(const OptionDeclaration& option) const;
  /// The value, or the default, as it would be typed.
  std::string text(const OptionDeclaration& option) const;

  friend bool operator==(const OptionValues&, const OptionValues&) = default;

 private:
  std::map<std::string, Value, std::less<>> values_;
};

/// The declaration of a key, or null.
const OptionDeclaration* find_option(std::span<const OptionDeclaration> declared, std::string_view key);

/// Throws OptionError unless a value is one that the declaration allows; the message says which are.
void validate(const OptionDeclaration& option, const OptionValues::Value& value);

/// Throws OptionError when a value is out of range, or belongs to no option declared; `owner` names who declares them.
void validate(const OptionValues& values, std::span<const OptionDeclaration> declared, std::string_view owner);

/// "from 1 to 10", "of at least 0", or nothing.
std::string range_in_words(double low, double high);

}  // namespace moco
