// Tours are shown as copies that nobody changes, so a lock is held for a moment only.
#include "moco/problems/tsp/tour_pool.h"

namespace moco {

int TourPool::enter(const std::vector<Index>& cities) {
  const std::lock_guard lock(mutex_);
  if (active_ == 0) {
    shown_.clear();
    cities_ = cities;
  }
  if (cities != cities_) {
    return -1;
  }
  ++active_;
  shown_.emplace_back();
  return static_cast<int>(shown_.size()) - 1;
}

void TourPool::leave() {
  const std::lock_guard lock(mutex_);
  --active_;
}

void TourPool::reset(int search, std::size_t tours) {
  const std::lock_guard lock(mutex_);
  shown_[static_cast<std::size_t>(search)].assign(tours, nullptr);
}

void TourPool::show(int search, std::size_t tour, const TourLinks& links) {
  auto copy = std::make_shared<const TourLinks>(links);
  const std::lock_guard lock(mutex_);
  shown_[static_cast<std::size_t>(search)][tour].swap(copy);
}

std::shared_ptr<const TourLinks> TourPool::foreign(int search, std::size_t own, RandomSequence& random) const {
  const std::lock_guard lock(mutex_);
  std::size_t others = 0;
  for (std::size_t i = 0; i < shown_.size(); ++i) {
    others += static_cast<int>(i) == search ? 0 : shown_[i].size();
  }
  std::size_t number = random.next_below(static_cast<std::uint32_t>(own + others));
  for (std::size_t i = 0; i < shown_.size(); ++i) {
    if (static_cast<int>(i) == search) {
      continue;
    }
    if (number < shown_[i].size()) {
      return shown_[i][number];
    }
    number -= shown_[i].size();
  }
  return nullptr;
}

}  // namespace moco
