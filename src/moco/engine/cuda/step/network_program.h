// What the programs of GNN_init and GNN_update have in common: h_g, and the run of one network or the other, as far as
// a model has them. Each variant adds its own arrays and kernels.
#pragma once

#include "moco/engine/cuda/batch/batch_layout.h"
#include "moco/engine/cuda/step/step_program.h"
#include "moco/engine/cuda/weights/weight_sets.h"
#include "moco/engine/engine.h"

namespace moco::cuda {

class NetworkProgram : public UpdateProgram {
 public:
  void place(Arena& arena, const BatchLayout& layout, DeviceBatch& batch) const final;
  /// θ⁰ by GNN_init.
  void first_theta(const DeviceBatch& batch, KernelQueue& queue) const;
  /// By GNN_update.
  void update(const DeviceBatch& batch, KernelQueue& queue) const final;

 protected:
  NetworkProgram(const BatchSpec& spec, const WeightSets& weights);

  bool bf16() const { return bf16_; }
  std::size_t element_bytes() const { return bf16_ ? 2 : 4; }
  int weight_sets() const { return weight_sets_; }
  /// The networks that the model has.
  std::vector<const NetworkOffsets*> networks() const;

 private:
  /// The state of the network between its passes.
  virtual void place_state(Arena& arena, const BatchLayout& layout, DeviceBatch& batch) const = 0;
  virtual void run(const DeviceBatch& batch, const NetworkOffsets& net, KernelQueue& queue) const = 0;

  ModelConfig config_;
  NetworkOffsets init_;
  NetworkOffsets update_;
  bool bf16_;
  int weight_sets_;
};

}  // namespace moco::cuda
