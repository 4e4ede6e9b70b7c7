// A step of a batch as the host sees it: its programs one after the other. A model's beginning and its rule are two
// parts, each with or without a network; where both have one it is the same program.
#pragma once

#include <memory>
#include <string>

#include "moco/engine/cuda/step/network_program.h"

namespace moco::cuda {

class Step {
 public:
  struct Programs {
    std::unique_ptr<ProblemProgram> problem;
    std::unique_ptr<NetworkProgram> network;  ///< null where neither beginning nor rule is a network on the graph
    std::unique_ptr<UpdateProgram> rule;      ///< null where the network is
  };
  Step(const ModelConfig& config, WeightSets weights, Programs programs);

  const ProblemProgram& problem() const { return *problem_; }
  const WeightPlan& weights() const { return weights_.plan(); }
  /// What updates θ, and by which network θ begins.
  std::string name() const;
  int steps_together() const { return rule().steps_together(); }

  /// The problem's arrays in the first arena, all others in the second.
  void place(Arena& lasting, Arena& of_update, const BatchLayout& layout, DeviceBatch& batch) const;
  /// Says where kernels find what prepare() makes of each graph.
  void add_prepared(const DeviceBatch& batch, std::span<GraphData> graphs) const;
  /// Fills what depends on the weights and graphs alone; once.
  void prepare(const DeviceBatch& batch, const WeightTables& tables, cudaStream_t stream) const;
  /// θ⁰.
  void begin(const DeviceBatch& batch, KernelQueue& queue) const;
  /// Goes on from the θ and the samples that another step has come to.
  void take_over(const DeviceBatch& batch, KernelQueue& queue) const;
  void sample(const DeviceBatch& batch, SamplesOf which, KernelQueue& queue) const;
  void update(const DeviceBatch& batch, KernelQueue& queue) const { rule().update(batch, queue); }

 private:
  const UpdateProgram& rule() const { return rule_ != nullptr ? *rule_ : *network_; }
  /// For updates that are anchored to the present θ.
  void keep_first_theta(const DeviceBatch& batch, KernelQueue& queue) const;

  Initialisation init_;
  ThetaUpdate theta_update_;
  float gradient_scale_;
  bool keeps_first_theta_;
  WeightSets weights_;
  std::unique_ptr<ProblemProgram> problem_;
  std::unique_ptr<NetworkProgram> network_;
  std::unique_ptr<UpdateProgram> rule_;
};

}  // namespace moco::cuda
