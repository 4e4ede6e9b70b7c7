// What all problems share that are searched as independent sets of a graph: the family of models "mis".
#pragma once

#include "moco/problem.h"
#include "moco/problems/decision_graph.h"

namespace moco {

/// The value of the option of this name: swaps that a local search tries when no better move is left.
int plateau_steps(const OptionValues& values);

class SetProblem : public Problem {
 public:
  DataKind data() const override { return DataKind::graph; }
  SolutionShape solution_shape() const override { return SolutionShape::subset; }
  Objective objective() const override { return {"size", maximises(), true}; }
  Objective objective(const Instance& instance) const override;

  std::shared_ptr<Instance> make(InstanceData data) const override;
  InstanceData data_of(const Instance& instance) const override;
  CheckResult check(const Instance& instance, const Solution& set) const override;
  std::span<const GeneratorKind> generators() const override;
  std::vector<Fact> facts(const Instance& instance) const override;
  drawing::Sheet draw(const Instance& instance, const Solution& set, const Heatmap* heatmap,
                      const PictureCaption& caption) const override;

  std::string_view family() const override { return "mis"; }
  NetworkKind network() const override { return NetworkKind::gcn; }
  std::span<const ModelOption> model_options() const override;
  ModelTraits traits(const Instance& instance) const override;

  std::span<const OptionDeclaration> options() const override;
  DecisionGraph graph_shape(const InstancePtr& instance, const OptionValues& options) const override;
  DecisionGraph graph(const InstancePtr& instance, const OptionValues& options,
                      const Executor& executor) const override;
  std::unique_ptr<Construction> construction(const DecisionGraph& graph, const OptionValues& options) const override;
  std::unique_ptr<PartialConstruction> partial_construction(const DecisionGraph& graph, int count) const override;
  Solution instant_solution(const InstancePtr& instance) const override;
  Solution greedy_items(const DecisionGraph& graph, const OptionValues& options, const Halt& halt) const override;
  std::span<const LocalSearchKind> local_searches() const override;
  std::string_view default_local_search(const Instance& instance) const override;
  std::unique_ptr<LocalSearch> local_search(const DecisionGraph& graph, const LocalSearchOptions& search,
                                            const OptionValues& options) const override;
  std::unique_ptr<KickSearch> kicks(const DecisionGraph& graph) const override;
  Effort effort(const Instance& instance) const override;

 protected:
  /// Whether the set is to be large or small.
  virtual bool maximises() const { return true; }
  /// The first violation of a set of distinct nodes, whose indicator is `chosen`; empty when there is none.
  virtual std::string violation(const GraphInstance& graph, const std::vector<bool>& chosen) const = 0;
  virtual std::shared_ptr<GraphInstance> make_instance(std::string name, GraphData graph) const;
  /// The graph whose independent sets are searched.
  virtual const GraphInstance& searched(const GraphInstance& given) const { return given; }
};

}  // namespace moco
