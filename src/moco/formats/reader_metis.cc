// Reader of METIS graphs: a header "n m [fmt [ncon]]" and one line of 1-based neighbours per node, with weights of
// nodes and edges where the header says so.
#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "moco/core/csr.h"
#include "moco/error.h"
#include "moco/formats/limits.h"
#include "moco/formats/readers.h"
#include "moco/formats/text.h"

namespace moco {

namespace {

struct Header {
  std::int64_t nodes = 0;
  std::int64_t edges = 0;
  std::int64_t line = 0;
  std::int64_t numbers_per_node = 0;  ///< sizes and weights before the neighbours
  std::int64_t first_weight = -1;     ///< which of them is the node's weight
  std::int64_t constraints = 0;       ///< weights per node
  bool edge_weights = false;
};

Header parse_header(std::string_view text, const SourceLine& place) {
  std::vector<std::string_view> fields = tokens_of(text);
  if (fields.size() < 2 || fields.size() > 4) {
    place.fail(fmt::format("expected a header 'nodes edges [fmt [ncon]]', found {}", in_quotes(text)));
  }
  Header header;
  header.line = place.line;
  header.nodes = place.integer(fields[0], "number of nodes");
  header.edges = place.integer(fields[1], "number of edges");
  if (header.nodes < 1 || header.nodes > std::numeric_limits<Index>::max()) {
    place.fail(fmt::format("number of nodes {} is not in 1 … {}", header.nodes, std::numeric_limits<Index>::max()));
  }
  if (header.edges < 0) {
    place.fail(fmt::format("number of edges {} is negative", header.edges));
  }
  if (fields.size() >= 3) {
    const std::string_view format = fields[2];
    if (format.size() > 3 || format.find_first_not_of("01") != std::string_view::npos) {
      place.fail(fmt::format("fmt {} is not made of up to three digits 0 and 1", in_quotes(format)));
    }
    const auto digit = [&](std::size_t from_right) {
      return format.size() > from_right && format[format.size() - 1 - from_right] == '1';
    };
    header.constraints = digit(1) ? 1 : 0;
    if (fields.size() == 4) {
      const std::int64_t constraints = place.integer(fields[3], "ncon");
      if (constraints < 0 || constraints > 1000) {
        place.fail(fmt::format("ncon {} is not in 0 … 1000", constraints));
      }
      header.constraints *= constraints;
    }
    header.numbers_per_node = header.constraints + (digit(2) ? 1 : 0);
    header.first_weight = header.constraints > 0 ? (digit(2) ? 1 : 0) : -1;
    header.edge_weights = digit(0);
  }
  return header;
}

/// What the lines of the nodes say.
struct NodeLines {
  EdgeList entries;  ///< (node, neighbour) for each neighbour of each node
  std::vector<double> weights;
  std::vector<std::int64_t> line_of;
};

double parse_weight(std::string_view token, const SourceLine& place) {
  const double weight = place.real(token, "weight");
  if (weight < 0.0 || weight > largest_node_weight) {
    place.fail(fmt::format("weight {} is not in 0 … {}", in_quotes(token), largest_node_weight));
  }
  return weight;
}

/// Reads the line of the next node.
void parse_node_line(std::string_view rest, const Header& header, const SourceLine& place, NodeLines& nodes) {
  const auto node = static_cast<Index>(nodes.line_of.size());
  nodes.line_of.push_back(place.line);
  for (std::int64_t i = 0; i < header.numbers_per_node; ++i) {
    const std::string_view token = next_token(rest);
    if (token.empty()) {
      place.fail(fmt::format("node {}: {} weights expected, {} found", node + 1, header.numbers_per_node, i));
    }
    const double weight = parse_weight(token, place);
    if (i == header.first_weight) {
      nodes.weights.push_back(weight);
    }
  }
  for (std::string_view token = next_token(rest); !token.empty(); token = next_token(rest)) {
    const std::int64_t neighbour = place.integer(token, "neighbour");
    if (neighbour < 1 || neighbour > header.nodes) {
      place.fail(fmt::format("neighbour {} is not a node of 1 … {}", neighbour, header.nodes));
    }
    nodes.entries.edges.push_back({node, static_cast<Index>(neighbour - 1)});
    if (header.edge_weights) {
      const std::string_view weight = next_token(rest);
      if (weight.empty()) {
        place.fail(fmt::format("neighbour {} has no edge weight", neighbour));
      }
      nodes.entries.weights.push_back(place.real(weight, "edge weight"));
    }
  }
}

}  // namespace

std::vector<InstanceData> read_metis(const ReaderInput& input) {
  std::optional<Header> header;
  NodeLines nodes;
  for (LineReader lines(input.content); lines.next();) {
    const SourceLine place{input.file, lines.number()};
    const std::string_view line = trim(lines.line());
    if (line.starts_with('%')) {
      continue;
    }
    if (!header) {
      if (!line.empty()) {
        header = parse_header(line, place);
      }
    } else if (static_cast<std::int64_t>(nodes.line_of.size()) < header->nodes) {
      parse_node_line(line, *header, place, nodes);
    } else if (!line.empty()) {
      place.fail(fmt::format("more lines than the {} nodes that the header promises", header->nodes));
    }
  }
  if (!header) {
    throw InputError(input.file, "the header 'nodes edges' is missing");
  }
  if (static_cast<std::int64_t>(nodes.line_of.size()) != header->nodes) {
    throw InputError(input.file, header->line,
                     fmt::format("{} nodes promised, {} lines found", header->nodes, nodes.line_of.size()));
  }
  JoinedEdges joined = join_directions(nodes.entries);
  if (joined.one_way) {
    const auto [u, v] = *joined.one_way;
    throw InputError(input.file, nodes.line_of[static_cast<std::size_t>(u)],
                     fmt::format("node {} lists node {}, which does not list it", u + 1, v + 1));
  }
  const std::vector<Edge>& edges = joined.list.edges;
  const auto found = static_cast<std::int64_t>(edges.size());
  const auto loops = std::count_if(edges.begin(), edges.end(), [](const auto& edge) { return edge.u == edge.v; });
  if (header->edges != found && header->edges != found - loops) {  // writers disagree on whether self-loops count
    throw InputError(input.file, header->line, fmt::format("{} edges promised, {} found", header->edges, found));
  }
  if (header->constraints > 1) {
    input.warn(fmt::format("of the {} weights of each node the first is used", header->constraints));
  }
  warn_of_conflicts(input, joined.conflicts);
  return finish_graph(input, static_cast<Index>(header->nodes), std::move(joined.list), std::move(nodes.weights));
}

}  // namespace moco
