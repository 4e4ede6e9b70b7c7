// The options of `moco generate` as those of the library, for other commands that generate.
#pragma once

#include "command_line.h"
#include "moco/generate.h"

namespace moco::cli {

/// The generator that parsed arguments of `moco generate` describe. Throws UsageError.
GeneratorOptions generator_options(const Arguments& arguments);

}  // namespace moco::cli
