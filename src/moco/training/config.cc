// Reading and writing configurations after the table of fields.
#include "moco/training/config.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include "moco/core/files.h"
#include "moco/error.h"
#include "moco/model/parameters.h"
#include "moco/training/config_fields.h"

namespace moco {

namespace {

/// What a value must be, for messages.
std::string range_of(const ConfigField& field) {
  const std::string range = range_in_words(field.low, field.high);
  return range.empty() ? "" : " " + range;
}

std::string shown(const toml::node& node) {
  std::string text;
  node.visit([&](const auto& value) {
    if constexpr (toml::is_value<decltype(value)>) {
      if constexpr (toml::is_string<decltype(value)>) {
        text = fmt::format("'{}'", value.get());
      } else if constexpr (toml::is_number<decltype(value)> || toml::is_boolean<decltype(value)>) {
        text = fmt::format("{}", value.get());
      } else {
        text = "a date or time";
      }
    } else {
      text = toml::is_array<decltype(value)> ? "this list" : "a table";
    }
  });
  return text;
}

/// Writes the value of a TOML node to its place; throws OptionError with what is wrong, without the key.
class Assign {
 public:
  Assign(const ConfigField& field, TrainConfig& config, const toml::node& node)
      : field_(field), config_(config), node_(node) {}

  void operator()(FieldOf<int> at) const { at(config_) = static_cast<int>(integer(node_)); }
  void operator()(FieldOf<std::uint64_t> at) const { at(config_) = static_cast<std::uint64_t>(integer(node_)); }
  void operator()(FieldOf<double> at) const { at(config_) = real(node_); }
  void operator()(FieldOf<std::string> at) const { at(config_) = word(node_); }

  void operator()(FieldOf<bool> at) const {
    if (!node_.is_boolean()) {
      refuse(node_, "true or false");
    }
    at(config_) = node_.as_boolean()->get();
  }

  void operator()(FieldOf<std::vector<Index>> at) const {
    std::vector<Index> values;
    for (const toml::node* item : items(node_)) {
      values.push_back(static_cast<Index>(integer(*item)));
    }
    if (values.empty()) {
      refuse(node_, "a number or a list of numbers");
    }
    at(config_) = std::move(values);
  }

  void operator()(FieldOf<std::vector<std::string>> at) const {
    std::vector<std::string> values;
    for (const toml::node* item : items(node_)) {
      values.push_back(word(*item));
    }
    at(config_) = std::move(values);
  }

  void operator()(FieldOf<Curve> at) const {
    Curve curve;
    if (!node_.is_array()) {
      curve.push_back({0.0, real(node_)});
    }
    for (const toml::node* item : node_.is_array() ? items(node_) : std::vector<const toml::node*>{}) {
      const toml::array* point = item->as_array();
      if (point == nullptr || point->size() != 2 || !point->get(0)->is_number() || !point->get(1)->is_number()) {
        refuse(*item, "a point [share of the run, value]");
      }
      const double share = *point->get(0)->value<double>();
      const double before = curve.empty() ? 0.0 : curve.back().share;
      if (!(share >= before && share <= 1.0)) {
        refuse(*point->get(0), "a share of the run: they ascend from 0 to 1");
      }
      curve.push_back({share, real(*point->get(1))});
    }
    if (curve.empty()) {
      refuse(node_, "a number or a list of points");
    }
    at(config_) = std::move(curve);
  }

  void operator()(const DeclaredField& field) const {
    const OptionDeclaration& option = *field.declaration;
    OptionValues& values = field.values(config_);
    if (option.kind == OptionKind::choice) {
      const std::string text = node_.is_string() ? node_.as_string()->get() : "";
      if (std::ranges::find(option.choices, text) == option.choices.end()) {
        refuse(node_, fmt::format("one of {}", fmt::join(option.choices, ", ")));
      }
      values.set(option.key, text);
    } else {
      values.set(option.key, option.kind == OptionKind::integer ? static_cast<double>(integer(node_)) : real(node_));
    }
  }

  void operator()(const ChoiceField& choice) const {
    const std::string text = node_.is_string() ? node_.as_string()->get() : "";
    const auto found = std::ranges::find(choice.words, text);
    if (found == choice.words.end()) {
      refuse(node_, fmt::format("one of {}", fmt::join(choice.words, ", ")));
    }
    choice.set(config_, text);
  }

 private:
  [[noreturn]] static void refuse(const toml::node& node, std::string_view wanted) {
    throw OptionError(fmt::format("{} is not {}", shown(node), wanted));
  }

  static std::vector<const toml::node*> items(const toml::node& node) {
    if (const toml::array* array = node.as_array()) {
      std::vector<const toml::node*> all;
      for (const toml::node& item : *array) {
        all.push_back(&item);
      }
      return all;
    }
    return {&node};
  }

  bool within(double value) const { return std::isfinite(value) && value >= field_.low && value <= field_.high; }

  std::int64_t integer(const toml::node& node) const {
    if (!node.is_integer() || !within(static_cast<double>(node.as_integer()->get()))) {
      refuse(node, fmt::format("a whole number{}", range_of(field_)));
    }
    return node.as_integer()->get();
  }

  double real(const toml::node& node) const {
    if (!node.is_number() || !within(*node.value<double>())) {
      refuse(node, fmt::format("a number{}", range_of(field_)));
    }
    return *node.value<double>();
  }

  static std::string word(const toml::node& node) {
    if (!node.is_string()) {
      refuse(node, "a text in quotes");
    }
    return node.as_string()->get();
  }

  const ConfigField& field_;
  TrainConfig& config_;
  const toml::node& node_;
};

const ConfigField* find_field(std::string_view key) {
  const auto& fields = config_fields();
  const auto found = std::ranges::find(fields, key, &ConfigField::key);
  return found == fields.end() ? nullptr : &*found;
}

// Older files call the elite "pool".
constexpr std::string_view kOlderWord = "pool";
const toml::value<std::string> kNewerWord("elite");

void read_entry(TrainConfig& config, const std::string& key, const toml::node& node, const std::string& name) {
  const auto line = static_cast<std::int64_t>(node.source().begin.line);
  const ConfigField* field = find_field(key == "model.pool" ? "model.elite" : key);
  if (field == nullptr) {
    throw InputError(name, line, fmt::format("unknown key '{}'", key));
  }
  try {
    const bool older = key == "es.loss" && node.value<std::string_view>() == kOlderWord;
    std::visit(Assign(*field, config, older ? static_cast<const toml::node&>(kNewerWord) : node), field->value);
  } catch (const OptionError& error) {
    throw InputError(name, line, fmt::format("{}: {}", key, error.what()));
  }
}

bool is_section(std::string_view name) {
  return std::ranges::any_of(config_fields(), [&](const ConfigField& field) { return field.section() == name; });
}

/// Configurations that were written when every key was, whatever the problem, have others' keys at their defaults.
void drop_foreign_defaults(TrainConfig& config) {
  for (const ConfigField& field : config_fields()) {
    const auto* declared = std::get_if<DeclaredField>(&field.value);
    if (declared == nullptr) {
      continue;
    }
    OptionValues& values = declared->values(config);
    const OptionDeclaration& option = *declared->declaration;
    if (values.has(option.key) && !declared->applies_to(config) && values.text(option) == OptionValues().text(option)) {
      values.erase(option.key);
    }
  }
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end > begin) {
      parts.emplace_back(text.substr(begin, end - begin));
    }
    begin = end + 1;
  }
  return parts;
}

}  // namespace

TrainConfig parse_train_config(std::string_view text, const std::string& name) {
  TrainConfig config;
  try {
    const toml::table table = toml::parse(text, name);
    for (const auto& [key, node] : table) {
      const std::string section(key.str());
      if (!node.is_table() || !is_section(section)) {
        read_entry(config, section, node, name);
        continue;
      }
      for (const auto& [inner, value] : *node.as_table()) {
        read_entry(config, fmt::format("{}.{}", section, inner.str()), value, name);
      }
    }
  } catch (const toml::parse_error& error) {
    throw InputError(name, static_cast<std::int64_t>(error.source().begin.line), error.description());
  }
  try {
    drop_foreign_defaults(config);
    validate(config);
  } catch (const OptionError& error) {
    throw InputError(name, error.what());
  }
  return config;
}

void set_problem(TrainConfig& config, std::string_view problem) {
  config.problem = problem;
  config.model.family = find_problem(problem).family();
  config.data.generator.problem = problem;
}

TrainConfig load_train_config(const std::filesystem::path& file) {
  return parse_train_config(read_file(file), file.string());
}

void set_value(TrainConfig& config, std::string_view key, std::string_view value) {
  const ConfigField* field = find_field(key);
  if (field == nullptr) {
    throw OptionError(fmt::format("unknown key '{}'", key));
  }
  const auto assign = [&](const toml::node& node) {
    try {
      std::visit(Assign(*field, config, node), field->value);
    } catch (const OptionError& error) {
      throw OptionError(fmt::format("{}: {}", key, error.what()));
    }
  };
  const auto* declared = std::get_if<DeclaredField>(&field->value);
  if (std::holds_alternative<FieldOf<std::string>>(field->value) || std::holds_alternative<ChoiceField>(field->value) ||
      (declared != nullptr && declared->declaration->kind == OptionKind::choice)) {
    assign(toml::value<std::string>(std::string(value)));
  } else if (std::holds_alternative<FieldOf<std::vector<std::string>>>(field->value)) {
    toml::array words;
    for (std::string& word : split(value)) {
      words.push_back(std::move(word));
    }
    assign(words);
  } else {
    toml::table table;
    try {
      table = toml::parse(fmt::format("value = {}", value));
    } catch (const toml::parse_error&) {
      throw OptionError(fmt::format("{}: '{}' is not a value", key, value));
    }
    assign(*table.get("value"));
  }
}

}  // namespace moco
