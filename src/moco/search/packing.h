// Lists cut into batches, for searches and for training.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "moco/engine/engine.h"

namespace moco {

/// Consecutive entries of a list.
struct IndexRange {
  std::size_t begin = 0;
  std::size_t end = 0;

  std::size_t size() const { return end - begin; }
};

/// Cuts a list into ranges, each as long as `fits` allows and of at least one entry. A range that fits has only parts
/// that fit.
std::vector<IndexRange> pack(std::size_t count, const std::function<bool(IndexRange)>& fits);

/// The memory that is there for batches.
class BatchRoom {
 public:
  explicit BatchRoom(const Engine& engine) : engine_(engine) {}

  /// Whether there is room, with some to spare: estimates leave out what allocators and drivers add. What fitted once
  /// is taken to fit again: engines keep memory for the next batch, and asking may be slow.
  bool fits(const MemoryNeed& need);
  /// Throws ResourceError in the name of an instance that needs more than there is.
  void require(const MemoryNeed& need, std::string_view instance);

 private:
  bool proven(const MemoryNeed& need) const { return need.engine <= proven_.engine && need.host <= proven_.host; }
  void prove(const MemoryNeed& need);

  const Engine& engine_;
  MemoryNeed proven_;
};

}  // namespace moco
