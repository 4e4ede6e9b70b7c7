// Writers of the graph formats.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "moco/error.h"
#include "moco/formats/edges.h"
#include "moco/formats/labels.h"
#include "moco/formats/table.h"
#include "moco/formats/writers.h"

namespace moco {

namespace {

void require_no_node_weights(const InstanceData& instance, std::string_view format, std::string_view others) {
  if (!graph_in(instance).node_weights.empty()) {
    throw OptionError(
        fmt::format("'{}' has node weights, which {} cannot hold; write it as {}", instance.name, format, others));
  }
}

void require_no_edge_weights(const InstanceData& instance, std::string_view format) {
  if (!graph_in(instance).edge_weights.empty()) {
    throw OptionError(
        fmt::format("'{}' has edge weights, which {} cannot hold; write it as metis, edge-list or "
                    "matrix-market",
                    instance.name, format));
  }
}

constexpr std::string_view hold_node_weights = "dimacs, metis or ml4co";

/// Throws when a node has no edge, since a list of edges by label would not know of it.
void require_no_isolated_node(const InstanceData& instance, const EdgeList& list, std::string_view format) {
  std::vector<bool> touched(static_cast<std::size_t>(graph_in(instance).nodes), false);
  for (const auto& [u, v] : list.edges) {
    touched[static_cast<std::size_t>(u)] = true;
    touched[static_cast<std::size_t>(v)] = true;
  }
  const auto isolated = std::ranges::find(touched, false);
  if (isolated != touched.end()) {
    throw OptionError(fmt::format("node {} of '{}' has no edge, so that {} would lose it; write it as dimacs or metis",
                                  NodeLabels(instance.labels).text(static_cast<Index>(isolated - touched.begin())),
                                  instance.name, format));
  }
}

void require_whole(const InstanceData& instance, const std::vector<double>& weights) {
  for (const double weight : weights) {
    if (weight != std::floor(weight)) {
      throw OptionError(fmt::format("'{}' has a weight of {}; metis holds whole numbers only", instance.name, weight));
    }
  }
}

}  // namespace

std::string format_dimacs(const InstanceData& instance) {
  require_no_edge_weights(instance, "dimacs");
  const GraphData& graph = graph_in(instance);
  const EdgeList list = simple_edges(graph);
  std::string text = fmt::format("c {}\np edge {} {}\n", one_line(instance.name), graph.nodes, list.edges.size());
  for (std::size_t node = 0; node < graph.node_weights.size(); ++node) {
    text += fmt::format("n {} {}\n", node + 1, graph.node_weights[node]);
  }
  for (const auto& [u, v] : list.edges) {
    text += fmt::format("e {} {}\n", u + 1, v + 1);
  }
  return text;
}

std::string format_pace(const InstanceData& instance) {
  require_no_edge_weights(instance, "pace");
  require_no_node_weights(instance, "pace", hold_node_weights);
  const GraphData& graph = graph_in(instance);
  const EdgeList list = simple_edges(graph);
  std::string text = fmt::format("c {}\np td {} {}\n", one_line(instance.name), graph.nodes, list.edges.size());
  for (const auto& [u, v] : list.edges) {
    text += fmt::format("{} {}\n", u + 1, v + 1);
  }
  return text;
}

std::string format_metis(const InstanceData& instance) {
  const GraphData& graph = graph_in(instance);
  require_whole(instance, graph.node_weights);
  require_whole(instance, graph.edge_weights);
  const EdgeList list = simple_edges(graph);
  const bool nodes = !graph.node_weights.empty();
  const bool edges = !list.weights.empty();
  std::vector<std::string> lines(static_cast<std::size_t>(graph.nodes));
  for (std::size_t node = 0; node < graph.node_weights.size(); ++node) {
    lines[node] = fmt::format("{:.0f} ", graph.node_weights[node]);
  }
  for (std::size_t i = 0; i < list.edges.size(); ++i) {
    const auto [u, v] = list.edges[i];
    const std::string weight = edges ? fmt::format("{:.0f} ", list.weights[i]) : "";
    lines[static_cast<std::size_t>(u)] += fmt::format("{} {}", v + 1, weight);
    lines[static_cast<std::size_t>(v)] += fmt::format("{} {}", u + 1, weight);
  }
  std::string text =
      fmt::format("{} {}{}\n", graph.nodes, list.edges.size(), nodes ? (edges ? " 11" : " 10") : (edges ? " 1" : ""));
  for (std::string& line : lines) {
    if (line.ends_with(' ')) {
      line.pop_back();
    }
    text += line + '\n';
  }
  return text;
}

std::string format_edge_list(const InstanceData& instance) {
  require_no_node_weights(instance, "edge-list", hold_node_weights);
  const GraphData& graph = graph_in(instance);
  const EdgeList list = simple_edges(graph);
  const NodeLabels labels(instance.labels);
  std::string text;
  if (labels.empty()) {
    text = fmt::format("# nodes {}\n", graph.nodes);
  } else {
    require_no_isolated_node(instance, list, "an edge list with labels");
    for (const std::string& label : instance.labels) {
      if (label.find_first_of(" \t\r\n\v\f,;{") != std::string::npos || label.front() == '#' || label.front() == '%') {
        throw OptionError(
            fmt::format("the label '{}' of '{}' would not be one word of an edge list; write it as csv, dimacs or "
                        "metis",
                        one_line(label), instance.name));
      }
    }
  }
  if (!labels.empty() && !list.edges.empty()) {
    const auto& [u, v] = list.edges.front();
    const std::string from = labels.text(u);
    const std::string to = labels.text(v);
    if (edge_columns({from, to})) {  // nodes that are called like a header
      text += list.weights.empty() ? "source target\n" : "source target weight\n";
    }
  }
  for (std::size_t i = 0; i < list.edges.size(); ++i) {
    const auto [u, v] = list.edges[i];
    text += fmt::format("{} {}", labels.text(u), labels.text(v));
    text += list.weights.empty() ? "\n" : fmt::format(" {}\n", list.weights[i]);
  }
  return text;
}

std::string format_edge_csv(const InstanceData& instance) {
  require_no_node_weights(instance, "csv", hold_node_weights);
  const GraphData& graph = graph_in(instance);
  const EdgeList list = simple_edges(graph);
  require_no_isolated_node(instance, list, "csv");
  const NodeLabels labels(instance.labels);
  for (const std::string& label : instance.labels) {
    require_csv_field(instance, label);
  }
  std::string text = list.weights.empty() ? "source,target\n" : "source,target,weight\n";
  for (std::size_t i = 0; i < list.edges.size(); ++i) {
    const auto [u, v] = list.edges[i];
    text += fmt::format("{},{}", labels.text(u), labels.text(v));
    text += list.weights.empty() ? "\n" : fmt::format(",{}\n", list.weights[i]);
  }
  return text;
}

std::string format_matrix_market(const InstanceData& instance) {
  if (kind_of(instance) == DataKind::points) {
    return format_market_array(instance);
  }
  require_no_node_weights(instance, "matrix-market", hold_node_weights);
  const GraphData& graph = graph_in(instance);
  const EdgeList list = simple_edges(graph);
  std::string text =
      fmt::format("%%MatrixMarket matrix coordinate {} symmetric\n{} {} {}\n",
                  list.weights.empty() ? "pattern" : "real", graph.nodes, graph.nodes, list.edges.size());
  for (std::size_t i = 0; i < list.edges.size(); ++i) {
    const auto [u, v] = list.edges[i];
    text += fmt::format("{} {}", v + 1, u + 1);  // the lower triangle
    text += list.weights.empty() ? "\n" : fmt::format(" {}\n", list.weights[i]);
  }
  return text;
}

std::string format_ml4co(DataSpan instances) {
  std::string text;
  for (const InstanceData* instance : instances) {
    require_no_edge_weights(*instance, "ml4co");
    const GraphData& graph = graph_in(*instance);
    std::string line;
    for (const auto& [u, v] : simple_edges(graph).edges) {
      line += fmt::format("{0} {1} {1} {0} ", u, v);
    }
    // Without labels it is the weights that count the nodes.
    const auto n = static_cast<std::size_t>(graph.nodes);
    if (!graph.node_weights.empty() || !instance->reference) {
      line += "weights ";
      for (std::size_t node = 0; node < n; ++node) {
        line += fmt::format("{} ", graph.node_weights.empty() ? 1.0 : graph.node_weights[node]);
      }
    }
    if (instance->reference) {
      std::vector<bool> chosen(n, false);
      for (const Index node : instance->reference->items) {
        if (node < 0 || node >= graph.nodes) {
          throw OptionError(fmt::format("node {} of the solution is not a node of '{}'", node, instance->name));
        }
        chosen[static_cast<std::size_t>(node)] = true;
      }
      line += "label ";
      for (const bool one : chosen) {
        line += one ? "1 " : "0 ";
      }
    }
    line.back() = '\n';
    text += line;
  }
  return text;
}

}  // namespace moco
