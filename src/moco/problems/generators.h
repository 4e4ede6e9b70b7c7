// The generators of single instance families. They draw from `random` alone and use only arithmetic whose result IEEE
// 754 fixes (and ln once, before rounding to an integer), so that equal seeds give equal instances on every machine.
#pragma once

#include <string>
#include <string_view>

#include "moco/core/random.h"
#include "moco/generate.h"

namespace moco {

InstancePtr generate_uniform(const GeneratorOptions& options, std::string name, RandomSequence& random);
InstancePtr generate_clustered(const GeneratorOptions& options, std::string name, RandomSequence& random);
InstancePtr generate_er(const GeneratorOptions& options, std::string name, RandomSequence& random);
InstancePtr generate_ba(const GeneratorOptions& options, std::string name, RandomSequence& random);
InstancePtr generate_rb(const GeneratorOptions& options, std::string name, RandomSequence& random);
InstancePtr generate_sat(const GeneratorOptions& options, std::string name, RandomSequence& random);

/// Throws OptionError with this message unless the condition holds.
void require_option(bool holds, std::string_view what);
/// Uniform in least … most, or `least` without a draw when most ≤ least.
Index draw_between(Index least, Index most, RandomSequence& random);

}  // namespace moco
