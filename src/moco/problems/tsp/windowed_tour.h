// A tour that is improved window by window, round by round: as it stands, and the best one so far.
#pragma once

#include <functional>
#include <vector>

#include "moco/core/random.h"
#include "moco/policy/kicks.h"
#include "moco/problems/decision_graph.h"
#include "moco/problems/tsp/tour_kicks.h"
#include "moco/problems/tsp/tour_windows.h"

namespace moco {

class WindowedTour {
 public:
  /// All must outlive this. `improved` hears of every better tour, of the instance's cities; it may be empty.
  WindowedTour(const DecisionGraph& graph, const std::vector<Index>& items,
               const std::function<void(const std::vector<Index>&, double)>& improved, const Executor& executor);

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
  const std::function<void(const std::vector<Index>&, double)>& improved_;
  const Executor& executor_;
  TourPart part_;
  std::vector<Point> points_;
  std::vector<Index> tour_;
  std::vector<Index> best_tour_;  ///< empty while it is tour_
  double best_ = 0.0;
};

}  // namespace moco
