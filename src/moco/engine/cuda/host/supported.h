// What the device cannot do, said before any work begins.
#pragma once

#include "moco/engine/engine.h"

namespace moco::cuda {

/// Throws OptionError when an instance of the batch has a metric that the device does not know: places with heights.
void require_supported(const BatchSpec& spec);

}  // namespace moco::cuda
