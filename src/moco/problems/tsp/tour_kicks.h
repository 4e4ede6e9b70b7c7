// Iterated local search on tours.
#pragma once

#include <memory>
#include <vector>

#include "moco/core/raw_vector.h"
#include "moco/policy/kicks.h"
#include "moco/problems/decision_graph.h"

namespace moco {

/// Some of an instance's cities, for a search that sees nothing else. They are numbered from 0; numbers of near cities
/// should be near, as along a tour.
struct TourPart {
  std::vector<Index> cities;  ///< number i stands for city cities[i] of the instance
  Index degree = 0;           ///< candidate neighbours of every city
  RawVector<Index> targets;   ///< [cities × degree] numbers by rising length; one that has fewer repeats its last
  RawVector<double> length;   ///< [cities × degree] in the instance's metric
  std::vector<Index> fixed;   ///< as for FixedEdges, by numbers; empty: none
};

/// All cities with their candidates, numbered along a tour.
TourPart whole_part(const DecisionGraph& graph, const std::vector<Index>& tour, const Executor& executor);

/// KickSearch::run on a tour of the part, `order`, by numbers. The tour has all the fixed edges, and keeps them; how
/// long they are does not matter.
std::int64_t kick_tour(const TspInstance& instance, const TourPart& part, std::vector<Index>& order, StreamKey key,
                       const KickBudget& spent);

/// Asked every few dozen kicks.
struct KickPace {
  /// Of the kicks to come, in the instance's metric; below 0 the search ends.
  std::function<double(const KickMoment&)> temperature;
};

/// The same for symmetric distances where somebody else sees to temperature and end; ends with the tour as it then
/// stands.
std::int64_t kick_tour(const TspInstance& instance, const TourPart& part, std::vector<Index>& order, StreamKey key,
                       const KickPace& pace);

/// The tours that are improved must have the instance's fixed edges.
std::unique_ptr<KickSearch> make_tour_kicks(const DecisionGraph& graph);

}  // namespace moco
