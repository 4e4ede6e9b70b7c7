// A queue behind a lock, emptied by the caller's thread.
#include "moco/search/progress_relay.h"

#include <utility>

namespace moco {

void ProgressRelay::tell(const Progress& progress) {
  if (std::this_thread::get_id() == caller_) {
    forward();
    to_(progress);
    return;
  }
  const std::scoped_lock lock(mutex_);
  const auto [best, first] = best_.try_emplace(progress.instance, progress.best);
  if (first || progress.best < best->second) {
    best->second = progress.best;
    waiting_.push_back(progress);
  }
}

void ProgressRelay::forward() {
  std::vector<Progress> told;
  {
    const std::scoped_lock lock(mutex_);
    told.swap(waiting_);
  }
  for (const Progress& progress : told) {
    to_(progress);
  }
}

}  // namespace moco
