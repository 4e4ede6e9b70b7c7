// First-in-first-out queue in which every one of n items stands at most once: what a local search still has to look at
// (the don't-look bits of the literature are `queued` turned round). Shared by the lanes of a team.
#pragma once

#include "moco/core/team.h"

namespace moco {

/// `Item` holds the number of an item.
template <typename Team, typename Item = int>
class WorkQueue {
 public:
  /// `ring` holds n items, `queued` n flags.
  MOCO_TEAM_CODE WorkQueue(const Team& team, int n, Item* ring, unsigned char* queued)
      : team_(team), n_(n), ring_(ring), queued_(queued) {
    for (int i = team_.lane(); i < n_; i += Team::width) {
      queued_[i] = 0;
    }
    team_.sync();
  }

  /// Begins with these distinct items.
  template <typename Items>
  MOCO_TEAM_CODE void fill(const Items* items, int count) {
    for (int i = team_.lane(); i < count; i += Team::width) {
      ring_[i] = static_cast<Item>(items[i]);
      queued_[items[i]] = 1;
    }
    head_ = 0;
    count_ = count;
    team_.sync();
  }

  MOCO_TEAM_CODE bool empty() const { return count_ == 0; }
  MOCO_TEAM_CODE int size() const { return count_; }
  /// The item that stands `place` places behind the first one.
  MOCO_TEAM_CODE int at(int place) const { return ring_[wrapped(head_ + place)]; }

  /// Takes the first `count` items out, a team's width of them at most.
  MOCO_TEAM_CODE void drop(int count) {
    team_.sync();
    if (team_.lane() < count) {
      queued_[at(team_.lane())] = 0;
    }
    head_ = wrapped(head_ + count);
    count_ -= count;
    team_.sync();
  }

  MOCO_TEAM_CODE int pop() {
    const int item = at(0);
    drop(1);
    return item;
  }

  /// Appends item(0) … item(count − 1) in this order, each unless it is waiting already. All lanes know them.
  template <typename ItemAt>
  MOCO_TEAM_CODE void push_all(int count, const ItemAt& item) {
    for (int base = 0; base < count; base += Team::width) {
      const int number = base + team_.lane();
      const int own = number < count ? item(number) : -1;
      bool fresh = own >= 0 && queued_[own] == 0;
      for (int before = base; fresh && before < number; ++before) {
        fresh = item(before) != own;
      }
      team_.sync();
      int total = 0;
      const int rank = team_.rank(fresh, total);
      if (fresh) {
        ring_[wrapped(head_ + count_ + rank)] = static_cast<Item>(own);
        queued_[own] = 1;
      }
      count_ += total;
      team_.sync();
    }
  }

  /// Appends an item unless it is waiting already.
  MOCO_TEAM_CODE void push(int item) {
    const bool waiting = queued_[item] != 0;
    team_.sync();
    if (waiting) {
      return;
    }
    if (team_.lane() == 0) {
      ring_[wrapped(head_ + count_)] = static_cast<Item>(item);
      queued_[item] = 1;
    }
    ++count_;
    team_.sync();
  }

 private:
  MOCO_TEAM_CODE int wrapped(int place) const { return place >= n_ ? place - n_ : place; }

  Team team_;
  int n_;
  Item* ring_;
  unsigned char* queued_;
  int head_ = 0;
  int count_ = 0;
};

}  // namespace moco
