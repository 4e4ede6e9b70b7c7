// Engines by name.
#pragma once

#include <memory>

#include "moco/engine/engine.h"

namespace moco {

/// The engine for a choice; `automatic` takes CUDA when this build has it and a usable device is there, else the CPU.
/// `process` is this process's place among those on its machine: they take the machine's devices in turn.
/// Throws OptionError when the engine is not part of this build or cannot run here.
std::unique_ptr<Engine> make_engine(EngineKind kind, int threads, int process = 0);

}  // namespace moco
