// Checks and draws that the generators of all problems share.
#pragma once

#include <string_view>

#include "moco/core/random.h"
#include "moco/generate.h"

namespace moco {

/// Throws OptionError with this message unless the condition holds.
void require_option(bool holds, std::string_view what);
/// Uniform in least … most, or `least` without a draw when most ≤ least.
Index draw_between(Index least, Index most, RandomSequence& random);

}  // namespace moco
