// θ⁰ of tours by the lengths of edges.
#include "moco/engine/cuda/batch/launch.cuh"
#include "moco/engine/cuda/tsp/tour_kernels.h"
#include "moco/engine/features.h"
#include "moco/problems/tsp/edge_promise.h"

namespace moco::cuda {

namespace {

__global__ void __launch_bounds__(kThreads)
    tsp_promise_kernel(const __grid_constant__ DeviceBatch batch, Initialisation init) {
  const RowChunk chunk = batch.search.gradient_chunks[blockIdx.x];
  if (!wait_for_previous(batch, chunk.trajectory)) {
    return;
  }
  const TrajectoryData t = batch.trajectory[chunk.trajectory];
  const GraphData& graph = batch.graphs[t.graph];
  const int end = (chunk.first + chunk.rows) * graph.degree;
  for (int e = chunk.first * graph.degree + static_cast<int>(threadIdx.x); e < end; e += kThreads) {
    const float length = graph.feature[e];
    const float theta = init == Initialisation::heuristic    ? edge_heuristic(length)
                        : init == Initialisation::visibility ? edge_visibility(length)
                                                             : 0.0f;
    batch.search.theta[t.variable_offset + e] = bounded_theta(theta);
  }
}

}  // namespace

void tsp_promise(const DeviceBatch& batch, Initialisation init, cudaStream_t stream) {
  launch(tsp_promise_kernel, batch.search.gradient_blocks, kThreads, 0, stream, batch, init);
}

}  // namespace moco::cuda
