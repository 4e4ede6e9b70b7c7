// The one list of engines.
#include "moco/engine/registry.h"

#include <algorithm>

#include "moco/engine/cpu/cpu_engine.h"
#include "moco/error.h"

#if defined(MOCO_HAS_CUDA)
#include "moco/engine/check/check_engine.h"
#include "moco/engine/cuda/cuda_engine.h"
#endif

namespace moco {

std::unique_ptr<Engine> make_engine(EngineKind kind, int threads, [[maybe_unused]] int process) {
#if defined(MOCO_HAS_CUDA)
  const int device = process % std::max(cuda_devices(), 1);
  switch (kind) {
    case EngineKind::automatic:
      if (cuda_problem(device).empty()) {
        return make_cuda_engine({.device = device});
      }
      break;
    case EngineKind::cuda:
      return make_cuda_engine({.device = device});
    case EngineKind::check:
      return make_check_engine(threads);
    case EngineKind::cpu:
      break;
  }
#else
  if (kind == EngineKind::cuda || kind == EngineKind::check) {
    throw OptionError("this build has no CUDA engine (configure with -DMOCO_CUDA=ON); use the CPU engine");
  }
#endif
  return make_cpu_engine(threads);
}

}  // namespace moco
