// What the kernels of a search step have to do, counted from the sizes of a batch: bytes and floating-point operations
// that no rendering of the same step can do without. bench/kernel_lab sets measured times against them.
#pragma once

#include <optional>
#include <string_view>

#include "moco/engine/engine.h"

namespace moco {

/// Sizes of a batch, all trajectories together unless said otherwise.
struct WorkSizes {
  bool tsp = true;
  bool causal = false;
  double element_bytes = 2.0;  ///< of weights and of what products read: bf16 2, float32 4
  double blocks = 3.0;         ///< L, of the network
  double samples = 32.0;       ///< b, per trajectory
  double trajectories = 0.0;   ///< T
  double weight_sets = 0.0;    ///< W
  double nodes = 0.0;          ///< S
  double variables = 0.0;      ///< V: TSP the edges, MIS the nodes
  double edges = 0.0;          ///< E, directed: TSP V
  double graph_nodes = 0.0;    ///< of the different instances: trajectories share their indices
  double graph_edges = 0.0;    ///< likewise
  double chosen = 0.0;         ///< MIS: nodes of a sampled set, summed over the trajectories
  bool staged = false;         ///< MIS: neighbour_max takes the maxima, from shared memory
};

/// `chosen` and `staged` stay as they are: a batch has to run first.
WorkSizes work_sizes(const BatchSpec& spec, double element_bytes);

/// All calls of a kernel in one step.
struct KernelWork {
  double bytes = 0.0;     ///< every array that is read or written counts once per call, wherever it lies
  double gathered = 0.0;  ///< bytes of rows and entries fetched again by index, which only caches can serve
  double products = 0.0;  ///< floating-point operations of the matrix products, two per multiply-add
  double others = 0.0;    ///< other floating-point operations; logarithms, exponentials and divisions count as one
};

/// By the name that CudaBatch::profile() gives the kernel; nothing for kernels that are not counted (local search,
/// entropy, Adam), whose work depends on what they find.
std::optional<KernelWork> kernel_work(std::string_view kernel, const WorkSizes& sizes);

}  // namespace moco
