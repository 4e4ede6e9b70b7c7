// What engines need not say themselves.
#include "moco/engine/engine.h"

#include "moco/core/memory.h"

namespace moco {

std::uint64_t Engine::available_host_bytes() const {
  return available_memory();
}

std::vector<std::vector<TrajectoryStatus>> Batch::advance(int steps) {
  std::vector<std::vector<TrajectoryStatus>> all;
  for (int i = 0; i < steps; ++i) {
    update();
    sample();
    all.push_back(status());
  }
  return all;
}

}  // namespace moco
