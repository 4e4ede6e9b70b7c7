// A tour that is improved window by window, round by round: as it stands, and the best one so far.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "moco/core/halt.h"
#include "moco/core/random.h"
#include "moco/policy/kicks.h"
#include "moco/problems/decision_graph.h"
#include "moco/problems/tsp/tour_kicks.h"
#include "moco/problems/tsp/tour_windows.h"

namespace moco {

class WindowedTour {
 public:
  /// All must outlive this. Throws Halted when the task's halt is due, as cut() does.
  WindowedTour(const DecisionGraph& graph, const std::vector<Index>& items, const DividedKicks& task,
               const Executor& executor);

  const TspInstance& instance() const { return instance_; }
  /// Whose numbers are the cities of all tours here.
  const TourPart& part() const { return part_; }
  const std::vector<Point>& points() const { return points_; }
  const std::vector<Index>& tour() const { return tour_; }
  double cities() const { return static_cast<double>(tour_.size()); }
  double best_length() const { return best_; }
  double mean_edge() const { return best_ / cities(); }
  /// The best tour, of the instance's cities.
  std::vector<Index> best() const;

  TourWindows cut(std::size_t count, RandomSequence& random) const;
  /// Local search everywhere: edges longer than windows are only found here. `stop` is asked now and then.
  void settle(StreamKey key, const std::function<bool()>& stop);
  /// Takes a tour over if it is shorter than the best one, or else to go on with it where `longer_too` says so.
  void take(std::vector<Index> tour, bool longer_too);
  double length_of(const std::vector<Index>& tour) const;

 private:
  const TspInstance& instance_;
  const DividedKicks& task_;
  const Executor& executor_;
  TourPart part_;
  std::vector<Point> points_;
  std::vector<Index> tour_;
  std::vector<Index> best_tour_;  ///< empty while it is tour_
  double best_ = 0.0;
};

/// Makes a search and runs it. A halt that is due ends it at once, while it is made or between two rounds, where
/// nothing is lost. Returns its kicks; `items` are its best tour.
template <typename Search, typename... Arguments>
std::int64_t run_rounds(std::vector<Index>& items, Arguments&&... arguments) {
  std::optional<Search> search;
  try {
    search.emplace(std::forward<Arguments>(arguments)...);
    search->run();
  } catch (const Halted&) {
    if (!search) {
      return 0;
    }
  }
  items = search->best();
  return search->kicks();
}

}  // namespace moco
