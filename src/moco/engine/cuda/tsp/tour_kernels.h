// Launchers of the kernels that sample tours and learn from them. All enqueue on the stream and return at once.
#pragma once

#include "moco/engine/cuda/batch/device_batch.h"
#include "moco/engine/cuda/batch/search_shape.h"
#include "moco/engine/cuda/kit/device.h"
#include "moco/model.h"

namespace moco::cuda {

/// Where the sampler keeps its working set, decided once per batch.
struct TourSamplerShape {
  int threads = 128;
  int shared_bytes = 0;
  bool keys_shared = false;  ///< all keys drawn beforehand
  bool sorted = false;       ///< rows in the order of their keys
  bool visited_shared = false;
  int max_nodes = 0;
  int places = 0;  ///< keys of the largest trajectory, rows filled up to multiples of four
  int max_degree = 0;
};

/// θ⁰ by the lengths of edges, or all alike.
void tsp_promise(const DeviceBatch& batch, Initialisation init, cudaStream_t stream);
/// Chooses the shape from the largest trajectory and the number of samples of the batch.
TourSamplerShape tsp_sampler_shape(int max_nodes, int max_variables, int max_degree, long long samples);
/// b tours per trajectory; costs, advantages' means.
void tsp_sample(const DeviceBatch& batch, const TourSamplerShape& shape, cudaStream_t stream);
/// The tours after local search, beside the sampled ones; their mean cost.
SearchShape tsp_search_shape(int max_nodes);
void tsp_local_search(const DeviceBatch& batch, const SearchShape& shape, unsigned kinds, bool first, int move_limit,
                      cudaStream_t stream);
/// Where working copies of tours are kept, decided once per batch.
struct TourChangeShape {
  bool in_shared = true;
  int copy_bytes = 0;        ///< of shared memory
  int spilled_per_city = 0;  ///< bytes of global memory per city and sample otherwise
};
TourChangeShape tsp_change_shape(int max_nodes);
/// The base of trajectories that have an elite and none yet: its best solution, after a local search everywhere.
void tsp_base(const DeviceBatch& batch, const TourChangeShape& shape, cudaStream_t stream);
/// b changes of each base; costs, advantages' means.
void tsp_change(const DeviceBatch& batch, const TourChangeShape& shape, cudaStream_t stream);
/// Gradient and momenta of trajectories that have a base.
void tsp_change_gradient(const DeviceBatch& batch, int max_degree, cudaStream_t stream);
/// Elite, where the base moves, membership, status and h_g, of trajectories that have a base.
void tsp_move_base(const DeviceBatch& batch, const TourChangeShape& shape, const NetworkOffsets& net, bool bf16,
                   cudaStream_t stream);
/// The most samples per step for which tsp_move_base has shared memory.
int tsp_most_changes(int max_nodes);
/// Gradient and momenta of all rows; beside it, one block per trajectory updates elite, membership, status and h_g. Of
/// trajectories that have no base.
void tsp_gradient(const DeviceBatch& batch, const NetworkOffsets& net, bool bf16, int max_degree, cudaStream_t stream);
/// Membership and h_g anew, for a network that has not seen these elites.
void tsp_elite(const DeviceBatch& batch, const NetworkOffsets& net, bool bf16, cudaStream_t stream);
/// The most samples per step and neighbours per city for which tsp_gradient has shared memory.
int tsp_most_samples();
int tsp_most_neighbours();

}  // namespace moco::cuda
