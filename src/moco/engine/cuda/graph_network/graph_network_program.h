// What the variants of the TSP's network have in common: products of the embeddings formed beforehand.
#pragma once

#include "moco/engine/cuda/step/network_program.h"

namespace moco::cuda {

class GraphNetworkProgram : public NetworkProgram {
 protected:
  /// `projects_edges`: its kernels read the first block's edges as features times one matrix (project_embeddings).
  GraphNetworkProgram(const BatchSpec& spec, const WeightSets& weights, bool projects_edges)
      : NetworkProgram(spec, weights), projects_edges_(projects_edges) {}

 private:
  void prepare(const DeviceBatch& batch, cudaStream_t stream) const final {
    for (const NetworkOffsets* net : networks()) {
      project_embeddings(batch, *net, weight_sets(), bf16(), projects_edges_, stream);
    }
  }

  bool projects_edges_;
};

}  // namespace moco::cuda
