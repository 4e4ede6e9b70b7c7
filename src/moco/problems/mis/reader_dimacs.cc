// Reader of DIMACS graphs: "p edge n m" and "e u v" lines with 1-based nodes. Files of the clique challenge are read as
// the graphs they are, without taking the complement.
#include <optional>

#include <fmt/format.h>

#include "moco/error.h"
#include "moco/problems/readers.h"
#include "moco/problems/text.h"

namespace moco {

namespace {

struct Header {
  std::int64_t nodes = 0;
  std::int64_t edges = 0;
  std::int64_t line = 0;
};

Header parse_header(std::string_view rest, const Place& place) {
  const std::string_view type = next_token(rest);
  if (type != "edge" && type != "edges" && type != "col" && type != "mis" && type != "clq") {
    place.fail(fmt::format("problem type {} is not supported; edge, col, mis and clq are", in_quotes(type)));
  }
  Header header;
  header.nodes = place.integer(next_token(rest), "number of nodes");
  header.edges = place.integer(next_token(rest), "number of edges");
  header.line = place.line;
  if (header.nodes < 1) {
    place.fail(fmt::format("a graph has at least one node, not {}", header.nodes));
  }
  if (header.edges < 0) {
    place.fail(fmt::format("number of edges {} is negative", header.edges));
  }
  return header;
}

Index parse_node(std::string_view token, std::int64_t nodes, const Place& place) {
  const std::int64_t node = place.integer(token, "node");
  if (node < 1 || node > nodes) {
    place.fail(fmt::format("{} is not a node of 1 … {}", node, nodes));
  }
  return static_cast<Index>(node - 1);
}

}  // namespace

std::vector<InstancePtr> read_dimacs(const ReaderInput& input) {
  std::optional<Header> header;
  std::vector<Edge> edges;
  for (LineReader lines(input.content); lines.next();) {
    const Place place{input.file, lines.number()};
    std::string_view rest = lines.line();
    const std::string_view kind = next_token(rest);
    if (kind == "e" || kind == "a") {
      if (!header) {
        place.fail("edge before the 'p' line");
      }
      const Index u = parse_node(next_token(rest), header->nodes, place);
      const Index v = parse_node(next_token(rest), header->nodes, place);
      edges.push_back({u, v});
    } else if (kind == "p") {
      if (header) {
        place.fail(fmt::format("second 'p' line; the first is line {}", header->line));
      }
      header = parse_header(rest, place);
      require_plausible_size(input, lines.number(), header->nodes);
    } else if (!kind.empty() && kind.front() != 'c' && kind != "n" && kind != "d" && kind != "v" && kind != "x") {
      place.fail(fmt::format("unknown line type {}", in_quotes(kind)));
    }
  }
  if (!header) {
    throw InputError(input.file, "the 'p edge NODES EDGES' line is missing");
  }
  // Some published files count every edge twice in their header.
  const auto found = static_cast<std::int64_t>(edges.size());
  if (found < header->edges && found != header->edges - found) {
    throw InputError(input.file, header->line, fmt::format("{} edges promised, {} found", header->edges, found));
  }
  if (found > header->edges) {
    input.warn(fmt::format("line {}: {} edges promised, {} found; all are used", header->line, header->edges, found));
  }
  return finish_graph(input, static_cast<Index>(header->nodes), edges);
}

}  // namespace moco
