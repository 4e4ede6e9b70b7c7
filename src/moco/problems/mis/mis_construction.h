// Independent sets by greedy insertion in random order (method.md §2, MIS).
#pragma once

#include "moco/policy/construction.h"
#include "moco/problems/decision_graph.h"

namespace moco {

class MisConstruction final : public Construction {
 public:
  explicit MisConstruction(const DecisionGraph& graph) : graph_(graph) {}

  Index stride() const override { return graph_.nodes; }
  Index choices(Index length) const override { return length; }
  void sample(const float* theta, const Draw& draw, SampleSet& out, SampleScratch& scratch) const override;
  void masses(const float* theta, double* mass) const override;
  void prepare_gradient(const double* mass, Index sample, SampleSet& set) const override;
  void gradient(const double* mass, const SampleSet& set, Index begin, Index end, float* out) const override;
  double entropy(const float* theta) const override;
  void encode(const Solution& solution, Index start, Index sample, SampleSet& out) const override;
  Solution decode(const Index* items, Index length) const override;
  float heuristic(Index node) const override;
  float instance_feature(Index) const override { return 1.0f; }

 private:
  /// Makes a sample the empty set.
  void clear(Index sample, SampleSet& out) const;
  /// Adds a node to a sample's set, unless it is chosen or blocked already.
  void insert(Index node, Index sample, SampleSet& out) const;
  /// Sets the costs of a complete set by weight, where nodes have weights.
  void weigh(Index sample, SampleSet& out) const;

  const DecisionGraph& graph_;
};

}  // namespace moco
