// Maximum clique: every two chosen nodes are adjacent. Cliques are the independent sets of the complement, which
// instances keep beside their graph: that is what searches read.
#include "moco/problems/clique/clique_problem.h"

#include <algorithm>

#include <fmt/format.h>

#include "moco/formats/formats.h"
#include "moco/problems/mis/set_problem.h"

namespace moco {

namespace {

class CliqueInstance final : public GraphInstance {
 public:
  /// Throws ResourceError with the bytes that the complement would need when there are fewer.
  CliqueInstance(const Problem& problem, std::string name, const GraphData& graph)
      : GraphInstance(problem, std::move(name), graph.nodes, graph.edges, graph.node_weights),
        complement_(problem, this->name(), graph.nodes, moco::complement(graph).edges, graph.node_weights) {}

  const GraphInstance& complement() const { return complement_; }

 private:
  GraphInstance complement_;
};

class Clique final : public SetProblem {
 public:
  std::string_view name() const override { return "clique"; }
  std::string_view summary() const override { return "the largest or heaviest set of nodes that are all adjacent"; }

 protected:
  std::shared_ptr<GraphInstance> make_instance(std::string name, GraphData graph) const override {
    return std::make_shared<CliqueInstance>(*this, std::move(name), graph);
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
