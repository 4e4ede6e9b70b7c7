// The decision graph of an instance: what the construction policy and the networks see.
//
// TSP: N = n·k variables, one per directed edge from a city to one of its k nearest neighbours; variable i·k + r is the
// edge from city i to its r-th neighbour. MIS: N = n variables, one per node; the graph is the instance's own.
#pragma once

#include <span>
#include <vector>

#include "moco/core/thread_pool.h"
#include "moco/instance.h"

namespace moco {

class CityCells;

enum class VariableKind { edge, node };

struct DecisionGraph {
  DecisionGraph() = default;
  DecisionGraph(DecisionGraph&&) = default;  // `targets` may point into `neighbours`: moved, never copied
  DecisionGraph& operator=(DecisionGraph&&) = default;

  InstancePtr instance;
  VariableKind kind = VariableKind::edge;
  Index nodes = 0;
  Index variables = 0;             ///< N
  double cost_scale = 1.0;         ///< costs are divided by this before a network sees them
  std::span<const Index> targets;  ///< head of every directed edge, grouped by tail
  std::vector<float> feature;      ///< [variables] length or weight / cost_scale; empty for nodes without weights

  // Variables on edges (TSP).
  Index degree = 0;                ///< k, the same for all nodes
  bool symmetric = true;           ///< both directions between two cities have the same length
  std::vector<Index> neighbours;   ///< [nodes × degree], storage behind `targets`
  std::vector<double> length;      ///< [variables] in the instance's metric
  std::vector<Offset> in_offsets;  ///< [nodes + 1] into in_edges
  std::vector<Index> in_edges;     ///< [variables] edges grouped by head, ascending
  std::vector<Index> reverse;      ///< [variables] the edge between the same cities the other way, −1 for none
  std::shared_ptr<const CityCells> cells;  ///< all cities, to find near ones that are no candidates

  // Variables on nodes (MIS).
  std::span<const Offset> offsets;  ///< [nodes + 1] into targets
  bool weighted = false;            ///< nodes have weights
  std::vector<double> weights;      ///< [nodes] rounded such that sums of them are exact; empty: all 1
};

/// What a node weighs as a feature: its share of the mean weight.
inline float weight_feature(const DecisionGraph& graph, Index node) {
  return graph.weighted ? graph.feature[static_cast<std::size_t>(node)] : 1.0f;
}

/// Candidate graph of a TSP instance with min(k, n − 1) neighbours per city.
DecisionGraph tsp_decision_graph(std::shared_ptr<const TspInstance> instance, Index k, const Executor& executor = {});
DecisionGraph mis_decision_graph(std::shared_ptr<const GraphInstance> instance);
/// The edge between two cities of a candidate graph, −1 where there is none.
Index edge_between(const DecisionGraph& graph, Index from, Index to);
/// The sizes (kind, nodes, degree, variables, whether there are weights) that decision_graph would give, and what the
/// instance itself holds, without building anything.
DecisionGraph decision_graph_shape(const InstancePtr& instance, Index k);
/// Dispatch on the instance's problem; `k` matters to the TSP only. The executor's threads share the work.
DecisionGraph decision_graph(const InstancePtr& instance, Index k, const Executor& executor = {});

}  // namespace moco
