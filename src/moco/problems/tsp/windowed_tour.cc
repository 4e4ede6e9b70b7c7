// Lengths are added up anew for every tour, in ranges of cities and in double precision.
#include "moco/problems/tsp/windowed_tour.h"

#include <algorithm>
#include <numeric>

#include "moco/core/ceil_div.h"

namespace moco {

namespace {

constexpr std::size_t kCitiesPerTask = 65536;

std::size_t at(Index index) {
  return static_cast<std::size_t>(index);
}

}  // namespace

WindowedTour::WindowedTour(const DecisionGraph& graph, const std::vector<Index>& items, const DividedKicks& task,
                           const Executor& executor)
    : instance_(dynamic_cast<const TspInstance&>(*graph.instance)),
      task_(task),
      executor_(executor),
      part_(whole_part(graph, items, executor.with(task.halt))),
      points_(items.size()),
      tour_(items.size()) {
  std::iota(tour_.begin(), tour_.end(), Index{0});
  executor.with(task.halt).for_each_range(items.size(), kCitiesPerTask,
                                          [&](std::size_t begin, std::size_t end, std::size_t) {
                                            for (std::size_t i = begin; i < end; ++i) {
                                              points_[i] = instance_.points()[at(items[i])];
                                            }
                                          });
  best_ = length_of(tour_);
}

std::vector<Index> WindowedTour::best() const {
  std::vector<Index> tour = best_tour_.empty() ? tour_ : best_tour_;
  std::ranges::transform(tour, tour.begin(), [&](Index number) { return part_.cities[at(number)]; });
  return tour;
}

TourWindows WindowedTour::cut(std::size_t count, RandomSequence& random) const {
  return cut_into_cells(points_, tour_, count, random, executor_.with(task_.halt));
}

void WindowedTour::settle(StreamKey key, const std::function<bool()>& stop) {
  if (stop()) {
    return;
  }
  std::vector<Index> tour = tour_;
  kick_tour(instance_, part_, tour, key,
            KickPace{[&](const KickMoment& moment) { return moment.settled || stop() ? -1.0 : 0.0; }});
  take(std::move(tour), false);
}

void WindowedTour::take(std::vector<Index> tour, bool longer_too) {
  const double length = length_of(tour);
  if (length < best_) {
    best_ = length;
    best_tour_.clear();
    tour_ = std::move(tour);
    if (task_.improved) {
      task_.improved(best(), best_);
    }
  } else if (longer_too) {
    if (best_tour_.empty()) {
      best_tour_ = std::move(tour_);
    }
    tour_ = std::move(tour);
  }
}

double WindowedTour::length_of(const std::vector<Index>& tour) const {
  const std::size_t n = tour.size();
  const auto city = [&](std::size_t place) { return part_.cities[at(tour[place == n ? 0 : place])]; };
  std::vector<double> sums(ceil_div(n, kCitiesPerTask), 0.0);
  executor_.for_each_range(n, kCitiesPerTask, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t place = begin; place < end; ++place) {
      sums[begin / kCitiesPerTask] += instance_.distance(city(place), city(place + 1));
    }
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

}  // namespace moco
