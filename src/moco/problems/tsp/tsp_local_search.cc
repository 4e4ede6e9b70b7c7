// Names, and which moves they stand for.
#include "moco/problems/tsp/tsp_local_search.h"

#include <array>

#include "moco/problems/tsp/distance.h"
#include "moco/problems/tsp/tour_improvers.h"

namespace moco {

namespace {

/// 2-opt alone and lk reverse paths, which is no move where the way back has another length.
std::string needs_symmetry(const Instance& instance) {
  return dynamic_cast<const TspInstance&>(instance).symmetric()
             ? ""
             : "reverses paths, which asymmetric distances do not allow; oropt3 keeps their direction";
}

constexpr std::array<LocalSearchKind, 6> kSearches = {
    {{"2opt", needs_symmetry}, {"oropt"}, {"2opt+oropt"}, {"oropt3"}, {"2opt+oropt3"}, {"lk", needs_symmetry, true}}};
constexpr std::array<unsigned, 6> kMoves = {
    kTwoOpt, kOrOpt, kTwoOpt | kOrOpt, kOrOpt | kOrThreeOpt, kTwoOpt | kOrOpt | kOrThreeOpt, 0};

struct OwnLengths {
  template <typename Body>
  static std::int64_t with(const TspInstance& instance, const Body& body) {
    return with_distance(instance, body);
  }
};

}  // namespace

std::span<const LocalSearchKind> tour_searches() {
  return kSearches;
}

unsigned tour_move_kinds(std::string_view name) {
  for (std::size_t i = 0; i < kSearches.size(); ++i) {
    if (kSearches[i].name == name) {
      return kMoves[i];
    }
  }
  return 0;
}

std::unique_ptr<LocalSearch> make_tsp_local_search(const DecisionGraph& graph, const LocalSearchOptions& search,
                                                   MoveRule rule) {
  const TourSearchLimits limits{tour_move_kinds(search.name), rule == MoveRule::first, search.move_limit};
  const auto& instance = dynamic_cast<const TspInstance&>(*graph.instance);
  return instance.fixed_partners().empty() ? make_improver<OwnLengths>(graph, limits)
                                           : make_fixed_edge_improver(graph, limits);
}

}  // namespace moco
