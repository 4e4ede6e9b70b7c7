// The CPU engine: the oracle every other engine is checked against, and fast enough to use.
#pragma once

#include <memory>

#include "moco/engine/engine.h"

namespace moco {

/// `threads` 0: one per core.
std::unique_ptr<Engine> make_cpu_engine(int threads = 0);

}  // namespace moco
