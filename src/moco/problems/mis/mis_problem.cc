// Maximum independent set: no two chosen nodes are adjacent.
#include "moco/problems/mis/mis_problem.h"

#include <fmt/format.h>

#include "moco/problems/mis/set_problem.h"

namespace moco {

namespace {

class Mis final : public SetProblem {
 public:
  std::string_view name() const override { return "mis"; }
  std::string_view summary() const override {
    return "the largest or heaviest set of nodes no two of which are adjacent";
  }

 protected:
  std::string violation(const GraphInstance& graph, const std::vector<bool>& chosen) const override {
    for (Index node = 0; node < graph.size(); ++node) {
      if (!chosen[static_cast<std::size_t>(node)]) {
        continue;
      }
      for (const Index neighbour : graph.neighbours(node)) {
        if (chosen[static_cast<std::size_t>(neighbour)]) {
          return fmt::format("nodes {} and {} are both chosen but adjacent", node, neighbour);
        }
      }
    }
    return "";
  }
};

}  // namespace

const Problem& mis_problem() {
  static const Mis problem;
  return problem;
}

}  // namespace moco
