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

/// What an instance of a family comes to, as far as that can be told before it is drawn.
struct ExpectedSize {
  double nodes = 0.0;        ///< the most
  double edges = 0.0;        ///< expected, repeated ones included
  double other_bytes = 0.0;  ///< that the generator needs for itself
};
ExpectedSize expected_points(const GeneratorOptions& options);
ExpectedSize expected_er(const GeneratorOptions& options);
ExpectedSize expected_ba(const GeneratorOptions& options);
ExpectedSize expected_rb(const GeneratorOptions& options);
ExpectedSize expected_sat(const GeneratorOptions& options);

/// Throws OptionError with this message unless the condition holds.
void require_option(bool holds, std::string_view what);
/// Uniform in least … most, or `least` without a draw when most ≤ least.
Index draw_between(Index least, Index most, RandomSequence& random);

}  // namespace moco
