// θ on an instance's decision variables, for drawing.
#pragma once

#include <vector>

#include "moco/types.h"

namespace moco {

struct Heatmap {
  std::vector<Index> from;  ///< node, or tail of the edge
  std::vector<Index> to;    ///< head of the edge; empty for variables on nodes
  /// Softmax of θ over the edges that leave a node, or over all nodes with the largest scaled to 1.
  std::vector<float> probability;
};

}  // namespace moco
