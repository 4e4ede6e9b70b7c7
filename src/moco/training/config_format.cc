// Writing configurations, and the rules between values.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "moco/error.h"
#include "moco/model/parameters.h"
#include "moco/training/config_fields.h"

namespace moco {

namespace {

/// A TOML basic string.
std::string toml_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      result += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
    } else {
      result += c;
    }
  }
  return result + '"';
}

/// A float that TOML does not take for an integer; the shortest digits that give the same number back.
std::string real_text(double value) {
  std::string text = fmt::format("{}", value);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

/// The text of a field's value.
class Show {
 public:
  explicit Show(const TrainConfig& config) : config_(config) {}

  std::string operator()(FieldOf<int> at) const { return fmt::format("{}", at(config_)); }
  std::string operator()(FieldOf<std::uint64_t> at) const { return fmt::format("{}", at(config_)); }
  std::string operator()(FieldOf<double> at) const { return real_text(at(config_)); }
  std::string operator()(FieldOf<bool> at) const { return at(config_) ? "true" : "false"; }
  std::string operator()(FieldOf<std::string> at) const { return toml_string(at(config_)); }
  std::string operator()(FieldOf<std::vector<Index>> at) const { return fmt::format("{}", at(config_)); }

  std::string operator()(FieldOf<std::vector<std::string>> at) const {
    std::vector<std::string> words;
    for (const std::string& word : at(config_)) {
      words.push_back(toml_string(word));
    }
    return fmt::format("[{}]", fmt::join(words, ", "));
  }

  std::string operator()(FieldOf<Curve> at) const {
    std::vector<std::string> points;
    for (const CurvePoint& point : at(config_)) {
      points.push_back(fmt::format("[{}, {}]", real_text(point.share), real_text(point.value)));
    }
    return fmt::format("[{}]", fmt::join(points, ", "));
  }

  std::string operator()(const DeclaredField& field) const {
    const OptionDeclaration& option = *field.declaration;
    const std::string text = field.values(config_).text(option);
    return option.kind == OptionKind::choice ? toml_string(text)
           : option.kind == OptionKind::real ? real_text(field.values(config_).number(option))
                                             : text;
  }

  std::string operator()(const ChoiceField& choice) const { return toml_string(choice.get(config_)); }

 private:
  mutable TrainConfig config_;  // accessors give references that may be written to
};

void require(bool holds, std::string_view what) {
  if (!holds) {
    throw OptionError(std::string(what));
  }
}

}  // namespace

std::string format_train_config(const TrainConfig& config) {
  const Show show(config);
  std::string text;
  std::string_view section;
  for (const ConfigField& field : config_fields()) {
    if (field.section() != section) {
      section = field.section();
      text += fmt::format("\n[{}]\n", section);
    }
    if (field.applies_to(config)) {
      text += fmt::format("{} = {}\n", field.name(), std::visit(show, field.value));
    }
  }
  return text;
}

void validate(const TrainConfig& config) {
  validate(config.model);
  require(ParameterLayout(config.model).size() > 0,
          fmt::format("a model with init '{}' and rule '{}' has no weights to train", name_of(config.model.init),
                      name_of(config.model.rule)));
  const Problem& problem = find_problem(config.problem);
  validate(config.search.local_search, problem);
  validate(config.search.problem, problem.options(), problem.name());
  const Show given(config);
  const Show untouched{TrainConfig()};
  for (const ConfigField& field : config_fields()) {
    require(!field.model_option || field.applies_to(config) ||
                std::visit(given, field.value) == std::visit(untouched, field.value),
            fmt::format("{} is no option of models for {}", field.key, problem.name()));
  }
  if (config.data.files.empty() || !config.data.generator.kind.empty()) {
    const GeneratorKind& kind = find_generator(config.data.generator);
    validate(config.data.generator.own, kind.options, fmt::format("kind {}", kind.name));
  }
  require(config.first_step == 0 || !config.from.empty(), "first_step goes with from, a checkpoint to start from");
  require(config.first_step < config.steps,
          fmt::format("first_step {} is not before the run's end, step {}", config.first_step, config.steps));
  require(config.optimizer.anneal_from == 0 || config.optimizer.anneal_from < config.steps,
          fmt::format("optimizer.anneal_from {} is not before the run's end, step {}", config.optimizer.anneal_from,
                      config.steps));
  require(config.es.pairs % config.es.pairs_per_instance == 0,
          fmt::format("es.pairs_per_instance {} does not divide es.pairs {}", config.es.pairs_per_instance,
                      config.es.pairs));
  require(config.data.generator.max_nodes == 0 || config.data.nodes.size() == 1,
          "data.max_nodes goes with a single number in data.nodes");
  if (problem.solution_shape() == SolutionShape::order && config.data.files.empty()) {
    require(*std::ranges::min_element(config.data.nodes) >= 3, "data.nodes: a tour needs at least 3 cities");
  }
  for (const CurvePoint& point : config.search_steps) {
    require(config.least_search_steps <= point.value,
            fmt::format("search.least_steps {} is above search.steps {}", config.least_search_steps, point.value));
  }
}

}  // namespace moco
