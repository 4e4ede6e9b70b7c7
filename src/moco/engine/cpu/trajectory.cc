// Features of a trajectory's state (method.md §5).
#include "moco/engine/cpu/trajectory.h"

#include <algorithm>

#include <fmt/format.h>

#include "moco/engine/feature_rows.h"
#include "moco/engine/features.h"
#include "moco/error.h"
#include "moco/problem.h"

namespace moco::cpu {

namespace {

std::unique_ptr<LocalSearch> make_local_search(const DecisionGraph& graph, const LoopOptions& loop) {
  if (loop.local_search.name.empty()) {
    return nullptr;
  }
  validate(loop.local_search, *graph.instance);
  return graph.instance->problem().local_search(graph, loop.local_search, loop.problem);
}

std::unique_ptr<PartialSearch> make_partial_search(const DecisionGraph& graph, int count) {
  if (count == 0) {
    return nullptr;
  }
  const Problem& problem = graph.instance->problem();
  auto construction = problem.partial_construction(graph, count);
  if (construction == nullptr) {
    throw OptionError(fmt::format("there are no partial samples (rebuild) of {}", problem.name()));
  }
  return std::make_unique<PartialSearch>(std::move(construction));
}

}  // namespace

TrajectoryState::TrajectoryState(const DecisionGraph& decision_graph, const LoopOptions& loop, EliteRule elite_rule,
                                 StreamKey key, Index start_node)
    : graph(&decision_graph),
      construction(decision_graph.instance->problem().construction(decision_graph, loop.problem)),
      local_search(make_local_search(decision_graph, loop)),
      partial(make_partial_search(decision_graph, loop.rebuild)),
      stream(key),
      start(start_node),
      budget(told_budget(loop)),
      theta(variables()),
      gradient(variables()),
      momenta(kMomenta * variables()),
      membership(variables()),
      elite(construction->stride(), elite_rule,
            decision_graph.reversible ? Identity::either_direction : Identity::variables) {}

void TrajectoryState::show(const ModelConfig& config) {
  shows_weights = config.node_weights;
  elite.membership(membership, shown_reverse(config, *graph));
  crowding.clear();
  if (config.crowding && elite.size() > 0) {
    set_crowding();
  }
}

void TrajectoryState::set_crowding() {
  crowding.resize(variables());
  for (std::size_t v = 0; v < crowding.size(); ++v) {
    crowding[v] = crowding_of(*graph, membership, static_cast<std::size_t>(elite.size()), static_cast<Index>(v));
  }
}

void TrajectoryState::global(float* out) const {
  const std::vector<double> costs = elite.costs();
  global_features(costs.data(), static_cast<int>(costs.size()), previous_best, step - 1, budget, out);
}

void TrajectoryState::instance_features(Index begin, Index end, float* rows) const {
  for (Index v = begin; v < end; ++v) {
    *rows++ = construction->instance_feature(v);
    if (shows_weights) {
      *rows++ = weight_feature(*graph, v);
    }
  }
}

void TrajectoryState::optimizer_features(Index begin, Index end, float gradient_scale, float* rows) const {
  for (auto v = static_cast<std::size_t>(begin); v < static_cast<std::size_t>(end); ++v) {
    optimizer_feature_row(momenta, gradient, theta, v, gradient_scale, rows);
    rows += kOptimizerFeatures;
  }
}

void TrajectoryState::features(Index begin, Index end, float gradient_scale, float* rows) const {
  const std::size_t columns = kVariableFeatures + (shows_weights ? kWeightFeatures : 0);
  for (auto v = static_cast<std::size_t>(begin); v < static_cast<std::size_t>(end); ++v) {
    float* row = rows + (v - static_cast<std::size_t>(begin)) * columns;
    const float instance = crowding.empty() ? construction->instance_feature(static_cast<Index>(v)) : crowding[v];
    variable_feature_row(instance, membership[v], momenta, gradient, theta, v, gradient_scale, row);
    if (shows_weights) {
      row[kWeightColumn] = weight_feature(*graph, static_cast<Index>(v));
    }
  }
}

}  // namespace moco::cpu
