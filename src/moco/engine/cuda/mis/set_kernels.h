// Launchers of the kernels that sample independent sets and learn from them. All enqueue on the stream and return at
// once.
#pragma once

#include <cstddef>

#include "moco/engine/cuda/batch/device_batch.h"
#include "moco/engine/cuda/batch/search_shape.h"
#include "moco/engine/cuda/kit/device.h"
#include "moco/model.h"

namespace moco::cuda {

/// Where the samplers keep their working sets, decided once per batch.
struct SetSamplerShape {
  int threads = 128;
  int shared_bytes = 0;
  bool keys_shared = false;  ///< keys in shared memory
  int together = 0;          ///< sets of a thread block of mis_sample_bits; 0: graphs too large for it
};

/// θ⁰ by weights and degrees of nodes, or all alike.
void mis_promise(const DeviceBatch& batch, Initialisation init, cudaStream_t stream);
SetSamplerShape mis_sampler_shape(int max_nodes);
/// For graphs of at most kMostBitNodes nodes.
SetSamplerShape mis_bits_shape(int max_nodes, int samples, long long trajectories);
inline constexpr int kMostBitNodes = 1024;

/// e^(θ − max) of all nodes.
void mis_mass(const DeviceBatch& batch, cudaStream_t stream);
/// b independent sets per trajectory; costs, prefix sums of the gradient.
void mis_sample(const DeviceBatch& batch, const SetSamplerShape& shape, cudaStream_t stream);
/// Likewise, with the masses, for small graphs.
void mis_sample_bits(const DeviceBatch& batch, const SetSamplerShape& shape, cudaStream_t stream);
/// Words that the bits of a graph take, and setting them for all graphs of a batch.
std::size_t mis_bits_words(int nodes);
void mis_bits(const DeviceBatch& batch, int graphs, cudaStream_t stream);
/// The sets after local search, beside the sampled ones; their mean cost.
SearchShape mis_search_shape(int max_nodes, bool weighted);
void mis_local_search(const DeviceBatch& batch, const SearchShape& shape, int move_limit, int plateau_steps,
                      cudaStream_t stream);
/// Gradient and momenta of all nodes; beside it, one block per trajectory updates elite, membership and status.
void mis_gradient(const DeviceBatch& batch, const NetworkOffsets& net, bool bf16, cudaStream_t stream);
/// How many neighbours each node has in the elite's solutions, on average.
void mis_crowding(const DeviceBatch& batch, cudaStream_t stream);
/// The most samples per step for which mis_gradient has shared memory.
int mis_most_samples();

}  // namespace moco::cuda
