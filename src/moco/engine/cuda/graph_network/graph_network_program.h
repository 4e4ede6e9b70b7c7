// What the variants of the TSP's network have in common: products of the embeddings formed beforehand.
#pragma once

#include "moco/engine/cuda/step/network_program.h"

namespace moco::cuda {

class GraphNetworkProgram : public NetworkProgram {
 protected:
  /// `projects_edges`: its kernels read the first block's edges as features times one matrix (project_embeddings).
  GraphNetworkProgram(const BatchSpec& spec, const BatchLayout& layout, bool bf16, bool projects_edges)
      : NetworkProgram(spec, layout, bf16), projects_edges_(projects_edges) {}

 private:
  void prepare_more(const DeviceBatch& batch, cudaStream_t stream) const final {
    for (const NetworkOffsets* net : {&weights().init, &weights().update}) {
      project_embeddings(batch, *net, weight_sets(), bf16(), projects_edges_, stream);
    }
  }

  bool projects_edges_;
};

}  // namespace moco::cuda
