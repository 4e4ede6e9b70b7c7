// Tours by nearest-neighbour-like construction along candidate edges (method.md §2, TSP).
#pragma once

#include "moco/policy/construction.h"
#include "moco/problems/decision_graph.h"
#include "moco/problems/tsp/edge_promise.h"
#include "moco/problems/tsp/tsp_options.h"

namespace moco {

class TspConstruction final : public Construction {
 public:
  TspConstruction(const DecisionGraph& graph, DeadEnd dead_end);

  Index stride() const override { return graph_.nodes; }
  Index choices(Index) const override { return graph_.nodes - 1; }
  void sample(const float* theta, const Draw& draw, SampleSet& out, SampleScratch& scratch) const override;
  void masses(const float* theta, double* mass) const override;
  void prepare_gradient(const double*, Index, SampleSet&) const override {}
  void gradient(const double* mass, const SampleSet& set, Index begin, Index end, float* out) const override;
  double entropy(const float* theta) const override;
  void encode(const Solution& tour, Index start, Index sample, SampleSet& out) const override;
  Solution decode(const Index* items, Index length) const override;
  float heuristic(Index variable) const override {
    return edge_heuristic(graph_.feature[static_cast<std::size_t>(variable)]);
  }
  float visibility(Index variable) const override {
    return edge_visibility(graph_.feature[static_cast<std::size_t>(variable)]);
  }
  float instance_feature(Index variable) const override { return graph_.feature[static_cast<std::size_t>(variable)]; }

 private:
  const DecisionGraph& graph_;
  const TspInstance& instance_;
  std::span<const Index> fixed_;  ///< TspInstance::fixed_partners
  DeadEnd dead_end_;
};

}  // namespace moco
