// What a configuration must keep to in the numbers of its update rule.
#pragma once

#include "moco/model.h"

namespace moco {

/// Throws OptionError "the learning rate is one of rule adam" for another rule.
void require_rule(const RuleParameter& parameter, UpdateRule rule);
/// Throws OptionError when a number of whatever rule is out of its range.
void validate_rule_parameters(const ModelConfig& config);

}  // namespace moco
