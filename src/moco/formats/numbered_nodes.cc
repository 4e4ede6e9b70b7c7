// From numbers of any size to nodes.
#include "moco/formats/numbered_nodes.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace moco {

bool counts_nodes(std::int64_t nodes, const std::vector<std::int64_t>& mentioned) {
  return nodes >= static_cast<std::int64_t>(mentioned.size()) &&
         mentioned.back() <= nodes - (mentioned.front() == 0 ? 1 : 0);
}

std::vector<InstanceData> finish_numbered(const ReaderInput& input, const std::vector<std::int64_t>& ids,
                                          const std::vector<IntegerPair>& pairs, std::vector<double> weights) {
  // Without a gap the place of a number follows from the first one.
  const bool without_gap = ids.back() - ids.front() == static_cast<std::int64_t>(ids.size()) - 1;
  const auto place_of = [&](std::int64_t id) {
    return static_cast<Index>(without_gap ? id - ids.front() : std::ranges::lower_bound(ids, id) - ids.begin());
  };
  EdgeList list;
  list.weights = std::move(weights);
  list.edges.reserve(pairs.size());
  for (const auto& [u, v] : pairs) {
    list.edges.push_back({place_of(u), place_of(v)});
  }
  std::vector<std::string> labels;
  if (!without_gap || ids.front() != 0) {
    labels.reserve(ids.size());
    for (const std::int64_t id : ids) {
      labels.push_back(fmt::format("{}", id));
    }
  }
  return finish_graph(input, static_cast<Index>(ids.size()), std::move(list), {}, std::move(labels));
}

}  // namespace moco
