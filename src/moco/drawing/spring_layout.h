// Forces that untangle a connected graph: edges pull, nodes push (Hu: "Efficient, high-quality force-directed graph
// drawing", 2005).
#pragma once

#include <vector>

#include "moco/drawing/graph_layout.h"

namespace moco::drawing {

/// Moves the nodes for a number of steps that the size of the graph bounds. Deterministic. Places may coincide at
/// first.
void relax_springs(const GraphView& graph, std::vector<Place>& places);

}  // namespace moco::drawing
