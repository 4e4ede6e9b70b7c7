// Reader of METIS graphs: a header "n m [fmt [ncon]]" and one line of 1-based neighbours per node. Weights are skipped,
// since the set with the most nodes is wanted.
#include <algorithm>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "moco/error.h"
#include "moco/graph/csr.h"
#include "moco/problems/readers.h"
#include "moco/problems/text.h"

namespace moco {

namespace {

struct Header {
  std::int64_t nodes = 0;
  std::int64_t edges = 0;
  std::int64_t line = 0;
  std::int64_t numbers_per_node = 0;  ///< sizes and weights before the neighbours
  bool edge_weights = false;
};

Header parse_header(std::string_view text, const Place& place) {
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
    std::int64_t weights = digit(1) ? 1 : 0;
    if (fields.size() == 4) {
      const std::int64_t constraints = place.integer(fields[3], "ncon");
      if (constraints < 0 || constraints > 1000) {
        place.fail(fmt::format("ncon {} is not in 0 … 1000", constraints));
      }
      weights *= constraints;
    }
    header.numbers_per_node = weights + (digit(2) ? 1 : 0);
    header.edge_weights = digit(0);
  }
  return header;
}

/// Appends the neighbours on one node's line as edges (node, neighbour).
void parse_node_line(std::string_view rest, Index node, const Header& header, const Place& place,
                     std::vector<Edge>& entries) {
  for (std::int64_t i = 0; i < header.numbers_per_node; ++i) {
    const std::string_view token = next_token(rest);
    if (token.empty()) {
      place.fail(fmt::format("node {}: {} weights expected, {} found", node + 1, header.numbers_per_node, i));
    }
    place.real(token, "weight");
  }
  for (std::string_view token = next_token(rest); !token.empty(); token = next_token(rest)) {
    const std::int64_t neighbour = place.integer(token, "neighbour");
    if (neighbour < 1 || neighbour > header.nodes) {
      place.fail(fmt::format("neighbour {} is not a node of 1 … {}", neighbour, header.nodes));
    }
    entries.push_back({node, static_cast<Index>(neighbour - 1)});
    if (header.edge_weights) {
      const std::string_view weight = next_token(rest);
      if (weight.empty()) {
        place.fail(fmt::format("neighbour {} has no edge weight", neighbour));
      }
      place.real(weight, "edge weight");
    }
  }
}

/// Throws when a node lists a neighbour that does not list it.
void require_symmetry(const ReaderInput& input, Index nodes, std::span<const Edge> entries,
                      std::span<const std::int64_t> line_of) {
  std::vector<Arc> there;
  std::vector<Arc> back;
  there.reserve(entries.size());
  back.reserve(entries.size());
  for (const auto& [u, v] : entries) {
    there.push_back({u, v});
    back.push_back({v, u});
  }
  const Csr listed = build_csr(nodes, there);
  const Csr listing = build_csr(nodes, back);
  for (Index node = 0; node < nodes; ++node) {
    for (const Index neighbour : listed.row(node)) {
      const auto row = listing.row(node);
      if (!std::binary_search(row.begin(), row.end(), neighbour)) {
        throw InputError(input.file, line_of[static_cast<std::size_t>(node)],
                         fmt::format("node {} lists node {}, which does not list it", node + 1, neighbour + 1));
      }
    }
  }
}

}  // namespace

std::vector<InstancePtr> read_metis(const ReaderInput& input) {
  std::optional<Header> header;
  std::vector<Edge> entries;
  std::vector<std::int64_t> line_of;
  for (LineReader lines(input.content); lines.next();) {
    const Place place{input.file, lines.number()};
    const std::string_view line = trim(lines.line());
    if (line.starts_with('%')) {
      continue;
    }
    if (!header) {
      if (!line.empty()) {
        header = parse_header(line, place);
      }
    } else if (static_cast<std::int64_t>(line_of.size()) < header->nodes) {
      parse_node_line(line, static_cast<Index>(line_of.size()), *header, place, entries);
      line_of.push_back(lines.number());
    } else if (!line.empty()) {
      place.fail(fmt::format("more lines than the {} nodes that the header promises", header->nodes));
    }
  }
  if (!header) {
    throw InputError(input.file, "the header 'nodes edges' is missing");
  }
  if (static_cast<std::int64_t>(line_of.size()) != header->nodes) {
    throw InputError(input.file, header->line,
                     fmt::format("{} nodes promised, {} lines found", header->nodes, line_of.size()));
  }
  const auto nodes = static_cast<Index>(header->nodes);
  require_symmetry(input, nodes, entries, line_of);
  const std::vector<Edge> edges = merge_directions(nodes, entries);
  const auto found = static_cast<std::int64_t>(edges.size());
  const auto loops = std::count_if(edges.begin(), edges.end(), [](const auto& edge) { return edge.u == edge.v; });
  if (header->edges != found && header->edges != found - loops) {  // writers disagree on whether self-loops count
    throw InputError(input.file, header->line, fmt::format("{} edges promised, {} found", header->edges, found));
  }
  return finish_graph(input, nodes, edges);
}

}  // namespace moco
