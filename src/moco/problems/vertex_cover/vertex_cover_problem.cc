// Minimum vertex cover: every edge has a chosen end. What is not chosen is an independent set, and a cover weighs what
// the set leaves of the whole: so sets are searched, and covers are their complements.
#include "moco/problems/vertex_cover/vertex_cover_problem.h"

#include <numeric>

#include <fmt/format.h>

#include "moco/problems/mis/set_problem.h"

namespace moco {

namespace {

class VertexCover final : public SetProblem {
 public:
  std::string_view name() const override { return "vertex-cover"; }
  std::string_view summary() const override {
    return "the smallest or lightest set of nodes that has an end of every edge";
  }

  DecisionGraph graph(const InstancePtr& instance, const OptionValues& options,
                      const Executor& executor) const override {
    DecisionGraph graph = SetProblem::graph(instance, options, executor);
    graph.cost_offset = graph.weights.empty() ? static_cast<double>(graph.nodes)
                                              : std::accumulate(graph.weights.begin(), graph.weights.end(), 0.0);
    return graph;
  }

  Solution to_search(const Instance& instance, Solution cover) const override { return complement(instance, cover); }
  Solution from_search(const Instance& instance, Solution set) const override { return complement(instance, set); }

 protected:
  bool maximises() const override { return false; }

  std::string violation(const GraphInstance& graph, const std::vector<bool>& chosen) const override {
    for (Index node = 0; node < graph.size(); ++node) {
      if (chosen[static_cast<std::size_t>(node)]) {
        continue;
      }
      for (const Index neighbour : graph.neighbours(node)) {
        if (!chosen[static_cast<std::size_t>(neighbour)]) {
          return fmt::format("the edge between nodes {} and {} is not covered", node, neighbour);
        }
      }
    }
    return "";
  }

 private:
  static Solution complement(const Instance& instance, const Solution& nodes) {
    std::vector<bool> chosen(static_cast<std::size_t>(instance.size()), false);
    for (const Index node : nodes.items) {
      chosen[static_cast<std::size_t>(node)] = true;
    }
    Solution others;
    for (Index node = 0; node < instance.size(); ++node) {
      if (!chosen[static_cast<std::size_t>(node)]) {
        others.items.push_back(node);
      }
    }
    return others;
  }
};

}  // namespace

const Problem& vertex_cover_problem() {
  static const VertexCover problem;
  return problem;
}

}  // namespace moco
