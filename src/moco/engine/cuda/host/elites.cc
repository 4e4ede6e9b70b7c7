// One problem's construction encodes and decodes, whatever runs the search.
#include "moco/engine/cuda/host/elites.h"

#include <algorithm>
#include <cstring>

#include "moco/engine/cuda/kit/transfers.h"
#include "moco/policy/construction.h"
#include "moco/policy/solution_identity.h"
#include "moco/problem.h"

namespace moco::cuda {

namespace {

std::unique_ptr<Construction> construction_of(const BatchSpec& spec, const DecisionGraph& graph) {
  return graph.instance->problem().construction(graph, spec.loop.problem);
}

}  // namespace

std::vector<SearchState> first_states(const BatchSpec& spec, const BatchLayout& layout, const DeviceBatch& batch,
                                      DeviceContext& context) {
  std::vector<SearchState> states(spec.trajectories.size());
  for (std::size_t i = 0; i < states.size(); ++i) {
    SearchState& state = states[i];
    std::memset(&state, 0, sizeof state);
    const Trajectory& given = spec.trajectories[i];
    if (given.warm_start == nullptr) {
      continue;
    }
    const DecisionGraph& graph = *spec.graphs[given.graph];
    const auto construction = construction_of(spec, graph);
    SampleSet set;
    set.reshape(1, construction->stride(), graph.nodes, false);
    construction->encode(*given.warm_start, given.start, 0, set);
    const auto length = static_cast<std::size_t>(set.lengths[0]);
    state.elite_size = 1;
    state.elite_cost[0] = set.costs[0];
    state.elite_length[0] = set.lengths[0];
    state.elite_hash[0] = batch.search.elite != EliteRule::paper
                              ? solution_hash(set.items.data(), set.variables.data(), set.lengths[0], graph.reversible)
                              : 0;
    const long long base = layout.trajectories[i].node_offset * kEliteSize;
    send(context, batch.search.elite_items + base, set.items.data(), length);
    send(context, batch.search.elite_variables + base, set.variables.data(), length);
  }
  return states;
}

std::vector<Solution> best_of_elite(const BatchSpec& spec, const BatchLayout& layout, const DeviceBatch& batch,
                                    std::size_t trajectory, int most, DeviceContext& context) {
  const SearchState state = fetch(context, batch.search.state + trajectory, 1).front();
  const TrajectoryData& t = layout.trajectories[trajectory];
  const auto construction = construction_of(spec, *spec.graphs[spec.trajectories[trajectory].graph]);
  std::vector<Solution> best;
  for (int rank = 0; rank < std::min(most, state.elite_size); ++rank) {
    const int slot = state.elite_slot[rank];
    const long long first = t.node_offset * kEliteSize + static_cast<long long>(slot) * t.nodes;
    const std::vector<Index> items =
        fetch(context, batch.search.elite_items + first, static_cast<std::size_t>(state.elite_length[slot]));
    best.push_back(construction->decode(items.data(), static_cast<Index>(items.size())));
  }
  return best;
}

}  // namespace moco::cuda
