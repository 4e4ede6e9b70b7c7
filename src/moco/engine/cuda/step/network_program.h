// What the updates by a network have in common: their weight sets on the device, h_g, and the run of one network after
// the other. Each variant adds its own arrays and kernels.
#pragma once

#include "moco/engine/cuda/batch/batch_layout.h"
#include "moco/engine/cuda/step/step_program.h"
#include "moco/engine/engine.h"

namespace moco::cuda {

class NetworkProgram : public UpdateProgram {
 public:
  void place(Arena& arena, const BatchLayout& layout, DeviceBatch& batch) const final;
  void prepare(const DeviceBatch& batch, const WeightTables& tables, cudaStream_t stream) const final;
  void begin(const DeviceBatch& batch, KernelQueue& queue) const final;
  void take_over(const DeviceBatch& batch, KernelQueue& queue) const final;
  void update(const DeviceBatch& batch, KernelQueue& queue) const final;

 protected:
  NetworkProgram(const BatchSpec& spec, const BatchLayout& layout, bool bf16);

  bool bf16() const { return bf16_; }
  std::size_t element_bytes() const { return bf16_ ? 2 : 4; }
  int weight_sets() const { return weight_sets_; }

 private:
  /// The state of the network between its passes.
  virtual void place_state(Arena& arena, const BatchLayout& layout, DeviceBatch& batch) const = 0;
  /// What the kernels want to be formed beforehand from the packed weights and the graphs.
  virtual void prepare_more(const DeviceBatch& /*batch*/, cudaStream_t /*stream*/) const {}
  virtual void run(const DeviceBatch& batch, const NetworkOffsets& net, KernelQueue& queue) const = 0;

  ModelConfig config_;
  bool bf16_;
  int weight_sets_;
};

}  // namespace moco::cuda
