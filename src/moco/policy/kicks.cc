// What searches that do not divide have.
#include "moco/policy/kicks.h"

namespace moco {

std::int64_t KickSearch::run_divided(std::vector<Index>& items, StreamKey key, const DividedKicks& task,
                                     const Executor&) const {
  return run(items, key, task.spent);
}

}  // namespace moco
