// Features of a trajectory's state (method.md §5).
#include "moco/engine/cpu/trajectory.h"

#include <algorithm>
#include <bit>

#include "moco/engine/features.h"
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

}  // namespace

TrajectoryState::TrajectoryState(const DecisionGraph& decision_graph, const LoopOptions& loop, PoolRule pool_rule,
                                 StreamKey key, Index start_node)
    : graph(&decision_graph),
      construction(decision_graph.instance->problem().construction(decision_graph, loop.problem)),
      local_search(make_local_search(decision_graph, loop)),
      stream(key),
      start(start_node),
      steps(loop.steps),
      theta(variables()),
      gradient(variables()),
      momenta(kMomenta * variables()),
      membership(variables()),
      pool(construction->stride(), pool_rule,
           decision_graph.reversible ? Identity::either_direction : Identity::variables) {}

void TrajectoryState::set_crowding() {
  crowding.resize(variables());
  for (std::size_t v = 0; v < crowding.size(); ++v) {
    int members = 0;
    const auto last = static_cast<std::size_t>(graph->offsets[v + 1]);
    for (auto e = static_cast<std::size_t>(graph->offsets[v]); e < last; ++e) {
      members += std::popcount(membership[static_cast<std::size_t>(graph->targets[e])]);
    }
    crowding[v] = static_cast<float>(members) / static_cast<float>(pool.size());
  }
}

void TrajectoryState::global(float* out) const {
  const std::vector<double> costs = pool.costs();
  global_features(costs.data(), static_cast<int>(costs.size()), previous_best, step - 1, steps, out);
}

void TrajectoryState::instance_features(Index begin, Index end, float* rows) const {
  for (Index v = begin; v < end; ++v) {
    *rows++ = construction->instance_feature(v);
    if (shows_weights) {
      *rows++ = weight_feature(*graph, v);
    }
  }
}

void TrajectoryState::features(Index begin, Index end, float gradient_scale, float* rows) const {
  const std::size_t total = variables();
  const std::size_t columns = kVariableFeatures + (shows_weights ? kWeightFeatures : 0);
  for (auto v = static_cast<std::size_t>(begin); v < static_cast<std::size_t>(end); ++v) {
    float* row = rows + (v - static_cast<std::size_t>(begin)) * columns;
    row[0] = crowding.empty() ? construction->instance_feature(static_cast<Index>(v)) : crowding[v];
    for (std::size_t l = 0; l < kPoolSize; ++l) {
      row[kMembershipColumn + l] = static_cast<float>((membership[v] >> l) & 1u);
    }
    for (std::size_t m = 0; m < kMomenta; ++m) {
      row[kMomentumColumn + m] = gradient_scale * momenta[m * total + v];
    }
    row[kGradientColumn] = gradient_scale * gradient[v];
    row[kThetaColumn] = theta[v];
    if (shows_weights) {
      row[kWeightColumn] = weight_feature(*graph, static_cast<Index>(v));
    }
  }
}

}  // namespace moco::cpu
