// How the trajectories of a batch lie side by side in all arrays, and what the shapes of kernels are chosen by.
#pragma once

#include <cstddef>
#include <vector>

#include "moco/engine/cuda/batch/device_batch.h"
#include "moco/engine/cuda/batch/pass_shape.h"
#include "moco/engine/engine.h"

namespace moco::cuda {

struct BatchLayout {
  explicit BatchLayout(const BatchSpec& spec);

  std::vector<TrajectoryData> trajectories;
  // Tables of chunks, each filled by the program whose kernels take them.
  std::vector<RowChunk> gradient_chunks;
  std::vector<RowChunk> variable_chunks;
  std::vector<RowChunk> edge_chunks;
  std::vector<RowChunk> node_chunks;
  int samples = 0;      ///< b
  int graphs = 0;       ///< in number
  int weight_sets = 0;  ///< in number
  // Of the trajectories.
  std::size_t nodes = 0;
  std::size_t variables = 0;
  int max_nodes = 0;
  int max_variables = 0;
  int max_degree = 0;
  int largest_graph = 0;  ///< nodes; also of graphs without a trajectory

  int count() const { return static_cast<int>(trajectories.size()); }
  /// [T], [T × b], [b × n]: lengths of arrays.
  std::size_t per_trajectory() const { return trajectories.size(); }
  std::size_t per_sample() const { return trajectories.size() * static_cast<std::size_t>(samples); }
  std::size_t per_step() const { return nodes * static_cast<std::size_t>(samples); }
};

/// Appends the chunks of one trajectory with `rows` rows, `per_chunk` each.
ChunkRange append_chunks(std::vector<RowChunk>& chunks, int trajectory, int rows, int per_chunk);

/// Cuts the variables of all trajectories into chunks of that many.
void cut_variables(BatchLayout& layout, int per_chunk);

/// Cuts all nodes into chunks of the networks that run pass by pass.
PassShape cut_nodes(BatchLayout& layout, bool bf16);

/// Throws OptionError, which names the value that would fit, where `value` is more than a batch on the device holds.
void require_at_most(const char* what, long long value, long long most);

}  // namespace moco::cuda
