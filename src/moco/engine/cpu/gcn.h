// The GCN of the MIS (method.md §6), per block.
// Paper:   h ← h + ReLU(W1 h + b1 + max_j (W2 h_j + b2));  with a global: h ← h + ReLU(W3[h_g; h] + b3),
//          h_g ← h_g + ReLU(W4 pool(h) + b4). The maximum over no neighbours is 0.
// Authors: h ← h + ReLU(W1 h + b1 + s_i max_j s_j (W2 h_j + b2) + W3 h_g + b3), s = 1/√max(deg, 1);
//          h_g ← h_g + ReLU(W4[max_v h; h_g] + b4). Without neighbours a node keeps its h.
#pragma once

#include "moco/engine/cpu/network.h"

namespace moco::cpu {

class Gcn final : public Network {
 public:
  Gcn(const ModelConfig& config, std::string_view net, const ParameterView& view);

  float forward(const DecisionGraph& graph, const NetworkInput& input, const Executor& executor,
                NetworkWorkspace& workspace, float* theta) const override;

  static std::size_t workspace_floats(std::size_t nodes, std::size_t hidden, std::size_t workers);

 private:
  struct Block {
    Linear self;
    Linear neighbour;
    Linear mix;
    Linear global;
  };
  struct Pass;

  Index d_;
  bool has_global_;
  GcnVariant variant_;
  GlobalPooling pooling_;
  Linear node_embedding_;
  Linear global_embedding_;
  std::vector<Block> blocks_;
  Linear node_decoder_;
  Linear global_decoder_;
};

}  // namespace moco::cpu
