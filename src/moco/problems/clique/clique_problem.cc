// Maximum clique: every two chosen nodes are adjacent. Cliques are the independent sets of the complement, which
// instances keep beside their graph: that is what searches read.
#include "moco/problems/clique/clique_problem.h"

#include <algorithm>

#include <fmt/format.h>

#include "moco/core/memory.h"
#include "moco/error.h"
#include "moco/problems/mis/set_problem.h"

namespace moco {

namespace {

/// Edges of the complement.
std::vector<Edge> missing_edges(const GraphInstance& graph) {
  const auto n = static_cast<std::size_t>(graph.size());
  std::vector<Edge> missing;
  missing.reserve(n * (n - 1) / 2 - static_cast<std::size_t>(graph.edges()));
  for (Index node = 0; node < graph.size(); ++node) {
    const auto row = graph.neighbours(node);
    auto known = std::ranges::upper_bound(row, node);
    for (Index other = node + 1; other < graph.size(); ++other) {
      if (known != row.end() && *known == other) {
        ++known;
      } else {
        missing.push_back({node, other});
      }
    }
  }
  return missing;
}

class CliqueInstance final : public GraphInstance {
 public:
  CliqueInstance(const Problem& problem, std::string name, GraphData graph)
      : GraphInstance(problem, std::move(name), graph.nodes, graph.edges, graph.node_weights),
        complement_(problem, this->name(), size(), missing_edges(checked(*this)), std::move(graph.node_weights)) {}

  const GraphInstance& complement() const { return complement_; }

 private:
  /// The graph, if there is room for its complement.
  static const GraphInstance& checked(const GraphInstance& graph) {
    constexpr double kBytesPerEdge = 56.0;  // a list of edges, arcs in either order, the adjacency in the making
    constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
    const auto n = static_cast<double>(graph.size());
    const double bytes = kBytesPerEdge * (n * (n - 1.0) / 2.0 - static_cast<double>(graph.edges()));
    const auto available = static_cast<double>(available_memory());
    if (bytes > available) {
      throw ResourceError(
          fmt::format("{}: cliques are searched in the complement, which would need about {:.1f} GiB for {} nodes, and "
                      "{:.1f} GiB are available",
                      graph.name(), bytes / kGiB, graph.size(), available / kGiB));
    }
    return graph;
  }

  GraphInstance complement_;
};

class Clique final : public SetProblem {
 public:
  std::string_view name() const override { return "clique"; }
  std::string_view summary() const override { return "the largest or heaviest set of nodes that are all adjacent"; }

 protected:
  std::shared_ptr<GraphInstance> make_instance(std::string name, GraphData graph) const override {
    return std::make_shared<CliqueInstance>(*this, std::move(name), std::move(graph));
  }

  const GraphInstance& searched(const GraphInstance& given) const override {
    return dynamic_cast<const CliqueInstance&>(given).complement();
  }

  std::string violation(const GraphInstance& graph, const std::vector<bool>& chosen) const override {
    std::vector<Index> members;
    for (Index node = 0; node < graph.size(); ++node) {
      if (!chosen[static_cast<std::size_t>(node)]) {
        continue;
      }
      const auto row = graph.neighbours(node);
      for (const Index member : members) {
        if (!std::ranges::binary_search(row, member)) {
          return fmt::format("nodes {} and {} are both chosen but not adjacent", member, node);
        }
      }
      members.push_back(node);
    }
    return "";
  }
};

}  // namespace

const Problem& clique_problem() {
  static const Clique problem;
  return problem;
}

}  // namespace moco
