// Working copies for each kind of distances: sequential moves of two and three edges mend where both directions are
// equally long, moves that reverse nothing where they are not.
#include "moco/problems/tsp/partial_tours.h"

#include "moco/problems/tsp/directed_moves.h"
#include "moco/problems/tsp/distance.h"
#include "moco/problems/tsp/rebuilt_tour.h"
#include "moco/problems/tsp/three_opt.h"

namespace moco {

namespace {

/// Lengths as they are, and as moves see them.
template <typename Distance>
struct PlainLengths {
  PlainLengths(const Distance& given, FixedEdges) : all(given), for_moves(all) {}

  Distance all;
  const Distance& for_moves;
};
template <typename Distance>
struct LengthsWithFixedEdges {
  LengthsWithFixedEdges(const Distance& given, FixedEdges fixed) : all(given), for_moves{all, fixed} {}

  Distance all;
  FixedEdgesAreShortest<Distance> for_moves;
};

/// Has the lengths that its tour refers to.
template <typename Moves, typename Distance, typename Lengths>
class TourCopy final : private Lengths, public RebuiltTour<Moves, Distance> {
 public:
  TourCopy(const DecisionGraph& graph, const Distance& distance, FixedEdges fixed, Index most)
      : Lengths(distance, fixed),
        RebuiltTour<Moves, Distance>(graph, Lengths::all, Lengths::for_moves, fixed,
                                     kLeastPartialGain * graph.cost_scale, most) {}
};

class PartialTours final : public PartialConstruction {
 public:
  PartialTours(const DecisionGraph& graph, Index count)
      : graph_(graph), instance_(dynamic_cast<const TspInstance&>(*graph.instance)), count_(count) {}

  std::unique_ptr<WorkingCopy> working_copy() const override {
    if (!instance_.fixed_partners().empty()) {  // rare: one distance function does for all metrics
      const auto distance = [this](Index from, Index to) { return instance_.distance(from, to); };
      using Distance = std::remove_const_t<decltype(distance)>;
      return copy<FixedEdgesAreShortest<Distance>, LengthsWithFixedEdges<Distance>>(distance);
    }
    return with_distance(instance_, [this](const auto& distance) {
      using Distance = std::remove_cvref_t<decltype(distance)>;
      return copy<Distance, PlainLengths<Distance>>(distance);
    });
  }

  double first_temperature(double cost) const override { return kFirstTourTemperature * cost / graph_.nodes; }

  std::uint64_t copy_bytes() const override {
    return static_cast<std::uint64_t>(graph_.nodes) * 25;  // order, places, queue, marks, moved cities
  }
  std::uint64_t choices_bytes() const override {
    const auto steps = static_cast<std::uint64_t>(std::min(count_, graph_.nodes));
    return steps * (sizeof(ChosenVariable) + sizeof(Index) * static_cast<std::uint64_t>(graph_.degree));
  }

 private:
  template <typename MoveDistance, typename Lengths, typename Distance>
  std::unique_ptr<WorkingCopy> copy(const Distance& distance) const {
    const FixedEdges fixed(instance_.fixed_partners());
    if (graph_.symmetric) {
      return std::make_unique<TourCopy<ThreeOpt<MoveDistance>, Distance, Lengths>>(graph_, distance, fixed, count_);
    }
    return std::make_unique<TourCopy<DirectedMoves<MoveDistance>, Distance, Lengths>>(graph_, distance, fixed, count_);
  }

  const DecisionGraph& graph_;
  const TspInstance& instance_;
  Index count_;
};

}  // namespace

std::unique_ptr<PartialConstruction> make_partial_tours(const DecisionGraph& graph, Index count) {
  return std::make_unique<PartialTours>(graph, count);
}

}  // namespace moco
