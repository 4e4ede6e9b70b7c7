// Everything about a batch that is decided before memory is taken, made once: how trajectories lie in the arrays, which
// kernels run, how many bytes they need, and, once there is memory, where their arrays are.
#pragma once

#include <cstddef>

#include "moco/engine/cuda/batch/batch_layout.h"
#include "moco/engine/cuda/kit/arena.h"
#include "moco/engine/cuda/plan/step_choice.h"
#include "moco/engine/cuda/step/step.h"

namespace moco::cuda {

class BatchPlan {
 public:
  /// `alone`: no other batch steps at the same time.
  BatchPlan(const BatchSpec& spec, const CudaOptions& options, const Occupancy& occupancy, bool alone);

  const BatchLayout& layout() const { return layout_; }
  const Step& step() const { return step_; }

  /// The arrays that kernels write, counted: those of the search and the problem, which outlast a model, and those of
  /// the update of θ.
  const Arena& lasting() const { return lasting_; }
  const Arena& of_update() const { return of_update_; }
  std::size_t array_bytes() const { return lasting_.bytes() + of_update_.bytes(); }
  /// Bytes of the constant data (graphs, tables) that are copied to the device, base weights not counted.
  std::size_t constant_bytes() const { return constant_bytes_; }
  /// Bytes of host memory while that is done: the copies pass through page-locked memory.
  std::size_t host_bytes() const { return host_bytes_; }

  /// What the kernels see, with all arrays in these arenas; the constant data still missing.
  DeviceBatch place(Arena& lasting, Arena& of_update) const;

 private:
  DeviceBatch switches_;  ///< sizes and what is the same for every problem; no pointers
  BatchLayout layout_;
  Step step_;
  Arena lasting_;
  Arena of_update_;
  std::size_t constant_bytes_ = 0;
  std::size_t host_bytes_ = 0;
};

}  // namespace moco::cuda
