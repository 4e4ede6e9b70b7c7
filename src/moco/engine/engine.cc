// What engines need not say themselves.
#include "moco/engine/engine.h"

namespace moco {

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
