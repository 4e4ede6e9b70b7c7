// Which family a graph belongs to, by its structure.
#pragma once

#include <string_view>

#include "moco/instance.h"

namespace moco {

/// The family that the graph looks like, or nothing.
/// "sat": in the graph of a 3-SAT formula each node lies in exactly one triangle, that of its clause, since the nodes
/// it contradicts all stand for one literal and are not adjacent. A sample of the nodes is looked at. "road": few
/// neighbours per node and about as many for all, as in road networks, grids and rings. Random graphs vary more, graphs
/// with hubs much more.
std::string_view recognised_kind(const GraphInstance& graph);

}  // namespace moco
