// What the readers have in common: names, warnings, and the way from an edge list to a checked graph.
#include "moco/problems/readers.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "moco/error.h"
#include "moco/graph/csr.h"

namespace moco {

void ReaderInput::warn(std::string_view what) const {
  if (warnings != nullptr) {
    warnings->push_back(fmt::format("{}: {}", file, what));
  }
}

std::string name_in_file(std::string_view name, std::size_t index, std::size_t count) {
  return count > 1 ? fmt::format("{}#{}", name, index) : std::string(name);
}

void require_plausible_size(const ReaderInput& input, std::int64_t line, std::int64_t nodes) {
  constexpr std::int64_t always_plausible = 1'000'000;
  const auto bytes = static_cast<std::int64_t>(input.content.size());
  if (nodes > std::numeric_limits<Index>::max() || nodes > always_plausible + bytes) {
    throw InputError(input.file, line,
                     fmt::format("{} nodes are too many to be true for a file of {} bytes", nodes, bytes));
  }
}

std::vector<InstancePtr> finish_graph(const ReaderInput& input, Index nodes, std::span<const Edge> edges) {
  auto graph = std::make_shared<GraphInstance>(input.name, nodes, edges);
  if (const Offset loops = graph->dropped_self_loops(); loops > 0) {
    input.warn(fmt::format("dropped {} self-loop{}", loops, loops == 1 ? "" : "s"));
  }
  if (const Offset repeated = graph->dropped_duplicates(); repeated > 0) {
    input.warn(fmt::format("dropped {} repeated edge{}", repeated, repeated == 1 ? "" : "s"));
  }
  return {std::move(graph)};
}

std::vector<Edge> merge_directions(Index nodes, std::span<const Edge> edges) {
  std::vector<Arc> upward;
  std::vector<Arc> downward;
  std::vector<Edge> merged;
  for (const auto& [u, v] : edges) {
    if (u < v) {
      upward.push_back({u, v});
    } else if (u > v) {
      downward.push_back({v, u});
    } else {
      merged.push_back({u, v});
    }
  }
  const Csr up = build_csr(nodes, upward);
  const Csr down = build_csr(nodes, downward);
  std::vector<Index> row;
  for (Index node = 0; node < nodes; ++node) {
    row.clear();
    std::ranges::set_union(up.row(node), down.row(node), std::back_inserter(row));
    for (const Index target : row) {
      merged.push_back({node, target});
    }
  }
  return merged;
}

}  // namespace moco
