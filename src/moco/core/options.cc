// Lookup, checks and texts of declared options.
#include "moco/options.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "moco/error.h"

namespace moco {

namespace {

std::string number_text(double number) {
  return fmt::format("{}", number);
}

}  // namespace

std::string OptionDeclaration::command_line_name() const {
  std::string name(key);
  std::ranges::replace(name, '_', '-');
  return name;
}

std::string OptionDeclaration::fallback_text() const {
  const double* number = std::get_if<double>(&fallback);
  return number != nullptr ? number_text(*number) : std::string(std::get<std::string_view>(fallback));
}

OptionValues& OptionValues::set(std::string_view key, double number) {
  values_.insert_or_assign(std::string(key), number);
  return *this;
}

OptionValues& OptionValues::set(std::string_view key, std::string_view word) {
  values_.insert_or_assign(std::string(key), std::string(word));
  return *this;
}

OptionValues& OptionValues::merge(const OptionValues& others) {
  for (const auto& [key, value] : others.values_) {
    values_.insert_or_assign(key, value);
  }
  return *this;
}

void OptionValues::erase(std::string_view key) {
  if (const auto found = values_.find(key); found != values_.end()) {
    values_.erase(found);
  }
}

double OptionValues::number(const OptionDeclaration& option) const {
  const auto found = values_.find(option.key);
  return found == values_.end() ? std::get<double>(option.fallback) : std::get<double>(found->second);
}

std::string_view OptionValues::word(const OptionDeclaration& option) const {
  const auto found = values_.find(option.key);
  return found == values_.end() ? std::get<std::string_view>(option.fallback) : std::get<std::string>(found->second);
}

std::string OptionValues::text(const OptionDeclaration& option) const {
  return option.kind == OptionKind::choice ? std::string(word(option)) : number_text(number(option));
}

const OptionDeclaration* find_option(std::span<const OptionDeclaration> declared, std::string_view key) {
  const auto found = std::ranges::find(declared, key, &OptionDeclaration::key);
  return found == declared.end() ? nullptr : &*found;
}

void validate(const OptionDeclaration& option, const OptionValues::Value& value) {
  const auto* word = std::get_if<std::string>(&value);
  const auto* number = std::get_if<double>(&value);
  if (option.kind == OptionKind::choice) {
    if (word == nullptr || std::ranges::find(option.choices, *word) == option.choices.end()) {
      throw OptionError(fmt::format("{} {} is not one of {}", option.key,
                                    word == nullptr ? number_text(*number) : fmt::format("'{}'", *word),
                                    fmt::join(option.choices, ", ")));
    }
    return;
  }
  const bool whole = option.kind == OptionKind::real || (number != nullptr && *number == std::trunc(*number));
  if (number == nullptr || !std::isfinite(*number) || !whole || *number < option.low || *number > option.high) {
    const std::string range = range_in_words(option.low, option.high);
    throw OptionError(fmt::format("{} {} is not a {}number{}{}", option.key,
                                  number == nullptr ? fmt::format("'{}'", *word) : number_text(*number),
                                  option.kind == OptionKind::integer ? "whole " : "", range.empty() ? "" : " ", range));
  }
}

void validate(const OptionValues& values, std::span<const OptionDeclaration> declared, std::string_view owner) {
  for (const auto& [key, value] : values.all()) {
    const OptionDeclaration* option = find_option(declared, key);
    if (option == nullptr) {
      throw OptionError(fmt::format("{} has no option {}", owner, key));
    }
    validate(*option, value);
  }
}

std::string range_in_words(double low, double high) {
  if (std::isfinite(low) && std::isfinite(high)) {
    return fmt::format("from {} to {}", low, high);
  }
  return std::isfinite(low) ? fmt::format("of at least {}", low) : "";
}

}  // namespace moco
