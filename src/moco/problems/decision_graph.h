// The decision graph of an instance: what the construction policy and the networks see.
//
// Variables on edges (tours): N = n·k, one per directed edge from a node to one of its k candidate neighbours; variable
// i·k + r is the edge from node i to its r-th neighbour. Variables on nodes (sets): N = n, on a graph of any degrees.
#pragma once

#include <span>
#include <vector>

#include "moco/core/thread_pool.h"
#include "moco/instance.h"
#include "moco/options.h"

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
  double cost_offset = 0.0;        ///< what a solution of the instance costs more than the items that stand for it
  Index start_nodes = 1;           ///< a search begins at one of the nodes 0 … start_nodes − 1
  bool reversible = false;         ///< items in reverse order are the same solution
  std::span<const Index> targets;  ///< head of every directed edge, grouped by tail
  std::vector<float> feature;      ///< [variables] length or weight / cost_scale; empty for nodes without weights

  // Variables on edges.
  Index degree = 0;                ///< k, the same for all nodes
  bool symmetric = true;           ///< both directions between two cities have the same length
  std::vector<Index> neighbours;   ///< [nodes × degree], storage behind `targets`
  std::vector<double> length;      ///< [variables] in the instance's metric
  std::vector<Offset> in_offsets;  ///< [nodes + 1] into in_edges
  std::vector<Index> in_edges;     ///< [variables] edges grouped by head, ascending
  std::vector<Index> reverse;      ///< [variables] the edge between the same cities the other way, −1 for none
  std::shared_ptr<const CityCells> cells;  ///< all cities, to find near ones that are no candidates

  // Variables on nodes.
  std::span<const Offset> offsets;  ///< [nodes + 1] into targets
  bool weighted = false;            ///< nodes have weights
  std::vector<double> weights;      ///< [nodes] rounded such that sums of them are exact; empty: all 1
};

/// Neighbours of a node of a graph with variables on nodes, in ascending order.
inline std::span<const Index> neighbours_of(const DecisionGraph& graph, Index node) {
  const auto begin = static_cast<std::size_t>(graph.offsets[static_cast<std::size_t>(node)]);
  const auto end = static_cast<std::size_t>(graph.offsets[static_cast<std::size_t>(node) + 1]);
  return graph.targets.subspan(begin, end - begin);
}

/// What a node weighs as a feature: its share of the mean weight.
inline float weight_feature(const DecisionGraph& graph, Index node) {
  return graph.weighted ? graph.feature[static_cast<std::size_t>(node)] : 1.0f;
}

/// The edge between two cities of a candidate graph, −1 where there is none.
Index edge_between(const DecisionGraph& graph, Index from, Index to);

/// Those of the instance's problem, with the options that it declares.
DecisionGraph decision_graph_shape(const InstancePtr& instance, const OptionValues& options);
DecisionGraph decision_graph(const InstancePtr& instance, const OptionValues& options = {},
                             const Executor& executor = {});

}  // namespace moco
