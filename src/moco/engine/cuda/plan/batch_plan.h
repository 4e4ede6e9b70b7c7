// Everything about a batch that is decided before memory is taken, made once: how trajectories lie in the arrays, which
// kernels run, how many bytes they need, and, once there is memory, where their arrays are.
#pragma once

#include <cstddef>

#include "moco/engine/cuda/batch/batch_layout.h"
#include "moco/engine/cuda/kit/arena.h"
#include "moco/engine/cuda/plan/step_choice.h"
#include "moco/engine/cuda/step/step_program.h"

namespace moco::cuda {

class BatchPlan {
 public:
  /// `alone`: no other batch steps at the same time.
  BatchPlan(const BatchSpec& spec, const CudaOptions& options, const Occupancy& occupancy, bool alone);

  const BatchLayout& layout() const { return layout_; }
  const StepProgram& step() const { return step_; }

  /// Bytes of all arrays that kernels write.
  std::size_t array_bytes() const { return counted_.bytes(); }
  /// Bytes of the constant data (graphs, tables) that are copied to the device, base weights not counted.
  std::size_t constant_bytes() const { return constant_bytes_; }
  /// Bytes of host memory while that is done: the copies pass through page-locked memory.
  std::size_t host_bytes() const { return host_bytes_; }

  /// What the kernels see, with all arrays from `memory` on, which has array_bytes(); the constant data still missing.
  DeviceBatch place(std::byte* memory, Region& cleared_once, Region& cleared_at_begin) const;

 private:
  void place_all(Arena& arena, DeviceBatch& batch) const;

  DeviceBatch switches_;  ///< sizes and what is the same for every problem; no pointers
  BatchLayout layout_;
  StepProgram step_;
  Arena counted_;
  std::size_t constant_bytes_ = 0;
  std::size_t host_bytes_ = 0;
};

}  // namespace moco::cuda
