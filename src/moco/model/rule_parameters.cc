// The table of numbers that only some update rules have.
#include "moco/model/rule_parameters.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "moco/error.h"

namespace moco {

namespace {

std::string with(std::string_view key, char space) {
  std::string words(key);
  std::ranges::replace(words, '_', space);
  return words;
}

}  // namespace

bool RuleParameter::is_of(UpdateRule rule) const {
  return std::ranges::find(rules, rule) != rules.end();
}

std::string RuleParameter::command_line_name() const {
  return with(key, '-');
}

std::span<const RuleParameter> rule_parameters() {
  static const std::vector<UpdateRule> pheromones = {UpdateRule::ant_system, UpdateRule::max_min};
  static const std::vector<RuleParameter> table = {
      {"learning_rate",
       {UpdateRule::adam},
       "rule adam: its learning rate",
       1e-9,
       1e6,
       &ModelConfig::learning_rate,
       &ModelChanges::learning_rate},
      {"evaporation", pheromones, "rules ant-system and max-min: share of the pheromone that a step takes away", 1e-9,
       1.0, &ModelConfig::evaporation, &ModelChanges::evaporation},
      {"elitist_weight",
       {UpdateRule::ant_system},
       "rule ant-system: what the best solution so far deposits, as a multiple of what all samples of a step do "
       "together",
       0.0,
       1e6,
       &ModelConfig::elitist_weight,
       &ModelChanges::elitist_weight},
      {"trail_weight", pheromones, "rules ant-system and max-min: exponent α of the pheromone", 0.0, 1000.0,
       &ModelConfig::trail_weight, &ModelChanges::trail_weight},
      {"visibility_weight", pheromones,
       "rules ant-system and max-min: exponent β of what the beginning says of a choice", 0.0, 1000.0,
       &ModelConfig::visibility_weight, &ModelChanges::visibility_weight}};
  return table;
}

void require_rule(const RuleParameter& parameter, UpdateRule rule) {
  if (!parameter.is_of(rule)) {
    std::vector<std::string_view> names;
    std::ranges::transform(parameter.rules, std::back_inserter(names), name_of<UpdateRule>);
    throw OptionError(fmt::format("the {} is one of {} {}", with(parameter.key, ' '),
                                  names.size() == 1 ? "rule" : "rules", fmt::join(names, " and ")));
  }
}

void validate_rule_parameters(const ModelConfig& config) {
  for (const RuleParameter& parameter : rule_parameters()) {
    const double value = config.*parameter.value;
    if (!(value >= parameter.low && value <= parameter.high)) {
      throw OptionError(
          fmt::format("{} {} is not in {} … {}", with(parameter.key, ' '), value, parameter.low, parameter.high));
    }
  }
}

}  // namespace moco
