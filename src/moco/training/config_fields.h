// The one table of configuration keys: name, type, range, meaning and where the value lives. The TOML reader and writer
// and the command line are made from it.
#pragma once

#include <limits>
#include <string_view>
#include <variant>
#include <vector>

#include "moco/problem.h"
#include "moco/training/config.h"

namespace moco {

/// A choice by its words.
struct ChoiceField {
  std::vector<std::string_view> words;
  std::string_view (*get)(const TrainConfig&);
  void (*set)(TrainConfig&, std::string_view);  ///< one of the words
};

/// An option that a problem or a generator declares.
struct DeclaredField {
  const OptionDeclaration* declaration;
  OptionValues& (*values)(TrainConfig&);
  /// The options that the configuration's own problem or generator declares.
  std::span<const OptionDeclaration> (*declared)(const TrainConfig&);

  bool applies_to(const TrainConfig& config) const {
    return find_option(declared(config), declaration->key) != nullptr;
  }
};

template <typename Value>
using FieldOf = Value& (*)(TrainConfig&);

struct ConfigField {
  std::string_view key;     ///< in files, with its section: "es.sigma"
  std::string_view option;  ///< on the command line: "sigma"
  std::variant<FieldOf<int>, FieldOf<std::uint64_t>, FieldOf<double>, FieldOf<bool>, FieldOf<std::string>,
               FieldOf<std::vector<Index>>, FieldOf<std::vector<std::string>>, FieldOf<Curve>, ChoiceField,
               DeclaredField>
      value;
  std::string_view help;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool model_option = false;  ///< one that only problems with that model option have

  /// Whether the key means something to the configuration's problem or generator.
  bool applies_to(const TrainConfig& config) const;

  std::string_view section() const { return key.substr(0, key.find('.') == key.npos ? 0 : key.find('.')); }
  std::string_view name() const { return key.substr(key.find('.') == key.npos ? 0 : key.find('.') + 1); }
};

/// All keys, grouped by section; those without a section come first.
const std::vector<ConfigField>& config_fields();

}  // namespace moco
