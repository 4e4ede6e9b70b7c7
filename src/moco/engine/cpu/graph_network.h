// The GraphNetwork of the TSP (method.md §6): per block
//   h_e ← h_e + LN(ReLU(W_e[h_e; h_i; h_j; h_g] + b_e))
//   h_v ← h_v + LN(ReLU(W_v[h_v; Σ_out h_e; Σ_in h_e; h_g] + b_v))
//   h_g ← h_g + ReLU(W_g[Σ_v h_v; Σ_e h_e; h_g] + b_g)
// LN normalises each feature over all edges (nodes) of the instance. Concatenations are split: node and global parts
// are projected once per node or graph and gathered, and no concatenated tensor ever exists.
#pragma once

#include "moco/engine/cpu/network.h"

namespace moco::cpu {

class GraphNetwork final : public Network {
 public:
  GraphNetwork(const ModelConfig& config, std::string_view net, const ParameterView& view);

  float forward(const DecisionGraph& graph, const NetworkInput& input, const Executor& executor,
                NetworkWorkspace& workspace, float* theta) const override;

  static std::size_t workspace_floats(std::size_t nodes, std::size_t degree, std::size_t hidden, std::size_t workers);

 private:
  struct Norm {
    const float* scale = nullptr;
    const float* offset = nullptr;
  };
  struct Block {
    Linear edge;
    Norm edge_norm;
    Linear node;
    Norm node_norm;
    Linear global;
  };
  struct Pass;  // the state of one forward pass

  Index d_;
  bool has_global_;
  GlobalPooling pooling_;
  Linear edge_embedding_;
  Linear node_embedding_;
  Linear global_embedding_;
  std::vector<Block> blocks_;
  Linear edge_decoder_;
  Linear global_decoder_;
};

}  // namespace moco::cpu
