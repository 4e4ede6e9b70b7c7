// Local searches that see fixed edges as infinitely short. Such instances are rare: one distance function does for all
// metrics.
#include "moco/problems/tsp/fixed_edges.h"
#include "moco/problems/tsp/tour_improvers.h"

namespace moco {

namespace {

struct LengthsWithFixedEdges {
  template <typename Body>
  static std::int64_t with(const TspInstance& instance, const Body& body) {
    const auto distance = [&](Index from, Index to) { return instance.distance(from, to); };
    return body(FixedEdgesAreShortest<decltype(distance)>{distance, FixedEdges(instance.fixed_partners())});
  }
};

}  // namespace

std::unique_ptr<LocalSearch> make_fixed_edge_improver(const DecisionGraph& graph, TourSearchLimits limits) {
  return make_improver<LengthsWithFixedEdges>(graph, limits);
}

}  // namespace moco
