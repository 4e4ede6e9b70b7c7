// The TSP's part of a step: tours, their local search, the gradient and the elites.
#pragma once

#include "moco/engine/cuda/batch/batch_layout.h"
#include "moco/engine/cuda/step/step_program.h"
#include "moco/engine/cuda/tsp/tour_kernels.h"
#include "moco/engine/engine.h"

namespace moco::cuda {

class TourProgram final : public ProblemProgram {
 public:
  /// Throws OptionError for instances, samples or neighbours that the kernels cannot hold.
  TourProgram(const BatchSpec& spec, const BatchLayout& layout, bool bf16);

  std::size_t graph_bytes(const DecisionGraph& graph) const override;
  void add_graph(ConstantData& data, const DecisionGraph& graph, GraphData& out) const override;
  void place(Arena& arena, const BatchLayout& layout, DeviceBatch& batch) const override;
  void promise(const DeviceBatch& batch, Initialisation init, KernelQueue& queue) const override;
  void sample(const DeviceBatch& batch, const NetworkOffsets& next, SamplesOf which, KernelQueue& queue) const override;
  void show_elites(const DeviceBatch& batch, const NetworkOffsets& next, KernelQueue& queue) const override;

 private:
  void place_changes(Arena& arena, const BatchLayout& layout, TourChanges& changes) const;
  void sample_whole(const DeviceBatch& batch, const NetworkOffsets& next, KernelQueue& queue) const;
  void change_bases(const DeviceBatch& batch, const NetworkOffsets& next, KernelQueue& queue) const;

  ModelConfig config_;
  TourSamplerShape sampler_;
  SearchShape search_;
  bool bf16_;
  bool penalty_;
  bool all_plane_;
  bool improves_;       ///< a local search follows the sampling
  unsigned moves_ = 0;  ///< its kinds of moves
  bool first_ = true;   ///< takes the first improving move
  int move_limit_ = 0;
  int max_degree_;
  TourChangeShape change_;
  int most_choices_;  ///< of a partial sample; 0 where all samples are whole
};

}  // namespace moco::cuda
