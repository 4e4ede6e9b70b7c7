// The base that a trajectory's partial samples change, on the CPU.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "moco/policy/partial_construction.h"

namespace moco::cpu {

/// The base and the workers' copies of it.
class PartialSearch {
 public:
  explicit PartialSearch(std::unique_ptr<PartialConstruction> construction) : construction_(std::move(construction)) {}

  /// There is no base: samples are whole solutions.
  void forget() { has_base_ = false; }
  bool has_base() const { return has_base_; }
  /// The items of a whole sample are the base.
  void begin_with(std::span<const Index> items) {
    base_.assign(items.begin(), items.end());
    ++version_;
    has_base_ = true;
    mended_ = false;
  }
  /// Whether a local search has been everywhere on the base that it began with.
  bool mended() const { return mended_; }
  /// The solution that a copy has become is the base.
  void move_to(const WorkingCopy& copy) {
    base_ = copy.items();
    ++version_;
    mended_ = true;
  }

  void reserve(std::size_t workers) { copies_.resize(std::max(copies_.size(), workers)); }
  /// A worker's copy, which is at the base. Workers may ask at the same time.
  WorkingCopy& copy(std::size_t worker) {
    Copy& own = copies_[worker];
    if (own.solution == nullptr) {
      own.solution = construction_->working_copy();
    }
    if (own.version != version_) {
      own.solution->assign(base_);
      own.version = version_;
    }
    return *own.solution;
  }
  const PartialConstruction& construction() const { return *construction_; }

 private:
  struct Copy {
    std::unique_ptr<WorkingCopy> solution;
    std::uint64_t version = 0;  ///< of the base that it is at
  };

  std::unique_ptr<PartialConstruction> construction_;
  std::vector<Index> base_;
  std::uint64_t version_ = 0;
  bool has_base_ = false;
  bool mended_ = false;
  std::vector<Copy> copies_;
};

}  // namespace moco::cpu
