// A step of Adam, a thread for every variable.
#include "moco/engine/cuda/batch/launch.cuh"
#include "moco/engine/cuda/rules/rule_kernels.h"
#include "moco/engine/features.h"

namespace moco::cuda {

namespace {

__global__ void __launch_bounds__(kThreads) adam_update_kernel(const __grid_constant__ DeviceBatch batch) {
  const RowChunk chunk = batch.search.variable_chunks[blockIdx.x];
  if (!wait_for_previous(batch, chunk.trajectory)) {
    return;
  }
  const long long first = batch.trajectory[chunk.trajectory].variable_offset + chunk.first;
  const AdamStep step(batch.adam.learning_rate, batch.search.state[chunk.trajectory].step);
  for (int i = static_cast<int>(threadIdx.x); i < chunk.rows; i += kThreads) {
    const long long at = first + i;
    batch.search.theta[at] = step.apply(batch.search.theta[at], batch.search.gradient[at], batch.adam.moments[at],
                                        batch.adam.moments[batch.total_variables + at]);
  }
}

}  // namespace

void adam_update(const DeviceBatch& batch, cudaStream_t stream) {
  launch(adam_update_kernel, batch.search.variable_blocks, kThreads, 0, stream, batch);
}

}  // namespace moco::cuda
