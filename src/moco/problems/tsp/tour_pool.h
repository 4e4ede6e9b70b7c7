// Tours that searches of one instance on several threads show each other.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "moco/core/random.h"
#include "moco/problems/tsp/ab_cycles.h"

namespace moco {

class TourPool {
 public:
  /// A search begins; it gets a number. −1: its cities are numbered unlike those of searches under way, so that they
  /// have nothing to show each other.
  int enter(const std::vector<Index>& cities);
  void leave();
  /// The tours of a search are these many from now on, none of them shown yet.
  void reset(int search, std::size_t tours);
  void show(int search, std::size_t tour, const TourLinks& links);
  /// A tour of another search, each with the same chance against `own` tours of one's own; null: one of one's own.
  std::shared_ptr<const TourLinks> foreign(int search, std::size_t own, RandomSequence& random) const;

 private:
  mutable std::mutex mutex_;
  int active_ = 0;
  std::vector<Index> cities_;
  std::vector<std::vector<std::shared_ptr<const TourLinks>>> shown_;
};

/// A search's stay in a pool.
class PoolEntry {
 public:
  /// `pool` may be null.
  PoolEntry(TourPool* pool, const std::vector<Index>& cities)
      : number_(pool != nullptr ? pool->enter(cities) : -1), pool_(number_ >= 0 ? pool : nullptr) {}
  ~PoolEntry() {
    if (pool_ != nullptr) {
      pool_->leave();
    }
  }
  PoolEntry(const PoolEntry&) = delete;
  PoolEntry& operator=(const PoolEntry&) = delete;

  /// Null where nothing is shared.
  TourPool* pool() const { return pool_; }
  int number() const { return number_; }

 private:
  int number_;
  TourPool* pool_;
};

}  // namespace moco
