// The network of rule mlp (method.md), which sees one variable at a time: x its 8 features, s those of the step.
//   e = W_s s + b_s;  h ← ReLU(W_x x + b_x + e);  per block h ← h + ReLU(W h + b)
// decoded by linear layers: h to θ̃, ReLU(e) to the global output.
#pragma once

#include "moco/engine/cpu/network.h"

namespace moco::cpu {

class Mlp final : public Network {
 public:
  Mlp(const ModelConfig& config, std::string_view net, const ParameterView& view);

  /// `input.features` writes rows of kOptimizerFeatures.
  float forward(const DecisionGraph& graph, const NetworkInput& input, const Executor& executor,
                NetworkWorkspace& workspace, float* theta) const override;

  static std::size_t workspace_floats(std::size_t hidden, std::size_t workers);

 private:
  Index d_;
  Linear variable_embedding_;
  Linear step_embedding_;
  std::vector<Linear> layers_;
  Linear variable_decoder_;
  Linear global_decoder_;
};

}  // namespace moco::cpu
