// First-in-first-out queue in which every one of n items stands at most once: what a local search still has to look at
// (the don't-look bits of the literature are `queued` turned round). Shared by the lanes of a team.
#pragma once

#include "moco/core/team.h"

namespace moco {

/// `Number` holds numbers up to n − 1.
template <typename Team, typename Number = int>
class WorkQueue {
 public:
  /// `ring` holds n items, `queued` n flags.
  MOCO_TEAM_CODE WorkQueue(const Team& team, int n, Number* ring, unsigned char* queued)
      : team_(team), n_(n), ring_(ring), queued_(queued) {
    for (int i = team_.lane(); i < n_; i += Team::width) {
      queued_[i] = 0;
    }
    team_.sync();
  }

  /// Begins with these distinct items.
  MOCO_TEAM_CODE void fill(const Number* items, int count) {
    for (int i = team_.lane(); i < count; i += Team::width) {
      ring_[i] = items[i];
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

  /// Takes the first `count` items out.
  MOCO_TEAM_CODE void drop(int count) {
    team_.sync();
    for (int place = team_.lane(); place < count; place += Team::width) {
      queued_[at(place)] = 0;
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

  /// Appends an item unless it is waiting already.
  MOCO_TEAM_CODE void push(int item) {
    const bool waiting = queued_[item] != 0;
    team_.sync();
    if (waiting) {
      return;
    }
    if (team_.lane() == 0) {
      ring_[wrapped(head_ + count_)] = static_cast<Number>(item);
      queued_[item] = 1;
    }
    ++count_;
    team_.sync();
  }

  /// The same with several, one after the other.
  template <int Count>
  MOCO_TEAM_CODE void push(const int (&items)[Count]) {
    for (int base = 0; base < Count; base += Team::width) {
      const int own = base + team_.lane();
      int item = -1;
      bool first = true;
      for (int i = 0; i < Count; ++i) {  // without indexing by what differs from lane to lane
        item = i == own ? items[i] : item;
      }
      for (int i = 0; i < Count; ++i) {
        first = first && (i < base || i >= own || items[i] != item);
      }
      const bool joins = own < Count && first && queued_[item] == 0;
      int joining = 0;
      const int place = team_.rank(joins, joining);
      team_.sync();
      if (joins) {
        ring_[wrapped(head_ + count_ + place)] = static_cast<Number>(item);
        queued_[item] = 1;
      }
      count_ += joining;
      team_.sync();
    }
  }

 private:
  MOCO_TEAM_CODE int wrapped(int place) const { return place >= n_ ? place - n_ : place; }

  Team team_;
  int n_;
  Number* ring_;
  unsigned char* queued_;
  int head_ = 0;
  int count_ = 0;
};

}  // namespace moco
