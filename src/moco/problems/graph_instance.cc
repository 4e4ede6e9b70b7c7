// Graph instances: the adjacency of a simple undirected graph with its weights.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "moco/core/csr.h"
#include "moco/error.h"
#include "moco/formats/limits.h"
#include "moco/instance.h"

namespace moco {

GraphInstance::GraphInstance(const Problem& problem, std::string name, Index n, std::span<const Edge> edges,
                             std::vector<double> weights)
    : Instance(problem, std::move(name)), n_(n), weights_(std::move(weights)) {
  if (n < 1) {
    throw OptionError(fmt::format("a graph has at least one node, not {}", n));
  }
  if (!weights_.empty() && weights_.size() != static_cast<std::size_t>(n)) {
    throw OptionError(fmt::format("{} weights for {} nodes", weights_.size(), n));
  }
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    if (!(weights_[i] >= 0.0 && weights_[i] <= largest_node_weight)) {  // also catches NaN
      throw OptionError(fmt::format("node {}: weight {} is not in 0 … {}", i, weights_[i], largest_node_weight));
    }
  }
  std::vector<Arc> arcs;
  arcs.reserve(2 * edges.size());
  for (const Edge& edge : edges) {
    for (const Index end : {edge.u, edge.v}) {
      if (end < 0 || end >= n) {
        throw OptionError(fmt::format("edge {}–{}: {} is not a node of 0 … {}", edge.u, edge.v, end, n - 1));
      }
    }
    if (edge.u == edge.v) {
      ++dropped_self_loops_;
    } else {
      arcs.push_back({edge.u, edge.v});
      arcs.push_back({edge.v, edge.u});
    }
  }
  Csr csr = build_csr(n, arcs);
  offsets_.reserve(csr.offsets.size());
  offsets_.push_back(0);
  std::size_t kept = 0;
  for (Index node = 0; node < n; ++node) {
    Index previous = -1;
    for (const Index target : csr.row(node)) {
      if (target != previous) {
        csr.targets[kept++] = target;
        previous = target;
      }
    }
    offsets_.push_back(static_cast<Offset>(kept));
  }
  dropped_duplicates_ = static_cast<Offset>((csr.targets.size() - kept) / 2);
  csr.targets.resize(kept);
  targets_ = std::move(csr.targets);
}

}  // namespace moco
