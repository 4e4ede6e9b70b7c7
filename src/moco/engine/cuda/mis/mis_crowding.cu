// Crowding of the nodes: how many of a node's neighbours are in the elite's solutions, mean over the solutions.
//
// A warp per node sums the bits of its neighbours' membership words, once the elite has set them.
#include "moco/engine/cuda/batch/launch.cuh"
#include "moco/engine/cuda/mis/set_kernels.h"

namespace moco::cuda {

namespace {

constexpr int kWarps = kThreads / 32;

__global__ void __launch_bounds__(kThreads) mis_crowding_kernel(const __grid_constant__ DeviceBatch batch) {
  const RowChunk chunk = batch.search.gradient_chunks[blockIdx.x];
  const SearchState& state = batch.search.state[chunk.trajectory];
  if (!wait_for_previous(batch, chunk.trajectory)) {
    return;
  }
  const TrajectoryData t = batch.trajectory[chunk.trajectory];
  const GraphData graph = batch.graphs[t.graph];
  const std::uint32_t* membership = batch.search.membership + t.variable_offset;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for (int node = chunk.first + static_cast<int>(threadIdx.x) / 32; node < chunk.first + chunk.rows; node += kWarps) {
    int members = 0;
    for (long long e = graph.offsets[node] + lane; e < graph.offsets[node + 1]; e += 32) {
      members += __popc(membership[graph.targets[e]]);
    }
    members = __reduce_add_sync(kFullWarp, members);
    if (lane == 0) {
      batch.network.crowding[t.variable_offset + node] =
          static_cast<float>(members) / static_cast<float>(state.elite_size);
    }
  }
}

}  // namespace

void mis_crowding(const DeviceBatch& batch, cudaStream_t stream) {
  launch(mis_crowding_kernel, batch.search.gradient_blocks, kThreads, 0, stream, batch);
}

}  // namespace moco::cuda
