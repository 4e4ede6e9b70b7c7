// Working copies with weights and without.
#include "moco/problems/mis/partial_sets.h"

#include "moco/problems/mis/rebuilt_set.h"

namespace moco {

namespace {

constexpr double kFirstTemperature = 0.2;  // mean weights of a node

class PartialSets final : public PartialConstruction {
 public:
  PartialSets(const DecisionGraph& graph, Index count) : graph_(graph), count_(count) {}

  std::unique_ptr<WorkingCopy> working_copy() const override {
    if (graph_.weights.empty()) {
      return std::make_unique<RebuiltSet<false>>(graph_, count_);
    }
    return std::make_unique<RebuiltSet<true>>(graph_, count_);
  }

  double first_temperature(double) const override { return kFirstTemperature * graph_.cost_scale; }

  std::uint64_t copy_bytes() const override {
    return static_cast<std::uint64_t>(graph_.nodes) *
           (graph_.weighted ? 50 : 42);  // SetState's arrays, marks, candidates
  }
  std::uint64_t choices_bytes() const override {
    const auto nodes = static_cast<std::uint64_t>(graph_.nodes);
    return nodes * sizeof(Index) +
           std::min<std::uint64_t>(nodes, static_cast<std::uint64_t>(count_)) * sizeof(ChosenVariable);
  }

 private:
  const DecisionGraph& graph_;
  Index count_;
};

}  // namespace

std::unique_ptr<PartialConstruction> make_partial_sets(const DecisionGraph& graph, Index count) {
  return std::make_unique<PartialSets>(graph, count);
}

}  // namespace moco
