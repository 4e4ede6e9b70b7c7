// Reader of edge lists: "u v" a line with 0-based nodes, "#" or "%" before comments. A comment "# nodes N" sets the
// number of nodes; otherwise the largest node that is mentioned does.
#include <algorithm>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "moco/error.h"
#include "moco/problems/readers.h"
#include "moco/problems/text.h"

namespace moco {

namespace {

/// The N of a comment "# nodes N" or "# nodes: N", in any case.
std::optional<std::int64_t> parse_node_count(std::string_view comment, const Place& place) {
  comment.remove_prefix(1);
  const std::string word = to_lower(next_token(comment));
  const std::string_view count = next_token(comment);
  if ((word != "nodes" && word != "nodes:") || count.empty() || !parse_integer(count)) {
    return std::nullopt;
  }
  const std::int64_t nodes = *parse_integer(count);
  if (nodes < 1) {
    place.fail(fmt::format("a graph has at least one node, not {}", nodes));
  }
  return nodes;
}

Index parse_node(std::string_view token, const Place& place) {
  const std::int64_t node = place.integer(token, "node");
  if (node < 0 || node >= std::numeric_limits<Index>::max()) {
    place.fail(fmt::format("{} is not a node of 0 … {}", node, std::numeric_limits<Index>::max() - 1));
  }
  return static_cast<Index>(node);
}

}  // namespace

std::vector<InstancePtr> read_edge_list(const ReaderInput& input) {
  std::optional<std::int64_t> declared;
  std::vector<Edge> edges;
  Index largest = -1;
  std::int64_t largest_line = 0;
  for (LineReader lines(input.content); lines.next();) {
    const Place place{input.file, lines.number()};
    const std::string_view line = trim(lines.line());
    if (line.empty()) {
      continue;
    }
    if (line.front() == '#' || line.front() == '%') {
      if (const auto count = parse_node_count(line, place)) {
        require_plausible_size(input, lines.number(), *count);
        declared = count;
      }
      continue;
    }
    std::string_view rest = line;
    const std::string_view first = next_token(rest);
    const std::string_view second = next_token(rest);
    if (second.empty() || !trim(rest).empty()) {
      place.fail(fmt::format("expected 'u v', found {}", in_quotes(line)));
    }
    const Edge edge{parse_node(first, place), parse_node(second, place)};
    if (const Index larger = std::max(edge.u, edge.v); larger > largest) {
      largest = larger;
      largest_line = lines.number();
    }
    edges.push_back(edge);
  }
  if (declared && largest >= *declared) {
    throw InputError(input.file, largest_line, fmt::format("{} is not a node of 0 … {}", largest, *declared - 1));
  }
  if (!declared && edges.empty()) {
    throw InputError(input.file, "neither edges nor '# nodes N'");
  }
  const std::int64_t nodes = declared.value_or(std::int64_t{largest} + 1);
  require_plausible_size(input, largest_line, nodes);
  return finish_graph(input, static_cast<Index>(nodes), edges);
}

}  // namespace moco
