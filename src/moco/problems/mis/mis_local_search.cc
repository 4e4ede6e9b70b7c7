// The search of set_search.h with one lane.
#include "moco/problems/mis/mis_local_search.h"

#include <algorithm>

#include "moco/problems/mis/set_search.h"

namespace moco {

namespace {

class MisLocalSearch final : public LocalSearch {
 public:
  MisLocalSearch(const DecisionGraph& graph, const LocalSearchOptions& search, int plateau_steps)
      : graph_(graph), limits_{search.move_limit, plateau_steps} {}

  std::int64_t improve(std::vector<Index>& items, LocalSearchScratch& scratch,
                       const std::function<bool()>& stop) const override {
    const auto n = static_cast<std::size_t>(graph_.nodes);
    if (graph_.weights.empty()) {
      return improve(items, scratch, stop, UnitWeights());
    }
    scratch.integers.resize(5 * n);
    scratch.reals.resize(n);
    return improve(items, scratch, stop,
                   NodeWeights{graph_.weights.data(), scratch.reals.data(), scratch.integers.data() + 4 * n});
  }

 private:
  template <typename Weights>
  std::int64_t improve(std::vector<Index>& items, LocalSearchScratch& scratch, const std::function<bool()>& stop,
                       const Weights& weights) const {
    const auto n = static_cast<std::size_t>(graph_.nodes);
    scratch.integers.resize(std::max(scratch.integers.size(), 4 * n));
    scratch.flags.resize(3 * n);
    Index* integers = scratch.integers.data();
    const SetWorkspace work{.tightness = integers,
                            .inside = integers + n,
                            .queue = integers + 2 * n,
                            .loose = integers + 3 * n,
                            .queued = scratch.flags.data(),
                            .chosen = scratch.flags.data() + n,
                            .kept = scratch.flags.data() + 2 * n};
    const SetGraph<Offset> graph{graph_.nodes, graph_.offsets.data(), graph_.targets.data()};
    SetSearch<SerialTeam, Offset, Weights> search(SerialTeam(), graph, limits_, work, weights);
    const std::int64_t moves =
        search.run(items.data(), static_cast<Index>(items.size()), [&] { return stop && stop(); });
    items.resize(n);
    items.resize(static_cast<std::size_t>(search.write(items.data())));
    return moves;
  }

  const DecisionGraph& graph_;
  SetSearchLimits limits_;
};

}  // namespace

std::unique_ptr<LocalSearch> make_mis_local_search(const DecisionGraph& graph, const LocalSearchOptions& search,
                                                   int plateau_steps) {
  return std::make_unique<MisLocalSearch>(graph, search, plateau_steps);
}

}  // namespace moco
