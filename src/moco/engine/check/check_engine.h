// The check engine: the CPU engine and the CUDA engine in float32 side by side on the same random streams. The CPU's
// results count; after every update its θ is given to the device, so that each operation is compared on equal inputs.
#pragma once

#include <memory>

#include "moco/engine/cuda/cuda_engine.h"
#include "moco/engine/deviations.h"
#include "moco/engine/engine.h"

namespace moco {

/// name() ends with the deviations seen so far; a batch throws DeviceError once they are beyond the limits. Throws
/// OptionError when no device can be used.
std::unique_ptr<Engine> make_check_engine(int threads = 0);

/// One batch on both; adds to `seen`, which has to outlive it.
std::unique_ptr<Batch> make_check_batch(std::unique_ptr<Batch> cpu, std::unique_ptr<CudaBatch> cuda,
                                        std::size_t trajectories, Deviations& seen);

}  // namespace moco
