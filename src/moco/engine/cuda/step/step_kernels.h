// Launchers of the kernels of a sampling step, one .cu file each. All enqueue on the stream and return at once.
#pragma once

#include "moco/engine/cuda/kit/device.h"
#include "moco/engine/cuda/step/device_batch.h"

namespace moco::cuda {

/// Where a sampler keeps its working set, decided once per batch.
struct SamplerShape {
  int threads = 128;
  int shared_bytes = 0;
  bool keys_shared = false;     ///< TSP: all keys drawn beforehand; MIS: keys in shared memory
  bool sorted = false;          ///< TSP: rows in the order of their keys
  bool visited_shared = false;  ///< TSP
  int max_nodes = 0;
  int places = 0;  ///< TSP: keys of the largest trajectory, rows filled up to multiples of four
  int max_degree = 0;
  int together = 0;  ///< MIS: sets of a thread block of mis_sample_bits; 0: graphs too large for it
};

/// Where a local search keeps its working set, decided once per batch.
struct SearchShape {
  int shared_bytes = 0;
  bool in_shared = true;
  int max_nodes = 0;
  int integers_per_node = 0;  ///< of global memory per node and sample, when shared memory is too small
  int flags_per_node = 0;     ///< likewise
  int reals_per_node = 0;     ///< likewise
};
inline constexpr long long kSearchSharedLimit = 200 * 1024;

/// Chooses the shape from the largest trajectory and the number of samples of the batch.
SamplerShape tsp_sampler_shape(int max_nodes, int max_variables, int max_degree, long long samples);
SamplerShape mis_sampler_shape(int max_nodes);
/// For graphs of at most kMostBitNodes nodes.
SamplerShape mis_bits_shape(int max_nodes, int samples, long long trajectories);
inline constexpr int kMostBitNodes = 1024;

/// b tours per trajectory; costs, advantages' means.
void tsp_sample(const DeviceBatch& batch, const SamplerShape& shape, cudaStream_t stream);
/// The tours after local search, beside the sampled ones; their mean cost.
SearchShape tsp_search_shape(int max_nodes);
void tsp_local_search(const DeviceBatch& batch, const SearchShape& shape, unsigned kinds, bool first, int move_limit,
                      cudaStream_t stream);
/// Gradient and momenta of all rows; beside it, one block per trajectory updates pool, membership, status and h_g.
void tsp_gradient(const DeviceBatch& batch, const NetworkOffsets& net, bool bf16, int max_degree, cudaStream_t stream);

/// e^(θ − max) of all nodes.
void mis_mass(const DeviceBatch& batch, cudaStream_t stream);
/// b independent sets per trajectory; costs, prefix sums of the gradient.
void mis_sample(const DeviceBatch& batch, const SamplerShape& shape, cudaStream_t stream);
/// Likewise, with the masses, for small graphs.
void mis_sample_bits(const DeviceBatch& batch, const SamplerShape& shape, cudaStream_t stream);
/// Words that the bits of a graph take, and setting them for all graphs of a batch.
std::size_t mis_bits_words(int nodes);
void mis_bits(const DeviceBatch& batch, int graphs, cudaStream_t stream);
/// The sets after local search, beside the sampled ones; their mean cost.
SearchShape mis_search_shape(int max_nodes, bool weighted);
void mis_local_search(const DeviceBatch& batch, const SearchShape& shape, int move_limit, int plateau_steps,
                      cudaStream_t stream);
/// Gradient and momenta of all nodes; beside it the pool as above.
void mis_gradient(const DeviceBatch& batch, const NetworkOffsets& net, bool bf16, cudaStream_t stream);

/// How many neighbours each node has in the pool's solutions, on average.
void mis_crowding(const DeviceBatch& batch, cudaStream_t stream);

/// Mean entropy of the policy's choices → state.
void entropy(const DeviceBatch& batch, cudaStream_t stream);

/// θ⁰ of the Adam baseline, and its update.
void adam_begin(const DeviceBatch& batch, cudaStream_t stream);
void adam_update(const DeviceBatch& batch, cudaStream_t stream);

}  // namespace moco::cuda
