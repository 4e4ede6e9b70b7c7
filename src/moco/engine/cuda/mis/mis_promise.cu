// θ⁰ of independent sets by weights and degrees of nodes.
#include "moco/engine/cuda/batch/launch.cuh"
#include "moco/engine/cuda/mis/set_kernels.h"
#include "moco/engine/features.h"
#include "moco/problems/mis/node_promise.h"

namespace moco::cuda {

namespace {

__global__ void __launch_bounds__(kThreads)
    mis_promise_kernel(const __grid_constant__ DeviceBatch batch, Initialisation init) {
  const RowChunk chunk = batch.search.gradient_chunks[blockIdx.x];
  if (!wait_for_previous(batch, chunk.trajectory)) {
    return;
  }
  const TrajectoryData t = batch.trajectory[chunk.trajectory];
  const GraphData& graph = batch.graphs[t.graph];
  for (int v = chunk.first + static_cast<int>(threadIdx.x); v < chunk.first + chunk.rows; v += kThreads) {
    const float weight = graph.feature != nullptr ? graph.feature[v] : 1.0f;
    const float theta = init == Initialisation::uniform  // heuristic and visibility are the same
                            ? 0.0f
                            : node_heuristic(weight, graph.offsets[v + 1] - graph.offsets[v]);
    batch.search.theta[t.variable_offset + v] = bounded_theta(theta);
  }
}

}  // namespace

void mis_promise(const DeviceBatch& batch, Initialisation init, cudaStream_t stream) {
  launch(mis_promise_kernel, batch.search.gradient_blocks, kThreads, 0, stream, batch, init);
}

}  // namespace moco::cuda
