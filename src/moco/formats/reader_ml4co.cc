// Reader of ML4CO-Kit text: one graph a line, "u v u v … [weights w …] [label x …]", nodes counted from 0 and edges in
// one direction or both. The labels, 0 or 1 for each node, become the reference solution: the nodes with a 1.
#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "moco/formats/limits.h"
#include "moco/formats/readers.h"
#include "moco/formats/text.h"

namespace moco {

namespace {

Index parse_node(std::string_view token, const SourceLine& place) {
  const std::int64_t node = place.integer(token, "node");
  if (node < 0 || node >= std::numeric_limits<Index>::max()) {
    place.fail(fmt::format("{} is not a node of 0 … {}", node, std::numeric_limits<Index>::max() - 1));
  }
  return static_cast<Index>(node);
}

/// What one line says, part by part.
struct GraphLine {
  std::vector<Edge> edges;
  std::optional<std::vector<double>> weights;
  std::optional<std::vector<bool>> labels;
  Index largest = -1;  ///< node among the edges
};

/// Reads the nodes before the first word. Returns that word.
std::string_view parse_edges(std::string_view& rest, const SourceLine& place, GraphLine& line) {
  Index from = -1;  // of an edge that has one end so far
  std::string_view token = next_token(rest);
  for (; !token.empty() && token != "weights" && token != "label"; token = next_token(rest)) {
    const Index node = parse_node(token, place);
    line.largest = std::max(line.largest, node);
    if (from >= 0) {
      line.edges.push_back({from, node});
      from = -1;
    } else {
      from = node;
    }
  }
  if (from >= 0) {
    place.fail(fmt::format("odd number of edge ends: node {} has no partner", from));
  }
  return token;
}

void parse_weights(std::string_view& rest, const SourceLine& place, GraphLine& line, std::string_view& next) {
  line.weights.emplace();
  for (next = next_token(rest); !next.empty() && next != "label"; next = next_token(rest)) {
    const double weight = place.real(next, "node weight");
    if (weight < 0.0 || weight > largest_node_weight) {
      place.fail(fmt::format("node weight {} is not in 0 … {}", in_quotes(next), largest_node_weight));
    }
    line.weights->push_back(weight);
  }
}

void parse_labels(std::string_view& rest, const SourceLine& place, GraphLine& line) {
  line.labels.emplace();
  for (std::string_view token = next_token(rest); !token.empty(); token = next_token(rest)) {
    if (token != "0" && token != "1") {
      place.fail(fmt::format("label {} is neither 0 nor 1", in_quotes(token)));
    }
    line.labels->push_back(token == "1");
  }
}

/// The number of nodes: as many as there are weights and labels, or as the edges need.
Index count_nodes(const GraphLine& line, const ReaderInput& input, const SourceLine& place) {
  const auto needed = static_cast<std::size_t>(line.largest) + 1;
  if (line.weights && line.labels && line.weights->size() != line.labels->size()) {
    place.fail(fmt::format("{} weights and {} labels", line.weights->size(), line.labels->size()));
  }
  if (!line.weights && !line.labels) {
    if (line.largest < 0) {
      place.fail("a graph has at least one node");
    }
    require_plausible_size(input, place.line, static_cast<std::int64_t>(needed));
    return static_cast<Index>(needed);
  }
  const std::size_t given = line.weights ? line.weights->size() : line.labels->size();
  if (given < std::max<std::size_t>(needed, 1)) {
    place.fail(fmt::format("{} {} for a graph of at least {} node{}", given, line.weights ? "weights" : "labels",
                           std::max<std::size_t>(needed, 1), needed > 1 ? "s" : ""));
  }
  return static_cast<Index>(given);
}

InstanceData parse_line(std::string_view rest, const ReaderInput& input, const SourceLine& place) {
  GraphLine line;
  std::string_view word = parse_edges(rest, place, line);
  if (word == "weights") {
    parse_weights(rest, place, line, word);
  }
  if (word == "label") {
    parse_labels(rest, place, line);
  }
  const Index nodes = count_nodes(line, input, place);
  auto instances =
      finish_graph(input, nodes, {std::move(line.edges), {}}, std::move(line.weights).value_or(std::vector<double>()));
  if (line.labels) {
    Solution& chosen = instances.front().reference.emplace();
    for (Index node = 0; node < nodes; ++node) {
      if ((*line.labels)[static_cast<std::size_t>(node)]) {
        chosen.items.push_back(node);
      }
    }
  }
  return std::move(instances.front());
}

}  // namespace

std::vector<InstanceData> read_ml4co(const ReaderInput& input) {
  std::vector<InstanceData> instances;
  for (LineReader lines(input.content); lines.next();) {
    if (!trim(lines.line()).empty()) {
      instances.push_back(parse_line(lines.line(), input, {input.file, lines.number()}));
    }
  }
  for (std::size_t i = 0; i < instances.size(); ++i) {
    instances[i].name = name_in_file(input.name, i, instances.size());
  }
  return instances;
}

}  // namespace moco
