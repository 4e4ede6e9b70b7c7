// The search of tour_search.h with one lane, and `lk`: exchanges of deep_moves.h until a round over all cities finds
// none.
#include "moco/problems/tsp/tsp_local_search.h"

#include <algorithm>
#include <array>

#include "moco/core/work_queue.h"
#include "moco/problems/tsp/deep_moves.h"
#include "moco/problems/tsp/distance.h"
#include "moco/problems/tsp/fixed_edges.h"
#include "moco/problems/tsp/tour_search.h"

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

/// body(distance) with the instance's distances as moves are to see them.
template <typename Body>
std::int64_t with_move_distance(const TspInstance& instance, const Body& body) {
  return with_distance(instance, [&](const auto& distance) {
    using Distance = std::remove_cvref_t<decltype(distance)>;
    const FixedEdges fixed(instance.fixed_partners());
    return fixed.none() ? body(distance) : body(FixedEdgesAreShortest<Distance>{distance, fixed});
  });
}

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
    const std::int64_t moves = with_move_distance(instance_, [&](const auto& distance) -> std::int64_t {
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

class DeepLocalSearch final : public LocalSearch {
 public:
  DeepLocalSearch(const DecisionGraph& graph, int move_limit, MoveRule rule)
      : graph_(graph),
        instance_(dynamic_cast<const TspInstance&>(*graph.instance)),
        move_limit_(move_limit),
        first_(rule == MoveRule::first) {}

  std::int64_t improve(std::vector<Index>& items, LocalSearchScratch& scratch,
                       const std::function<bool()>& stop) const override {
    return with_move_distance(instance_, [&](const auto& distance) { return improve(distance, items, scratch, stop); });
  }

 private:
  template <typename Distance>
  std::int64_t improve(const Distance& distance, std::vector<Index>& items, LocalSearchScratch& scratch,
                       const std::function<bool()>& stop) const {
    scratch.integers.resize(items.size());
    scratch.flags.resize(items.size());
    const Index start = items.front();
    const int n = graph_.nodes;
    ArrayTour tour(items);
    const TourNeighbours neighbours{graph_.targets.data(), graph_.length.data(), graph_.degree};
    DeepMoves<Distance> moves(tour, distance, neighbours, first_, kLeastGain * graph_.cost_scale);
    WorkQueue<SerialTeam> queue(SerialTeam(), n, scratch.integers.data(), scratch.flags.data());
    std::int64_t made = 0;
    const auto ended = [&] { return (move_limit_ > 0 && made >= move_limit_) || (stop && stop()); };
    for (std::int64_t before = -1; n > 3 && made > before && !ended();) {  // fewer cities have one tour
      before = made;
      const std::vector<Index> all(items);
      queue.fill(all.data(), n);
      while (!queue.empty() && !ended()) {
        const Index city = queue.pop();
        for (EdgeExchange move = moves.find(city); move.edges > 0; move = moves.find(city)) {
          tour.make(move);
          ++made;
          for (const Index end : move.touched()) {
            queue.push(end);
          }
          if (ended()) {
            break;
          }
        }
      }
    }
    std::rotate(items.begin(), std::find(items.begin(), items.end(), start), items.end());
    return made;
  }

  static constexpr double kLeastGain = 1e-10;  // of the instance's scale

  const DecisionGraph& graph_;
  const TspInstance& instance_;
  int move_limit_;
  bool first_;
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
  if (tour_move_kinds(search.name) == 0) {
    return std::make_unique<DeepLocalSearch>(graph, search.move_limit, rule);
  }
  return std::make_unique<TspLocalSearch>(graph, search, rule);
}

}  // namespace moco
