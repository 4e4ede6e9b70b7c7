// The search of tour_search.h with one lane.
#include "moco/problems/tsp/tsp_local_search.h"

#include <array>

#include "moco/problems/tsp/distance.h"
#include "moco/problems/tsp/tour_search.h"

namespace moco {

namespace {

/// 2-opt alone reverses paths, which is no move where the way back has another length.
std::string needs_symmetry(const Instance& instance) {
  return dynamic_cast<const TspInstance&>(instance).symmetric()
             ? ""
             : "reverses paths, which asymmetric distances do not allow; oropt3 keeps their direction";
}

constexpr std::array<LocalSearchKind, 5> kSearches = {
    {{"2opt", needs_symmetry}, {"oropt"}, {"2opt+oropt"}, {"oropt3"}, {"2opt+oropt3"}}};
constexpr std::array<unsigned, 5> kMoves = {kTwoOpt, kOrOpt, kTwoOpt | kOrOpt, kOrOpt | kOrThreeOpt,
                                            kTwoOpt | kOrOpt | kOrThreeOpt};

class TspLocalSearch final : public LocalSearch {
 public:
  TspLocalSearch(const DecisionGraph& graph, const LocalSearchOptions& search, MoveRule rule)
      : graph_(graph),
        instance_(dynamic_cast<const TspInstance&>(*graph.instance)),
        limits_{tour_move_kinds(search.name), rule == MoveRule::first, search.move_limit} {}

  std::int64_t improve(std::vector<Index>& items, LocalSearchScratch& scratch,
                       const std::function<bool()>& stop) const override {
    const auto n = static_cast<std::size_t>(graph_.nodes);
    scratch.integers.resize(2 * n);
    scratch.flags.resize(n);
    const TourWorkspace work{items.data(), scratch.integers.data(), scratch.integers.data() + n, scratch.flags.data()};
    const std::int64_t moves = with_distance(instance_, [&](const auto& distance) {
      return search_tour(
          SerialTeam(), graph_.nodes, items.front(),
          [&](Index from, Index to) { return static_cast<float>(distance(from, to)); },
          TourNeighbours{graph_.targets.data(), graph_.length.data(), graph_.degree}, graph_.symmetric, limits_, work,
          [&] { return stop && stop(); });
    });
    items.assign(work.queue, work.queue + n);
    return moves;
  }

 private:
  const DecisionGraph& graph_;
  const TspInstance& instance_;
  TourSearchLimits limits_;
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
  return std::make_unique<TspLocalSearch>(graph, search, rule);
}

}  // namespace moco
