// The part of a step that samples independent sets: sets, their local search, the gradient and the elites.
#pragma once

#include "moco/engine/cuda/batch/batch_layout.h"
#include "moco/engine/cuda/mis/set_kernels.h"
#include "moco/engine/cuda/step/step_program.h"
#include "moco/engine/engine.h"

namespace moco::cuda {

class SetProgram final : public ProblemProgram {
 public:
  /// Throws OptionError for samples that the kernels cannot hold.
  SetProgram(const BatchSpec& spec, const BatchLayout& layout, bool bf16);

  std::size_t graph_bytes(const DecisionGraph& graph) const override;
  void add_graph(ConstantData& data, const DecisionGraph& graph, GraphData& out) const override;
  void add_prepared(const DeviceBatch& batch, std::span<GraphData> graphs) const override;
  void place(Arena& arena, const BatchLayout& layout, DeviceBatch& batch) const override;
  void prepare(const DeviceBatch& batch, cudaStream_t stream) const override;
  void promise(const DeviceBatch& batch, Initialisation init, KernelQueue& queue) const override;
  void sample(const DeviceBatch& batch, const NetworkOffsets& next, SamplesOf which, KernelQueue& queue) const override;
  void show_elites(const DeviceBatch& batch, const NetworkOffsets& next, KernelQueue& queue) const override;

 private:
  SetSamplerShape sampler_;
  SearchShape search_;
  bool bf16_;
  bool weighted_;
  bool crowding_;  ///< the network sees it
  bool improves_;  ///< a local search follows the sampling
  int move_limit_ = 0;
  int plateau_steps_ = 0;
  int graphs_;
  std::vector<std::size_t> bits_at_;  ///< words before each graph's and at the end, where the sampler takes their bits
};

}  // namespace moco::cuda
