// Where a local search keeps its working set, decided once per batch.
#pragma once

namespace moco::cuda {

struct SearchShape {
  int shared_bytes = 0;
  bool in_shared = true;
  int max_nodes = 0;
  int integers_per_node = 0;  ///< of global memory per node and sample, when shared memory is too small
  int flags_per_node = 0;     ///< likewise
  int reals_per_node = 0;     ///< likewise
};
inline constexpr long long kSearchSharedLimit = 200 * 1024;

}  // namespace moco::cuda
