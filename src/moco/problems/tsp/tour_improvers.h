// The local searches of tours, for lengths as an instance has them or as moves are to see them.
// `Lengths::with(instance, body)` calls body(distance). They are instantiated in two files, because compilers inline
// less of what is in one.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "moco/core/work_queue.h"
#include "moco/policy/local_search.h"
#include "moco/problems/decision_graph.h"
#include "moco/problems/tsp/deep_moves.h"
#include "moco/problems/tsp/tour_search.h"

namespace moco {

/// 2-opt, Or-opt and their like (tour_search.h) with one lane.
template <typename Lengths>
class TourImprover final : public LocalSearch {
 public:
  TourImprover(const DecisionGraph& graph, TourSearchLimits limits)
      : graph_(graph), instance_(dynamic_cast<const TspInstance&>(*graph.instance)), limits_(limits) {}

  std::int64_t improve(std::vector<Index>& items, LocalSearchScratch& scratch,
                       const std::function<bool()>& stop) const override {
    const auto n = static_cast<std::size_t>(graph_.nodes);
    scratch.integers.resize(2 * n);
    scratch.flags.resize(n);
    const TourWorkspace work{items.data(), scratch.integers.data(), scratch.integers.data() + n, scratch.flags.data()};
    const std::int64_t moves = Lengths::with(instance_, [&](const auto& distance) -> std::int64_t {
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

/// Exchanges of deep_moves.h until a round over all cities finds none.
template <typename Lengths>
class DeepTourImprover final : public LocalSearch {
 public:
  DeepTourImprover(const DecisionGraph& graph, TourSearchLimits limits)
      : graph_(graph), instance_(dynamic_cast<const TspInstance&>(*graph.instance)), limits_(limits) {}

  std::int64_t improve(std::vector<Index>& items, LocalSearchScratch& scratch,
                       const std::function<bool()>& stop) const override {
    return Lengths::with(instance_, [&](const auto& distance) { return improve(distance, items, scratch, stop); });
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
    DeepMoves<Distance> moves(tour, distance, neighbours, limits_.first, kLeastGain * graph_.cost_scale);
    WorkQueue<SerialTeam> queue(SerialTeam(), n, scratch.integers.data(), scratch.flags.data());
    std::int64_t made = 0;
    const auto ended = [&] { return (limits_.moves > 0 && made >= limits_.moves) || (stop && stop()); };
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
  TourSearchLimits limits_;
};

/// `lk` where no kinds of moves are asked for.
template <typename Lengths>
std::unique_ptr<LocalSearch> make_improver(const DecisionGraph& graph, TourSearchLimits limits) {
  if (limits.kinds == 0) {
    return std::make_unique<DeepTourImprover<Lengths>>(graph, limits);
  }
  return std::make_unique<TourImprover<Lengths>>(graph, limits);
}

/// The same for an instance with fixed edges, which stay.
std::unique_ptr<LocalSearch> make_fixed_edge_improver(const DecisionGraph& graph, TourSearchLimits limits);

}  // namespace moco
