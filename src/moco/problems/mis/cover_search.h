// Large independent sets as small vertex covers, by weights on edges (Cai, Su, Luo and Sattar, "NuMVC: an efficient
// local search algorithm for minimum vertex cover", JAIR 2013).
//
// The nodes outside the set are to cover all edges. Whenever they do, one of them is taken away; then a node leaves the
// cover for another one again and again, until all edges are covered. An edge gains weight for every step it goes
// uncovered. The node that leaves costs the least weight, of such the one that was there longest; the one that enters
// covers a random uncovered edge, and has had a neighbour come or go since it left. Now and then weights are forgotten
// in part.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "moco/core/random.h"
#include "moco/problems/decision_graph.h"

namespace moco {

class CoverSearch {
 public:
  /// Begins with an independent set. The graph has an edge.
  CoverSearch(const DecisionGraph& graph, const std::vector<Index>& set, StreamKey key);

  /// Whether weights have enough steps to tell edges apart on a graph of this size.
  static bool suits(const DecisionGraph& graph, double steps);
  /// What a step takes, as a multiple of what a kick does.
  static double step_in_kicks(const DecisionGraph& graph);

  /// Looks for a larger set. False when there is none for sure.
  bool step();

  const std::vector<Index>& best() const { return best_; }

 private:
  /// Numbers in no order, each of which can be taken out at once.
  class Bag {
   public:
    explicit Bag(std::size_t most) : place_(most, -1) {}
    const std::vector<Index>& numbers() const { return numbers_; }
    void add(Index number);
    void remove(Index number);

   private:
    std::vector<Index> numbers_;
    std::vector<Index> place_;  ///< of a number among them
  };

  void enter(Index node);
  void leave(Index node);
  /// Calls body(other end, edge) for every edge of a node.
  template <typename Body>
  void for_edges(Index node, const Body& body) const;
  void shrink();
  Index cheapest() const;
  Index endpoint_for(Index edge) const;
  void gain_weight();
  void forget();
  void keep_best();

  const DecisionGraph& graph_;
  RandomSequence random_;
  std::vector<std::pair<Index, Index>> ends_;  ///< of every edge
  std::vector<Index> edge_at_;                 ///< [targets] number of the edge
  std::vector<std::int32_t> weight_;           ///< of every edge
  std::vector<std::int32_t>
      gain_;  ///< by node: weight that becomes covered by it, or, in the cover, minus what only it covers
  std::vector<std::int64_t> since_;  ///< step of the node's last change
  std::vector<char> in_cover_;
  std::vector<char> may_enter_;
  Bag cover_;
  Bag uncovered_;
  std::vector<Index> best_;
  std::int64_t steps_ = 0;
  std::int64_t total_weight_ = 0;
  Index last_ = -1;  ///< the node that entered last
};

}  // namespace moco
