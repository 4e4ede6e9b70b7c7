// Compressed sparse rows by two stable counting sorts: first by head, then by tail, so that rows come out sorted.
#include "moco/core/csr.h"

#include <cstddef>
#include <numeric>

namespace moco {

std::span<const Index> Csr::row(Index node) const {
  const auto begin = static_cast<std::size_t>(offsets[static_cast<std::size_t>(node)]);
  const auto end = static_cast<std::size_t>(offsets[static_cast<std::size_t>(node) + 1]);
  return {targets.data() + begin, end - begin};
}

Csr build_csr(Index n, std::span<const Arc> arcs) {
  const auto rows = static_cast<std::size_t>(n);
  std::vector<Offset> next(rows + 1, 0);
  for (const Arc& arc : arcs) {
    ++next[static_cast<std::size_t>(arc.to) + 1];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<Arc> by_head(arcs.size());
  for (const Arc& arc : arcs) {
    by_head[static_cast<std::size_t>(next[static_cast<std::size_t>(arc.to)]++)] = arc;
  }

  Csr csr;
  csr.offsets.assign(rows + 1, 0);
  for (const Arc& arc : arcs) {
    ++csr.offsets[static_cast<std::size_t>(arc.from) + 1];
  }
  std::partial_sum(csr.offsets.begin(), csr.offsets.end(), csr.offsets.begin());
  next.assign(csr.offsets.begin(), csr.offsets.end());
  csr.targets.resize(arcs.size());
  for (const Arc& arc : by_head) {
    csr.targets[static_cast<std::size_t>(next[static_cast<std::size_t>(arc.from)]++)] = arc.to;
  }
  return csr;
}

}  // namespace moco
