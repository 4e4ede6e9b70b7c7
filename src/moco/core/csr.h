// Compressed sparse rows from a list of directed arcs.
#pragma once

#include <span>
#include <vector>

#include "moco/types.h"

namespace moco {

struct Arc {
  Index from = 0;
  Index to = 0;
};

/// Row `i` is targets[offsets[i]] … targets[offsets[i + 1] − 1].
struct Csr {
  std::vector<Offset> offsets;
  std::vector<Index> targets;

  std::span<const Index> row(Index node) const;
};

/// Groups arcs by their tail, each row in ascending order and repeated arcs kept. Takes O(n + m) time. Ends must lie in
/// 0 … n−1.
Csr build_csr(Index n, std::span<const Arc> arcs);

}  // namespace moco
