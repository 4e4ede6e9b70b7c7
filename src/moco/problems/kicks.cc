// The iterated search of each problem.
#include "moco/problems/kicks.h"

#include "moco/problems/mis/set_kicks.h"
#include "moco/problems/tsp/tour_kicks.h"

namespace moco {

std::unique_ptr<KickSearch> make_kick_search(const DecisionGraph& graph) {
  return graph.kind == VariableKind::edge ? make_tour_kicks(graph) : make_set_kicks(graph);
}

}  // namespace moco
