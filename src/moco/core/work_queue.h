// First-in-first-out queue in which every one of n items stands at most once: what a local search still has to look at
// (the don't-look bits of the literature are `queued` turned round). Shared by the lanes of a team.
#pragma once

#include "moco/core/team.h"

namespace moco {

template <typename Team>
class WorkQueue {
 public:
  /// `ring` holds n items, `queued` n flags.
  MOCO_TEAM_CODE WorkQueue(const Team& team, int n, int* ring, unsigned char* queued)
      : team_(team), n_(n), ring_(ring), queued_(queued) {
    for (int i = team_.lane(); i < n_; i += Team::width) {
      queued_[i] = 0;
    }
    team_.sync();
  }

  /// Begins with these distinct items.
  MOCO_TEAM_CODE void fill(const int* items, int count) {
    for (int i = team_.lane(); i < count; i += Team::width) {
      ring_[i] = items[i];
      queued_[items[i]] = 1;
    }
    head_ = 0;
    count_ = count;
    team_.sync();
  }

  MOCO_TEAM_CODE bool empty() const { return count_ == 0; }

  MOCO_TEAM_CODE int pop() {
    const int item = ring_[head_];
    head_ = head_ + 1 == n_ ? 0 : head_ + 1;
    --count_;
    team_.sync();
    if (team_.lane() == 0) {
      queued_[item] = 0;
    }
    team_.sync();
    return item;
  }

  /// Appends an item unless it is waiting already.
  MOCO_TEAM_CODE void push(int item) {
    const bool waiting = queued_[item] != 0;
    team_.sync();
    if (waiting) {
      return;
    }
    if (team_.lane() == 0) {
      const int at = head_ + count_;
      ring_[at >= n_ ? at - n_ : at] = item;
      queued_[item] = 1;
    }
    ++count_;
    team_.sync();
  }

 private:
  Team team_;
  int n_;
  int* ring_;
  unsigned char* queued_;
  int head_ = 0;
  int count_ = 0;
};

}  // namespace moco
